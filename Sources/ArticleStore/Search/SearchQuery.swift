public import Essentials
import Text

/// A search as a person writes it: `swift "keyset pages" migrat* -java author:tomas before:2026`.
///
/// Every text is valid: text that only looks like a condition is searched for as words, and ``description`` tells how the text was
/// understood. Words are found regardless of case and of accents on Latin letters, in title, authors, tags, summary, and body,
/// and in their other forms by the rules of the article's language; quotation marks turn that off. Every word must be found, or one
/// of the words around `OR`.
public struct SearchQuery: Sendable, Hashable, CustomStringConvertible {
    /// Words that an article has, or must not have.
    public struct Term: Sendable, Hashable {
        /// The part of an article in which words are looked for.
        public enum Field: String, Sendable, Hashable, CaseIterable {
            /// In the title.
            case title
            /// In the names of the authors.
            case author
            /// A tag as a whole.
            case tag
        }

        /// The part in which they are looked for; nil for anywhere.
        public var field: Field?
        /// The words as they were written. Several are found side by side, in their order.
        public var text: String
        /// Whether the last of them is the beginning of a word.
        public var isPrefix = false
        /// Whether only these forms of the words are meant, as between quotation marks.
        public var isExact = false
        /// Whether an article that has them is left out.
        public var isExcluded = false
        /// Whether an article may have them in place of those of the term before, as after `OR`.
        public internal(set) var isAlternative = false

        /// The words as the index has them.
        package var words: [String] { field == .tag ? [IndexedText.label(text)] : SearchWords.words(ofQuery: text) }

        /// The tokens of the stems of a single word, any of which finds another form of it; none for words in quotation marks, names,
        /// and beginnings of words that are too short to tell a stem.
        package var stems: [String] {
            guard !isExact, field == nil || field == .title else { return [] }
            let words = words
            guard words.count == 1, !isPrefix || words[0].unicodeScalars.count > 3 else { return [] }
            return WordStem.tokens(of: words[0])
        }

        /// Whether the last word is one character of a script without spaces, of which the index has pairs.
        package var isHalf: Bool {
            guard field != .tag, let last = words.last?.unicodeScalars, last.count == 1 else { return false }
            return last.first.map(SearchWords.isHalf) ?? false
        }
    }

    /// A condition that is not about words.
    public enum Condition: Sendable, Hashable {
        /// Of the source with this name.
        case source(String)
        /// In this language.
        case language(String)
        /// Published before this time.
        case before(Date)
        /// Published at this time or later.
        case after(Date)
        /// A mark of the person who searches.
        case mark(Mark)
    }

    /// The marks of a reader.
    public enum Mark: Sendable, Hashable {
        /// It was read.
        case read
        /// It is starred.
        case starred
        /// It is kept for later.
        case later
        /// It has a note.
        case noted
        /// It has this tag of the reader's own.
        case tag(String)
    }

    /// A condition, or that it does not hold.
    public struct Filter: Sendable, Hashable {
        /// The condition.
        public var condition: Condition
        /// Whether it must not.
        public var isExcluded = false
    }

    /// The text as it was written, with one space for any white space. Of a long text, the first ``length`` Unicode scalars are kept.
    public let text: String
    /// The words, in their order.
    public internal(set) var terms: [Term] = []
    /// The other conditions, in their order.
    public internal(set) var filters: [Filter] = []
    /// The parts without a meaning, such as a condition without a value, and those beyond the limit.
    public internal(set) var ignored: [String] = []

    /// How many Unicode scalars of a text are kept.
    public static let length = 240
    /// How many words and conditions are looked at; what follows is ignored.
    static let limit = 32

    /// Reads a text; nil for one of white space alone.
    public init?(_ text: String) {
        // Bounded before it is worked on.
        let start = String(text.unicodeScalars.drop(while: \.properties.isWhitespace).prefix(Self.length))
        let normal = start.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
            .joined(separator: " ")
        guard !normal.isEmpty else { return nil }
        self.text = normal
        var reader = SearchReader(normal)
        // An `OR` between two words, while the second is read.
        var separator: SearchReader.Part?
        var endsWithTerm = false
        while let part = reader.next() {
            if part.written == "OR", endsWithTerm, separator == nil {
                separator = part
                continue
            }
            if let or = separator, !part.isWanted { take(or) }
            take(part, isAlternative: separator != nil)
            separator = nil
            endsWithTerm = part.isWanted && ignored.last != part.written
        }
        if let separator { ignored.append(separator.written) }
    }

