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
        guard query.unwanted.allSatisfy({ !has($0) }) else { return nil }
        for group in query.wanted {
            let best = group.compactMap { term in columns.indices.first { has(term, in: $0) } }
            guard !best.isEmpty else { return nil }
            // The first columns count most.
            for column in best { score += 1 / Double(1 + column) }
        }
        return score
    }

    /// Whether the article contains a term.
    func has(_ term: SearchQuery.Term) -> Bool { columns.indices.contains { has(term, in: $0) } }

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
