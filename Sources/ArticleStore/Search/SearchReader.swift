import Essentials
import Text

/// Takes the parts off the front of a search as it was written.
struct SearchReader {
    /// A part, and what it means.
    struct Part {
        let written: String
        let meaning: Meaning

        /// Whether it is words that an article must have.
        var isWanted: Bool {
            guard case .term(let term) = meaning else { return false }
            return !term.isExcluded
        }
    }

    enum Meaning {
        case term(SearchQuery.Term)
        case filter(SearchQuery.Filter)
        /// Neither, such as a condition without a value.
        case nothing
    }

    private var rest: Substring.UnicodeScalarView
    private let now: Date?
    /// Whether a date that was told from the present was written as a day.
    private(set) var hasDated = false

    /// - Parameter now: the present, where dates are told from it.
    init(_ text: String, now: Date? = nil) {
        rest = text[...].unicodeScalars
        self.now = now
    }

    /// The next part; nil at the end.
    mutating func next() -> Part? {
        rest = rest.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        let start = rest
        let isExcluded = takeMinus()
        let name = takeName()
        let before = String(start[..<rest.startIndex])
        if name?.isDate == true, let date = takeRelativeDate() {
            hasDated = true
            let value = Value(text: date)
            return Part(
                written: before + date, meaning: name.flatMap { meaning(of: $0, value, isExcluded) } ?? .nothing)
        }
        let value = takeValue()
        let written = String(start[..<rest.startIndex])
        if let name {
            if value.text.isEmpty { return Part(written: written, meaning: .nothing) }
            if let meaning = meaning(of: name, value, isExcluded) { return Part(written: written, meaning: meaning) }
            // As words that stand side by side.
            let words = (isExcluded ? String(written.dropFirst()) : written)
            return Part(
                written: written, meaning: .term(SearchQuery.Term(text: words, isExcluded: isExcluded)))
        }
        return Part(written: written, meaning: .term(value.term(nil, isExcluded)))
    }

    /// `-` before a word leaves out what has it; alone, or before another, it is a sign like others.
    private mutating func takeMinus() -> Bool {
        guard rest.first == "-" else { return false }
        let after = rest.dropFirst()
        guard let next = after.first, next != " ", next != "-" else { return false }
        rest = after
        return true
    }

    private static let names: [String: Name] = [
        "title": .field(.title), "author": .field(.author), "by": .field(.author), "tag": .field(.tag),
        "source": .source,
        "lang": .language, "language": .language, "before": .before, "until": .before, "after": .after,
        "since": .after, "is": .state,
    ]

    private enum Name {
        case field(SearchQuery.Term.Field), ownTag, source, language, before, after, state

        var isDate: Bool {
            switch self {
            case .before, .after: true
            case .field, .ownTag, .source, .language, .state: false
            }
        }
    }

    private mutating func takeName() -> Name? {
        guard let colon = rest.prefix(12).firstIndex(of: ":"),
            let name = Self.names[String(rest[..<colon]).lowercased()]
        else { return nil }
        rest = rest[rest.index(after: colon)...]
        if case .field(.tag) = name, String(rest.prefix(5)).lowercased() == "mine:" {
            rest = rest.dropFirst(5)
            return .ownTag
        }
        return name
    }

    private struct Value {
        var text: String
        var isPrefix = false
        var isQuoted = false

        func term(_ field: SearchQuery.Term.Field?, _ isExcluded: Bool) -> SearchQuery.Term {
            SearchQuery.Term(
                field: field, text: text, isPrefix: isPrefix && field != .tag, isExact: isQuoted, isExcluded: isExcluded
            )
        }
    }

    /// The text up to the next space or between quotation marks; unclosed ones reach to the end.
    private mutating func takeValue() -> Value {
        let isQuoted = rest.first.map(Self.quotes.contains) ?? false
        if isQuoted { rest = rest.dropFirst() }
        let end = rest.firstIndex { isQuoted ? Self.quotes.contains($0) : $0 == " " } ?? rest.endIndex
        var value = Value(text: String(rest[..<end]), isQuoted: isQuoted)
        rest = rest[end...]
        if isQuoted {
            rest = rest.dropFirst()
            // As after a word.
            if rest.first == "*" {
                value.isPrefix = true
                rest = rest.dropFirst()
            }
        } else if value.text.hasSuffix("*") {
            value.isPrefix = true
            value.text = String(value.text.dropLast())
        }
        return value
    }

    /// A date that is told from the present, between quotation marks or not, as one that is not; nil where there is none.
    private mutating func takeRelativeDate() -> String? {
        guard let now else { return nil }
        let start = rest
        let value = takeValue().text
        if (try? DateParser.date(from: value)) == nil {
            if let date = RelativeDate.date(from: value, now: now) { return Self.written(date) }
            // Without marks it may be of several words, such as 7 days ago.
            for count in [3, 2] {
                let words = start.split(separator: " ", maxSplits: count, omittingEmptySubsequences: false).prefix(
                    count)
                guard words.count == count, let end = words.last?.endIndex else { continue }
                let text = String(start[..<end]).replacing("'", with: "")
                guard let date = RelativeDate.date(from: text, now: now) else { continue }
                rest = start[end...]
                return Self.written(date)
            }
        }
        rest = start
        return nil
    }

    private static func written(_ date: Date) -> String {
        let isDay = date.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 0
        return isDay ? RFC3339.day(of: date, offset: 0) : RFC3339.string(from: date)
    }

    static let quotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»"]

    private func meaning(of name: Name, _ value: Value, _ isExcluded: Bool) -> Meaning? {
        func filter(_ condition: SearchQuery.Condition) -> Meaning {
            .filter(SearchQuery.Filter(condition: condition, isExcluded: isExcluded))
        }
        switch name {
        case .field(let field): return .term(value.term(field, isExcluded))
        case .ownTag: return filter(.mark(.tag(value.text)))
        case .source: return filter(.source(value.text))
        case .language: return filter(.language(value.text))
        case .before: return (try? DateParser.date(from: value.text)).map { filter(.before($0)) }
        case .after: return (try? DateParser.date(from: value.text)).map { filter(.after($0)) }
        case .state:
            let state = value.text.lowercased()
            if state == "unread" { return .filter(.init(condition: .mark(.read), isExcluded: !isExcluded)) }
            let marks: [String: SearchQuery.Mark] = [
                "read": .read, "starred": .starred, "later": .later, "noted": .noted,
            ]
            return marks[state].map { filter(.mark($0)) }
        }
    }
}
