public import Text

/// A search as a person writes it: `swift "keyset pages" migrat* -java author:tomas before:2026`.
///
/// Every text is valid. Text that only looks like a condition is searched for as words, and ``description`` tells how
/// the text was understood. Words are found in title, authors, tags, summary, and body, regardless of case and of
/// accents on Latin letters. Other forms of a word are also found, by the rules of the article's language; quotation
/// marks turn that off. An article must meet every part, or one of the parts around `OR`, which binds tighter. Parentheses
/// make several parts one.
public struct SearchQuery: Sendable, Hashable, CustomStringConvertible {
    /// Words that an article must or must not contain.
    public struct Term: Sendable, Hashable {
        /// The part of an article in which the words must be.
        public enum Field: String, Sendable, Hashable, CaseIterable {
            /// The title.
            case title
            /// The names of the authors.
            case author
            /// The whole name of a tag.
            case tag
        }

        /// The part in which the words must be; nil for any part.
        public var field: Field?
        /// The words as they were written. Several words must be next to each other, in this order.
        public var text: String
        /// Whether the last word is only the beginning of a word.
        public var isPrefix = false
        /// Whether only these forms of the words match, as in quotation marks.
        public var isExact = false
        /// Whether articles with these words are excluded.
        public var isExcluded = false

        /// The words in the form of the search index.
        package var words: [String] { field == .tag ? [IndexedText.label(text)] : SearchWords.words(ofQuery: text) }

        /// The stem tokens of a single word, any of which finds another form of the word. It is empty for words in
        /// quotation marks, names, and beginnings of words that are too short to have a stem.
        package var stems: [String] { knownStems ?? stems(in: .all) }

        /// The ``stems`` in the languages of a library, if they are known.
        package fileprivate(set) var knownStems: [String]?

        fileprivate func stems(in languages: StemLanguages) -> [String] {
            guard !isExact, field == nil || field == .title else { return [] }
            let words = SearchWords.writtenWords(ofQuery: text)
            guard words.count == 1, !isPrefix || words[0].unicodeScalars.count > 3 else { return [] }
            return WordStem.tokens(of: words[0], in: languages)
        }

        /// The forms of the words as the index has them: the words in a row, and the stem tokens of a single word.
        package var forms: [(words: [String], isBeginning: Bool)] {
            // The end mark of a label is not a part of the word.
            let words = words.map { $0.hasSuffix("\u{3}") ? String($0.dropLast()) : $0 }
            return [(words, isBeginning)] + stems.map { ([$0], false) }
        }

        /// Whether words also match that begin with the last word.
        package var isBeginning: Bool { isPrefix || isHalf }

        /// Whether the last word is a single character of a script without spaces. The search index contains only pairs
        /// of such characters.
        package var isHalf: Bool {
            guard field != .tag, let last = words.last?.unicodeScalars, last.count == 1 else { return false }
            return last.first.map(SearchWords.isHalf) ?? false
        }
    }

    /// A condition that is not about words.
    public enum Condition: Sendable, Hashable {
        /// The article belongs to the source with this name.
        case source(String)
        /// The article is in this language.
        case language(String)
        /// The article was published before this time.
        case before(Date)
        /// The article was published at this time or later.
        case after(Date)
        /// The user who searches has given the article this mark.
        case mark(Mark)
    }

    /// The marks of a user.
    public enum Mark: Sendable, Hashable {
        /// The user has read the article.
        case read
        /// The user has starred the article.
        case starred
        /// The user has saved the article for later.
        case later
        /// The user has written a note on the article.
        case noted
        /// The article is hidden from the lists of the user.
        case hidden
        /// The user has given the article this tag.
        case tag(String)
    }

    /// A condition that must hold, or must not hold.
    public struct Filter: Sendable, Hashable {
        /// The condition.
        public var condition: Condition
        /// Whether the condition must not hold.
        public var isExcluded = false
    }