    /// A text with the days in the place of dates that are told from the present, as in `after:yesterday` and `before:7 days ago`: what
    /// is kept of a search means the same days later. As it is where there are none.
    ///
    /// - Parameters:
    ///   - text: what a person has written.
    ///   - now: the present.
    package static func dated(_ text: String, now: Date) -> String {
        guard text.unicodeScalars.dropFirst(length).isEmpty else { return text }
        var reader = SearchReader(
            text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
                .joined(separator: " "), now: now)
        var parts: [String] = []
        while let part = reader.next() { parts.append(part.written) }
        return reader.hasDated ? parts.joined(separator: " ") : text
    }

    /// Whether nothing of it can be looked for, so that it finds nothing.
    public var isEmpty: Bool { terms.isEmpty && filters.isEmpty }

    /// Whether articles must have words, by which they can be told to answer better or worse.
    package var hasWords: Bool { terms.contains { !$0.isExcluded } }

    /// The same search with the last word as the beginning of one, for who is still typing.
    public var unfinished: SearchQuery {
        guard let last = terms.last, !last.isPrefix, !last.isExcluded, last.field != .tag, text.hasSuffix(last.text)
        else { return self }
        return SearchQuery(text + "*") ?? self
    }

    /// The text typed so far, if it is ``unfinished``.
    public var typed: String { text.hasSuffix("*") ? String(text.dropLast()) : text }

    /// The words that an article must have: of each group, those of at least one term.
    package var wanted: [[Term]] {
        terms.reduce(into: []) { groups, term in
            guard !term.isExcluded else { return }
            if term.isAlternative, let last = groups.indices.last {
                groups[last].append(term)
            } else {
                groups.append([term])
            }
        }
    }

    private mutating func take(_ part: SearchReader.Part, isAlternative: Bool = false) {
        guard terms.count + filters.count < Self.limit else { return ignored.append(part.written) }
        switch part.meaning {
        case .term(var term):
            guard !term.words.isEmpty else { return ignored.append(part.written) }
            term.isAlternative = isAlternative && part.isWanted
            terms.append(term)
        case .filter(let filter): filters.append(filter)
        case .nothing: ignored.append(part.written)
        }
    }

    /// The search as it was understood, such as `“swift” and “keyset pages”, not “java”, by “tomas”, before 2026-01-01`.
    public var description: String {
        var parts: [String] = []
        let anywhere = wanted.filter { $0.allSatisfy { $0.field == nil } }
        let groups = anywhere.map { group in
            let words = group.map(\.quoted).joined(separator: " or ")
            return group.count > 1 && anywhere.count > 1 ? "(\(words))" : words
        }
        if !groups.isEmpty { parts.append(groups.joined(separator: " and ")) }
        for group in wanted where group.contains(where: { $0.field != nil }) {
            parts.append(group.map(\.placed).joined(separator: " or "))
        }
        for term in terms where term.isExcluded { parts.append("not " + term.placed) }
        for filter in filters { parts.append(filter.words) }
        if parts.isEmpty { parts = ["nothing"] }
        if !ignored.isEmpty { parts.append("without " + ignored.map { "“\($0)”" }.joined(separator: ", ")) }
        return parts.joined(separator: ", ")
    }
}

extension SearchQuery.Term {
    fileprivate var quoted: String { "“\(text)\(isPrefix ? "…" : "")”" }

    fileprivate var placed: String {
        switch field {
        case nil: quoted
        case .title: "in the title " + quoted
        case .author: "by " + quoted
        case .tag: "tagged " + quoted
        }
    }
}

extension SearchQuery.Filter {
    fileprivate var words: String {
        if case .mark(.read) = condition, isExcluded { return "unread" }
        return (isExcluded ? "not " : "") + condition.words
    }
}

extension SearchQuery.Condition {
    fileprivate var words: String {
        switch self {
        case .source(let name): "from “\(name)”"
        case .language(let tag): "in \(tag)"
        case .before(let date): "before \(RFC3339.day(of: date, offset: 0))"
        case .after(let date): "since \(RFC3339.day(of: date, offset: 0))"
        case .mark(.read): "read"
        case .mark(.starred): "starred"
        case .mark(.later): "kept for later"
        case .mark(.noted): "with a note"
        case .mark(.tag(let tag)): "with your tag “\(tag)”"
        }
    }
}
