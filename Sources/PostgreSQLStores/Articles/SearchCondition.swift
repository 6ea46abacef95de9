internal import ArticleStore
internal import PostgreSQL

/// A search for words, in the language of `tsquery`.
struct SearchCondition {
    /// A query for the words of one field, for which there is an index, or of all fields.
    struct Match {
        /// The weight of the field; empty for all fields.
        let weight: String
        /// The query.
        let words: String
    }

    /// The queries for words that a field must have. Their indexes find the articles, except those whose vectors do not have
    /// all words. The parts decide about these.
    let fields: [Match]
    /// The query for the vectors of whole articles; nil if ``fields`` are enough. It also finds each article whose parts must
    /// be searched.
    let words: String?
    /// The lowest gap of a vector with which the parts decide.
    let gap: SearchVector.Gap
    /// The queries for the parts. Each must find a part of the article.
    let wanted: [String]
    /// The query that must not find a part of the article; nil if no word is excluded.
    let unwanted: String?

    /// Creates a condition; nil if the search does not have words.
    init?(_ search: SearchQuery) {
        guard !search.wanted.isEmpty || !search.unwanted.isEmpty else { return nil }
        self.init(search.wanted, not: search.unwanted)
    }

    /// Creates the condition of a single term.
    init(_ term: SearchQuery.Term) { self.init(term.isExcluded ? [] : [[term]], not: term.isExcluded ? [term] : []) }

    private init(_ groups: [[SearchQuery.Term]], not excluded: [SearchQuery.Term]) {
        wanted = groups.map { Self.any($0, Self.text) }
        unwanted = excluded.isEmpty ? nil : Self.any(excluded, Self.text)
        fields = groups.compactMap { group in
            Self.field(of: group).map { Match(weight: Self.weight(of: $0), words: Self.any(group, Self.looseText)) }
        }
        // An index of a field does not know positions, so it is enough only for single words.
        let others = groups.filter { Self.field(of: $0) == nil || $0.contains { $0.words.count > 1 } }
        guard !others.isEmpty || !excluded.isEmpty else {
            (words, gap) = (nil, .words)
            return
        }
        // A field is a weight of a position.
        let terms = others.joined() + excluded
        gap = terms.contains { $0.words.count > 1 || $0.field != nil } ? .positions : .words
        let exact = (others.map { Self.any($0, Self.text) } + excluded.map { "!(\(Self.text($0)))" })
            .map { "(\($0))" }.joined(separator: " & ")
        let (anyGap, missingWords) = (
            Self.lexeme(SearchVector.Gap.mark), Self.lexeme(SearchVector.Gap.markOfMissingWords)
        )
        let whole: String
        if gap == .positions {
            let loose = others.map { "(" + Self.any($0, Self.looseText) + ")" }
            whole = "\(exact) & !\(anyGap) | " + ([anyGap] + loose).joined(separator: " & ")
        } else {
            whole = "\(exact) & !\(missingWords)"
        }
        // An article without all words can have any word. The planner takes an unknown word for more frequent than it is, so
        // name it twice.
        words = "\(whole) | \(missingWords) & \(missingWords)"
    }

    /// The field of all terms of a group; nil if they do not have the same field.
    private static func field(of group: [SearchQuery.Term]) -> SearchQuery.Term.Field? {
        group.allSatisfy { $0.field == group[0].field } ? group.first?.field : nil
    }

    /// Returns the query for the wanted words, by which articles are ranked.
    static func rank(_ search: SearchQuery) -> String { any(search.wanted.flatMap { $0 }, text) }

    private static func any(_ terms: [SearchQuery.Term], _ text: (SearchQuery.Term) -> String) -> String {
        terms.map(text).joined(separator: " | ")
    }

    /// Returns the queries for the forms of the wanted words, in the order of `SearchScore`.
    static func forms(_ search: SearchQuery) -> [Match] {
        search.wanted.joined().flatMap { term in
            // The index of a field does not know positions.
            let isOfIndex = term.words.count == 1
            let weight = weight(of: term.field)
            return forms(term, weight: isOfIndex ? "" : weight, separator: " <-> ")
                .map { Match(weight: isOfIndex ? weight : "", words: $0) }
        }
    }

    private static func text(_ term: SearchQuery.Term) -> String {
        text(term, weight: weight(of: term.field), separator: " <-> ")
    }

    private static func weight(of field: SearchQuery.Term.Field?) -> String {
        switch field {
        case nil: ""
        case .title: "A"
        case .author: "B"
        case .tag: "C"
        }
    }

    /// Returns a query that also finds the words at other positions.
    private static func looseText(_ term: SearchQuery.Term) -> String { text(term, weight: "", separator: " & ") }

    private static func text(_ term: SearchQuery.Term, weight: String, separator: String) -> String {
        forms(term, weight: weight, separator: separator).joined(separator: " | ")
    }

    private static func forms(_ term: SearchQuery.Term, weight: String, separator: String) -> [String] {
        term.forms.map { words, isBeginning in
            let phrase = words.enumerated().map { index, word in
                lexeme(word, (isBeginning && index == words.count - 1 ? "*" : "") + weight)
            }
            return "(" + phrase.joined(separator: separator) + ")"
        }
    }

    private static func lexeme(_ word: String, _ marks: String = "") -> String {
        var word = word
        // A character with a combining mark can begin with a quotation mark, so quote the bytes.
        let quoted = word.withUTF8 { SearchVector.key($0) }.flatMap { byte in
            byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") ? [byte, byte] : [byte]
        }
        return "'\(String(decoding: quoted, as: UTF8.self))'" + (marks.isEmpty ? "" : ":" + marks)
    }
}