    /// Parts of a search that are combined by `OR` and parentheses.
    package indirect enum Clause: Sendable, Hashable {
        /// The words must be in an article, or must not.
        case term(Term)
        /// The condition must hold, or must not.
        case filter(Filter)
        /// All clauses must hold.
        case all([Clause])
        /// At least one of the clauses must hold.
        case any([Clause])
    }

    /// The text as it was written, with each run of white space replaced by a single space. Only the first ``length``
    /// Unicode scalars are kept.
    public let text: String
    /// All words, in order, also those between `OR` and inside of parentheses.
    public internal(set) var terms: [Term] = []
    /// The terms that an article must contain: at least one term of each group.
    package private(set) var wanted: [[Term]] = []
    /// The terms that an article must not contain.
    package private(set) var unwanted: [Term] = []
    /// The conditions that must hold.
    package private(set) var filters: [Filter] = []
    /// The other clauses that must hold: those with `OR` in which not all parts are words that an article must contain.
    package private(set) var choices: [Clause] = []
    /// The invalid parts, such as a condition without a value, and the parts beyond the limit.
    public internal(set) var ignored: [String] = []

    /// The maximum number of Unicode scalars in a search.
    public static let length = 240
    /// The maximum number of words and conditions. Further parts are ignored.
    static let limit = 32
    /// The maximum number of groups of words for a part in parentheses. A search with more is not ranked by it.
    private static let mostGroups = 8

    /// Parses a search; nil if the text consists only of white space.
    public init?(_ text: String) {
        // Limit the length before any other work.
        let start = String(text.unicodeScalars.drop(while: \.properties.isWhitespace).prefix(Self.length))
        let normal = start.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
            .joined(separator: " ")
        guard !normal.isEmpty else { return nil }
        self.text = normal
        var reader = SearchReader(normal)
        var parser = SearchParser()
        while let part = reader.next() { parser.add(part) }
        let clauses = parser.finish()
        (terms, ignored) = (parser.terms, parser.ignored)
        for clause in clauses {
            switch clause {
            case .term(let term) where term.isExcluded: unwanted.append(term)
            case .filter(let filter): filters.append(filter)
            case .term, .all, .any:
                if let groups = clause.groups(upTo: Self.mostGroups) {
                    wanted += groups
                } else {
                    choices.append(clause)
                }
            }
        }
    }

    /// Returns a search with relative dates replaced by days, as in `after:yesterday` and `before:7 days ago`. A stored
    /// search then means the same days later. Without such dates, the text is unchanged.
    ///
    /// - Parameters:
    ///   - text: the search as a person wrote it.
    ///   - now: the present time.
    package static func dated(_ text: String, now: Date) -> String {
        guard text.unicodeScalars.dropFirst(length).isEmpty else { return text }
        var reader = SearchReader(
            text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
                .joined(separator: " "), now: now)
        var (dated, isOpen) = ("", true)
        while let part = reader.next() {
            if !isOpen, part.meaning != .close { dated += " " }
            dated += part.written
            if case .open = part.meaning { isOpen = true } else { isOpen = false }
        }
        return reader.hasDated ? dated : text
    }

    /// Whether the search has neither words nor conditions, so that it finds nothing.
    public var isEmpty: Bool { terms.isEmpty && filters.isEmpty && choices.isEmpty }

    /// Whether articles must contain words, so that they can be ranked.
    package var hasWords: Bool { !wanted.isEmpty }

    /// Whether the search has words that are marked in an article.
    package var marksWords: Bool { terms.contains { !$0.isExcluded } }

    /// Whether the search has conditions that the words of an article do not answer.
    package var hasConditions: Bool { !filters.isEmpty || !choices.isEmpty }

    /// Returns the same search with the stems of its words in some languages. Stemming takes time, and so does each stem that
    /// is looked up, so leave out the languages that no article has.
    package func stemmed(in languages: StemLanguages) -> SearchQuery {
        func withStems(_ term: Term) -> Term {
            // The description of a term in quotation marks says whether it would have other forms without them.
            guard !term.isExact else { return term }
            var term = term
            term.knownStems = term.stems(in: languages)
            return term
        }
        var search = self
        search.terms = terms.map(withStems)
        search.wanted = wanted.map { $0.map(withStems) }
        search.unwanted = unwanted.map(withStems)
        search.choices = choices.map { $0.mapTerms(withStems) }
        return search
    }

