import Text

/// The words of an article, and their positions. It finds the articles that the search index of an engine finds, without an
/// index.
package struct ArticleWords: Sendable {
    /// The words of each column, with their positions.
    private let columns: [[String: Set<Int>]]

    /// Reads the words of an article.
    package init(_ article: Article) {
        let text = IndexedText(article)
        columns = IndexedText.Column.allCases.map { column in
            var places: [String: Set<Int>] = [:]
            var place = -1
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    if !word.isBeside { place += 1 }
                    places[String(decoding: word.text, as: UTF8.self), default: []].insert(place)
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
        _ search: SearchQuery, of article: Article, isMarked: (SearchQuery.Mark) -> Bool = { _ in false }
    ) -> Bool {
        !search.isEmpty && score(search) != nil
            && search.filters.allSatisfy { meet(.filter($0), of: article, isMarked) }
            && search.choices.allSatisfy { meet($0, of: article, isMarked) }
    }

    private func meet(
        _ clause: SearchQuery.Clause, of article: Article, _ isMarked: (SearchQuery.Mark) -> Bool
    ) -> Bool {
        switch clause {
        case .all(let clauses): return clauses.allSatisfy { meet($0, of: article, isMarked) }
        case .any(let clauses): return clauses.contains { meet($0, of: article, isMarked) }
        case .term(let term): return has(term) != term.isExcluded
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
    package func score(_ query: SearchQuery) -> Double? {
        var score = 0.0
        guard query.unwanted.allSatisfy({ !has($0) }) else { return nil }
        for group in query.wanted {
            let best = group.compactMap { term in columns.indices.first { has(term, in: $0) } }
            guard !best.isEmpty else { return nil }
            // The first columns count most.
            for column in best { score += 1 / Double(1 + column) }
        }
        return score
    }

    private func has(_ term: SearchQuery.Term) -> Bool { columns.indices.contains { has(term, in: $0) } }

    private func has(_ term: SearchQuery.Term, in column: Int) -> Bool {
        let (words, places) = (term.words, columns[column])
        if let field = term.field, Self.column(of: field) != column { return false }
        if places.isEmpty { return false }
        let isBeginning = term.isPrefix || term.isHalf
        var ends: Set<Int>?
        for (index, word) in words.enumerated() {
            // The end mark of a label is not part of the word.
            let word = word.utf8.last == 3 ? String(word.dropLast()) : word
            let found: Set<Int>
            if isBeginning, index == words.count - 1 {
                found = Self.places(of: places, beginningWith: word)
            } else {
                found = places[word] ?? []
            }
            ends = ends.map { found.intersection($0.map { $0 + 1 }) } ?? found
            if ends?.isEmpty == true { break }
        }
        return ends?.isEmpty == false || term.stems.contains { places[$0] != nil }
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
