import Text

/// Splits a search into its parts, from the start to the end.
package struct SearchReader {
    /// A part and its meaning.
    struct Part {
        let written: String
        let meaning: Meaning
    }

    enum Meaning: Equatable {
        case term(SearchQuery.Term)
        case filter(SearchQuery.Filter)
        /// A group begins.
        case open(isExcluded: Bool)
        /// The last group ends.
        case close
        /// The part is not valid, such as a condition without a value.
        case nothing
    }

    private var rest: Substring.UnicodeScalarView
    /// The number of groups that were not closed.
    private var depth = 0
    private let now: Date?
    /// Whether a relative date was replaced with a day.
    private(set) var hasDated = false

    /// Creates a reader.
    /// - Parameter now: the present time, if relative dates must be replaced with days.
    init(_ text: String, now: Date? = nil) {
        rest = text[...].unicodeScalars
        self.now = now
    }

    /// Returns the next part; nil at the end.
    mutating func next() -> Part? {
        rest = rest.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        let start = rest
        if depth > 0, rest.first == ")" {
            rest = rest.dropFirst()
            depth -= 1
            return Part(written: ")", meaning: .close)
        }
        let isExcluded = readMinus()
        if rest.first == "(" {
            rest = rest.dropFirst()
            depth += 1
            return Part(written: isExcluded ? "-(" : "(", meaning: .open(isExcluded: isExcluded))
        }
        let name = readName()
        let before = String(start[..<rest.startIndex])
        if name?.isDate == true, let date = takeRelativeDate() {
            hasDated = true
            let value = Value(text: date)
            return Part(
                written: before + date, meaning: name.flatMap { meaning(of: $0, value, isExcluded) } ?? .nothing)
        }
        let value = readValue()
        let written = String(start[..<rest.startIndex])
        if let name {
            if value.text.isEmpty { return Part(written: written, meaning: .nothing) }
            if let meaning = meaning(of: name, value, isExcluded) { return Part(written: written, meaning: meaning) }
            // Otherwise take the whole part as words next to each other.
            let words = (isExcluded ? String(written.dropFirst()) : written)
            return Part(
                written: written, meaning: .term(SearchQuery.Term(text: words, isExcluded: isExcluded)))
        }
        return Part(written: written, meaning: .term(value.term(nil, isExcluded)))
    }

    /// Reads a `-` before a word, which excludes articles with the word. A `-` alone or before another `-` is a normal
    /// character.
    private mutating func readMinus() -> Bool {
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

    private mutating func readName() -> Name? {
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

    /// Reads the text up to the next space or, after a quotation mark, up to the closing mark. Without a closing mark,
    /// it extends to the end.
    private mutating func readValue() -> Value {
        let isQuoted = rest.first.map(Self.quotes.contains) ?? false
        if isQuoted { rest = rest.dropFirst() }
        let end =
            isQuoted
            ? rest.firstIndex(where: Self.quotes.contains) ?? rest.endIndex
            : endOfWord(before: rest.firstIndex(of: " ") ?? rest.endIndex)
        var value = Value(text: String(rest[..<end]), isQuoted: isQuoted)
        rest = rest[end...]
        if isQuoted {
            rest = rest.dropFirst()
            // As after a word, `*` means that only the beginning of the word is given.
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

    /// Returns the end of the word before `end`, without the parentheses that end groups. A word keeps those that it opens
    /// itself, as `f(x)`.
    private func endOfWord(before end: Substring.UnicodeScalarView.Index) -> Substring.UnicodeScalarView.Index {
        let word = rest[..<end]
        var closings = min(depth, word.count { $0 == ")" } - word.count { $0 == "(" })
        var end = end
        while closings > 0, end > rest.startIndex, rest[rest.index(before: end)] == ")" {
            end = rest.index(before: end)
            closings -= 1
        }
        return end
    }

    /// Reads a relative date, with or without quotation marks, and returns it as an absolute date; nil if the next text
    /// is not a relative date.
    private mutating func takeRelativeDate() -> String? {
        guard let now else { return nil }
        let start = rest
        let value = readValue().text
        if (try? DateParser.date(from: value)) == nil {
            if let date = RelativeDate.date(from: value, now: now) { return Self.written(date) }
            // Without quotation marks, the date may consist of up to three words, such as 7 days ago. Try three words first.
            for count in [3, 2] {
                let words = start.split(separator: " ", maxSplits: count, omittingEmptySubsequences: false).prefix(
                    count)
                guard words.count == count, let last = words.last?.endIndex else { continue }
                let end = endOfWord(before: last)
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

    package static let quotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»"]

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
                "read": .read, "starred": .starred, "later": .later, "noted": .noted, "hidden": .hidden,
            ]
            return marks[state].map { filter(.mark($0)) }
        }
    }
}
