import Essentials
import Text

/// Takes the parts off the front of a search as it was written.
struct SearchReader {
    /// A part, and what it means.
    struct Part {
        let written: String
        let meaning: Meaning
    }

    enum Meaning {
        case term(SearchQuery.Term)
        case filter(SearchQuery.Filter)
        /// Neither, such as a condition without a value.
        case nothing
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    /// The next part; nil at the end.
    mutating func next() -> Part? {
        rest = rest.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        let start = rest
        let isExcluded = takeMinus()
        let name = takeName()
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

    private enum Name { case field(SearchQuery.Term.Field), ownTag, source, language, before, after, state }

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

        func term(_ field: SearchQuery.Term.Field?, _ isExcluded: Bool) -> SearchQuery.Term {
            SearchQuery.Term(field: field, text: text, isPrefix: isPrefix && field != .tag, isExcluded: isExcluded)
        }
    }

    /// What stands up to the next space, or between quotation marks; those that are not closed reach to the end.
    private mutating func takeValue() -> Value {
        let isQuoted = rest.first.map(Self.quotes.contains) ?? false
        if isQuoted { rest = rest.dropFirst() }
        let end = rest.firstIndex { isQuoted ? Self.quotes.contains($0) : $0 == " " } ?? rest.endIndex
        var value = Value(text: String(rest[..<end]))
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

    private static let quotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»"]

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
