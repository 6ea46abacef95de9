import ArticleStore

/// The words of an article, and where they stand.
struct MemoryWords: Sendable {
    /// For each column the words at each of its places.
    private let columns: [[[String]]]

    init(_ article: Article) {
        let text = IndexedText(article)
        columns = IndexedText.Column.allCases.map { column in
            var places: [[String]] = []
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    let text = String(decoding: word.text, as: UTF8.self)
                    if word.isBeside { places[places.count - 1].append(text) } else { places.append([text]) }
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
        let places = columns[column]
        return places.indices.contains { start in
            words.indices.allSatisfy { index in
                let isBeginning = index == words.count - 1 && (term.isPrefix || term.isHalf)
                return start + index < places.count
                    && places[start + index].contains { word in
                        isBeginning
                            ? word.utf8.starts(with: words[index].utf8)
                            : word.utf8.elementsEqual(words[index].utf8)
                    }
            }
        }
    }
}
