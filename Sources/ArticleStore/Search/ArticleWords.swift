import Text

/// The words of an article, and their positions. It finds the articles that the search index of an engine finds, without an
/// index.
package struct ArticleWords: Sendable {
    /// A search, with the forms of its words in the index. They are the same for each article, and stemming takes long.
    package struct Search: Sendable {
        fileprivate struct Forms {
            let words: [String]
            let isBeginning: Bool
            let stems: [String]

            init(_ term: SearchQuery.Term) {
                words = term.words
                isBeginning = term.isBeginning
                stems = term.stems
            }
        }

        fileprivate let query: SearchQuery
        private let forms: [SearchQuery.Term: Forms]

        /// Finds the forms of the words of a search.
        package init(_ query: SearchQuery) {
            self.query = query
            forms = Dictionary(query.terms.map { ($0, Forms($0)) }, uniquingKeysWith: { first, _ in first })
        }

        fileprivate func forms(of term: SearchQuery.Term) -> Forms { forms[term] ?? Forms(term) }
    }

    /// The words of each column, with their positions.
    private let columns: [[String: Set<Int>]]

    /// Reads the words of an article.
    package init(_ article: Article) {
        let text = IndexedText(article)
        columns = IndexedText.Column.allCases.map { column in
            var places: [String: Set<Int>] = [:]
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    places[String(decoding: word.text, as: UTF8.self), default: []].insert(word.position)
                    return true
                }
            }
            return places
        }
    }

    /// Whether the article meets a search.
    ///
    /// - Parameters:
    ///   - search: the search.
    ///   - article: the article with these words.
    ///   - isMarked: whether the article has a mark of the user who searches.
    package func meet(
        _ search: Search, of article: Article, isMarked: (SearchQuery.Mark) -> Bool = { _ in false }
    ) -> Bool {
        !search.query.isEmpty && score(search) != nil
            && search.query.filters.allSatisfy { meet(.filter($0), of: search, article, isMarked) }
            && search.query.choices.allSatisfy { meet($0, of: search, article, isMarked) }
    }

    private func meet(
        _ clause: SearchQuery.Clause, of search: Search, _ article: Article, _ isMarked: (SearchQuery.Mark) -> Bool
    ) -> Bool {
        switch clause {
        case .all(let clauses): return clauses.allSatisfy { meet($0, of: search, article, isMarked) }
        case .any(let clauses): return clauses.contains { meet($0, of: search, article, isMarked) }
        case .term(let term): return has(term, of: search) != term.isExcluded
        case .filter(let filter):
            let holds =
                switch filter.condition {
                case .source(let name):
                    ([article.source] + article.appearances.map(\.source)).contains {
                        FoldedKey.fold($0.name) == FoldedKey.fold(name)
                    }
                case .language(let tag): article.language == LanguageTag.canonical(tag)
                case .before(let date): article.published < date
                case .after(let date): article.published >= date
                case .mark(let mark): isMarked(mark)
                }
            return holds != filter.isExcluded
        }
    }

    /// Returns the score of the article in a search for words, greater than 0, or nil if it does not match.
    package func score(_ search: Search) -> Double? {
        var score = 0.0
        guard search.query.unwanted.allSatisfy({ !has($0, of: search) }) else { return nil }
        for group in search.query.wanted {
            let best = group.compactMap { column(with: $0, of: search) }
            guard !best.isEmpty else { return nil }
            // The first columns count most.
            for column in best { score += 1 / Double(1 + column) }
        }
        return score
    }

    private func has(_ term: SearchQuery.Term, of search: Search) -> Bool { column(with: term, of: search) != nil }

    /// Returns the first column that contains a term.
    private func column(with term: SearchQuery.Term, of search: Search) -> Int? {
        let forms = search.forms(of: term)
        return columns.indices.first { column in
            (term.field.map(Self.column) ?? column) == column && has(forms, in: columns[column])
        }
    }

    private func has(_ forms: Search.Forms, in places: [String: Set<Int>]) -> Bool {
        if places.isEmpty { return false }
        var ends: Set<Int>?
        for (index, word) in forms.words.enumerated() {
            // The end mark of a label is not part of the word.
            let word = word.utf8.last == 3 ? String(word.dropLast()) : word
            let found: Set<Int>
            if forms.isBeginning, index == forms.words.count - 1 {
                found = Self.places(of: places, beginningWith: word)
            } else {
                found = places[word] ?? []
            }
            ends = ends.map { found.intersection($0.map { $0 + 1 }) } ?? found
            if ends?.isEmpty == true { break }
        }
        return ends?.isEmpty == false || forms.stems.contains { places[$0] != nil }
    }

    private static func column(of field: SearchQuery.Term.Field) -> Int {
        switch field {
        case .title: 0
        case .author: 1
        case .tag: 2
        }
    }

    private static func places(of words: [String: Set<Int>], beginningWith start: String) -> Set<Int> {
        var found: Set<Int> = []
        // Compare the bytes. Only a few words have the first byte.
        let first = start.utf8.first
        for (word, places) in words where word.utf8.first == first && word.utf8.starts(with: start.utf8) {
            found.formUnion(places)
        }
        return found
    }
}