    /// The same search with the last word as the beginning of a word, for a user who is still typing.
    public var unfinished: SearchQuery {
        guard let last = terms.last, !last.isPrefix, !last.isExcluded, last.field != .tag, text.hasSuffix(last.text)
        else { return self }
        return SearchQuery(text + "*") ?? self
    }

    /// The text that was typed so far, if this search is ``unfinished``.
    public var typed: String { text.hasSuffix("*") ? String(text.dropLast()) : text }

    /// The search as it was understood, such as `“swift” and “keyset pages”, not “java”, by “tomas”, before
    /// 2026-01-01`.
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
        parts += choices.map { $0.words(isNested: false) }
        parts += unwanted.map(\.stated) + filters.map(\.words)
        if parts.isEmpty { parts = ["nothing"] }
        if !ignored.isEmpty { parts.append("ignoring " + ignored.map { "“\($0)”" }.joined(separator: ", ")) }
        return parts.joined(separator: ", ")
    }
}

extension SearchQuery.Term {
    fileprivate var quoted: String { "“\(text)\(isPrefix ? "…" : "")”" + (excludesForms ? " (only this form)" : "") }

    /// Whether quotation marks keep the term from finding other forms.
    private var excludesForms: Bool {
        guard isExact else { return false }
        var term = self
        term.isExact = false
        return !term.stems.isEmpty
    }

    fileprivate var stated: String { (isExcluded ? "not " : "") + placed }

    fileprivate var placed: String {
        switch field {
        case nil: quoted
        case .title: "in the title " + quoted
        case .author: "by " + quoted
        case .tag: "tagged " + quoted
        }
    }
}

extension SearchQuery.Clause {
    fileprivate func mapTerms(_ change: (SearchQuery.Term) -> SearchQuery.Term) -> SearchQuery.Clause {
        switch self {
        case .term(let term): .term(change(term))
        case .filter: self
        case .all(let clauses): .all(clauses.map { $0.mapTerms(change) })
        case .any(let clauses): .any(clauses.map { $0.mapTerms(change) })
        }
    }

    /// The groups of terms of which an article must contain at least one each; nil if the clause has other parts, or if there
    /// would be more than `limit` groups.
    fileprivate func groups(upTo limit: Int) -> [[SearchQuery.Term]]? {
        switch self {
        case .term(let term): return term.isExcluded ? nil : [[term]]
        case .filter: return nil
        case .all(let clauses):
            let groups = clauses.map { $0.groups(upTo: limit) }
            guard !groups.contains(nil) else { return nil }
            let all = groups.flatMap { $0 ?? [] }
            return all.count <= limit ? all : nil
        case .any(let clauses):
            // `(a b) OR c` is `a OR c`, and `b OR c`.
            var all: [[SearchQuery.Term]] = [[]]
            for clause in clauses {
                guard let groups = clause.groups(upTo: limit), all.count * groups.count <= limit else { return nil }
                all = all.flatMap { first in groups.map { first + $0.filter { term in !first.contains(term) } } }
            }
            return all
        }
    }

    fileprivate func words(isNested: Bool) -> String {
        switch self {
        case .term(let term): return term.stated
        case .filter(let filter): return filter.words
        case .all(let clauses), .any(let clauses):
            let word = if case .all = self { " and " } else { " or " }
            let words = clauses.map { $0.words(isNested: true) }.joined(separator: word)
            return isNested ? "(\(words))" : words
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
        case .mark(.later): "saved for later"
        case .mark(.noted): "with a note"
        case .mark(.hidden): "hidden"
        case .mark(.tag(let tag)): "with your tag “\(tag)”"
        }
    }
}
