import ArticleStore

/// The words of an article, and their positions.
struct MemoryWords: Sendable {
    /// The words of each column, with their positions.
    private let columns: [[String: Set<Int>]]

    init(_ article: Article) {
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

    /// Returns the score of the article in a search for words, greater than 0, or nil if it does not match.
    func score(_ query: SearchQuery) -> Double? {
        var score = 0.0
        for term in query.terms where term.isExcluded {
            guard !columns.indices.contains(where: { has(term, in: $0) }) else { return nil }
        }
        for group in query.wanted {
            let best = group.compactMap { term in columns.indices.first { has(term, in: $0) } }
            guard !best.isEmpty else { return nil }
            // The first columns count most.
            for column in best { score += 1 / Double(1 + column) }
        }
        return score
    }

    private func has(_ term: SearchQuery.Term, in column: Int) -> Bool {
        let fields: [SearchQuery.Term.Field] = [.title, .author, .tag]
        if let field = term.field, fields.firstIndex(of: field) != column { return false }
        // The end mark of a label is not part of the word.
        let words = term.words.map { $0.hasSuffix("\u{3}") ? String($0.dropLast()) : $0 }
        let isBeginning = term.isPrefix || term.isHalf
        var ends: Set<Int>?
        for (index, word) in words.enumerated() {
            let places =
                isBeginning && index == words.count - 1
                ? columns[column].filter { $0.key.utf8.starts(with: word.utf8) }.values.reduce(into: []) {
                    $0.formUnion($1)
                }
                : columns[column][word] ?? []
            ends = ends.map { places.intersection($0.map { $0 + 1 }) } ?? places
        }
        return ends?.isEmpty == false || term.stems.contains { columns[column][$0] != nil }
    }
}
