internal import CSearch
import Text

/// Computes the scores of articles in a search by relevance from their texts.
///
/// The scores are those of `search_score`, which computes them from an index of FTS5: each term counts with its best form,
/// multiplied by its rarity.
package struct SearchScore {
    private struct Form {
        let term: Int
        let words: [[UInt8]]
        let isBeginning: Bool
        let column: IndexedText.Column?

        /// Whether a token of a text is a word of the form.
        func matches(_ token: UnsafeBufferPointer<UInt8>, _ index: Int, in column: IndexedText.Column) -> Bool {
            guard self.column == nil || self.column == column else { return false }
            let word = words[index]
            return isBeginning && index == words.count - 1
                ? token.starts(with: word) : token.count == word.count && token.elementsEqual(word)
        }
    }

    /// The articles that have a form of a word.
    package struct Hits {
        /// The number of articles that were counted.
        package let count: Int
        /// The highest number of an article that was counted.
        package let last: Int64

        /// Creates a count.
        package init(count: Int, last: Int64) { (self.count, self.last) = (count, last) }
    }

    private let forms: [Form]
    /// The words of the forms by their first byte, the last ones of a form first.
    private let words: [[(form: Int, word: Int)]]
    private let beginnings: SearchWords.Beginnings
    private var rarities: [Double]

    /// Creates the score of a search. All words are equally rare.
    package init(_ search: SearchQuery) {
        forms = search.wanted.joined().enumerated().flatMap { index, term in
            term.forms.map { form in
                Form(
                    term: index, words: form.words.map { Array($0.utf8) }, isBeginning: form.isBeginning,
                    column: term.field?.column)
            }
        }
        rarities = forms.map { _ in 1 }
        var words = [[(form: Int, word: Int)]](repeating: [], count: 256)
        for (number, form) in forms.enumerated() {
            for (index, word) in form.words.enumerated().reversed() {
                if let first = word.first { words[Int(first)].append((number, index)) }
            }
        }
        self.words = words
        beginnings = SearchWords.Beginnings(forms.flatMap(\.words))
    }

    /// Whether the rarity of the words matters. With a single term, it is the same for all articles.
    package var needsRarities: Bool { (forms.last?.term ?? 0) > 0 }

    /// The maximum number of articles to count for each form. Beyond that, their number is estimated. Counting several words
    /// in a row takes longer.
    package var countLimits: [Int] { forms.map { $0.words.count > 1 ? 100 : 500 } }

    /// Sets the rarities of the words.
    ///
    /// - Parameters:
    ///   - hits: for each form, the articles that have it.
    ///   - articles: the number of articles in the library.
    package mutating func setRarities(_ hits: [Hits], of articles: Int) {
        let articles = Double(max(articles, 1))
        for (index, (hits, limit)) in zip(hits, countLimits).enumerated() {
            var count = Double(hits.count)
            // Articles have numbers in the order of arrival.
            if hits.count >= limit, hits.last > 0, Double(hits.last) < articles {
                count *= articles / Double(hits.last)
            }
            rarities[index] = csearch_rarity(articles, count)
        }
    }

    /// Returns the score of an article.
    package func score(of text: IndexedText) -> Double {
        var found = forms.map { Occurrences(words: $0.words.count) }
        var length = 0
        for column in IndexedText.Column.allCases {
            // A phrase must not begin in a column and end in the next, so leave a gap.
            let start = length + 2 * column.rawValue
            var text = text[column]
            length += text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, beginningWith: beginnings) { token in
                    guard let first = token.text.first else { return true }
                    for (index, word) in words[Int(first)] where forms[index].matches(token.text, word, in: column) {
                        found[index].add(word, at: start + token.position, csearch_bonus(Int32(column.rawValue)))
                    }
                    return true
                }
            }
        }
        var (sum, best, rarity) = (0.0, 0.0, Double.infinity)
        for (index, form) in forms.enumerated() {
            let hits = found[index]
            if hits.count > 0 { best = max(best, csearch_value(hits.bonus, Double(hits.count), Double(length))) }
            // A term is as rare as its most frequent form: a rare form must not make its term look rare.
            rarity = min(rarity, rarities[index])
            if index + 1 < forms.count, forms[index + 1].term == form.term { continue }
            sum += rarity * best
            (best, rarity) = (0, .infinity)
        }
        return sum
    }
}

/// The occurrences of a form in a text.
private struct Occurrences {
    private(set) var count = 0
    private(set) var bonus = 0.0
    /// For each word, the last two positions to which the words up to it extend.
    private var ends: [(last: Int, before: Int)]

    init(words: Int) { ends = Array(repeating: (-2, -2), count: words) }

    /// Adds a token that is the word with an index.
    mutating func add(_ index: Int, at position: Int, _ bonus: Double) {
        guard ends[index].last != position else { return }
        if index > 0 {
            let previous = ends[index - 1]
            guard (previous.last == position ? previous.before : previous.last) == position - 1 else { return }
        }
        ends[index] = (position, ends[index].last)
        guard index == ends.count - 1 else { return }
        count += 1
        self.bonus = max(self.bonus, bonus)
    }
}

extension SearchQuery.Term.Field {
    fileprivate var column: IndexedText.Column {
        switch self {
        case .title: .title
        case .author: .authors
        case .tag: .tags
        }
    }
}
