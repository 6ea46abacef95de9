import ArticleStore

/// The words of an article, and where they stand.
struct MemoryWords: Sendable {
    private struct Place: Sendable {
        let word: String
        let position: Int
    }

    private let columns: [[Place]]

    init(_ article: Article) {
        let text = IndexedText(article)
        columns = IndexedText.Column.allCases.map { column in
            var places: [Place] = []
            var position = -1
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    if !word.isBeside { position += 1 }
                    places.append(Place(word: String(decoding: word.text, as: UTF8.self), position: position))
                    return true
                }
            }
            return places
        }
    }

    /// How well the article answers a search for words, better than 0; nil where it does not.
    func score(_ query: SearchQuery) -> Double? {
        var score = 0.0
        for term in query.terms {
            let found = columns.indices.filter { has(term, in: $0) }
            guard term.isExcluded == found.isEmpty else { return nil }
            // The first columns count most.
            if let best = found.first { score += 1 / Double(1 + best) }
        }
        return score
    }

    private func has(_ term: SearchQuery.Term, in column: Int) -> Bool {
        let fields: [SearchQuery.Term.Field] = [.title, .author, .tag]
        if let field = term.field, fields.firstIndex(of: field) != column { return false }
        // The end of a label is not part of it.
        let words = term.words.map { $0.hasSuffix("\u{3}") ? String($0.dropLast()) : $0 }
        return columns[column].contains { start in
            words.indices.allSatisfy { index in
                let isBeginning = index == words.count - 1 && (term.isPrefix || term.isHalf)
                return columns[column].contains { place in
                    place.position == start.position + index
                        && (isBeginning
                            ? place.word.utf8.starts(with: words[index].utf8)
                            : place.word.utf8.elementsEqual(words[index].utf8))
                }
            }
        }
    }
}
