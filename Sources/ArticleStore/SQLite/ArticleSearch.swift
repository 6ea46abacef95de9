import Database
import Text

/// A list that is searched, in one snapshot: what it holds, and what there is to say of the search.
struct ArticleSearch {
    /// How much a search does before it is content with what it has.
    struct Bounds: Sendable {
        /// How many articles with the words are looked at for the best, those that came last first.
        var candidates = 2000
        /// Up to how many articles with the words are put into the order of a list; of more, the list is read in its order.
        var sorted = 4000
        /// After how long a list by relevance is made of what was found, if that fills a page.
        var soft = Duration.milliseconds(30)
        /// After how long a search ends, whatever it has.
        var hard = Duration.milliseconds(100)

        /// Everything there is, however long it takes.
        static let none = Bounds(candidates: .max, sorted: .max - 1, soft: .seconds(3600), hard: .seconds(3600))
    }

    let snapshot: Snapshot
    let query: ArticleQuery
    let bounds: Bounds
    let marks: ArticleListStatement.Marks
    private let marksWords: Bool
    private let start = ContinuousClock.now

    /// - Parameter marksWords: whether what was found is marked in titles and excerpts.
    init(
        _ query: ArticleQuery, in snapshot: Snapshot, bounds: Bounds, marksWords: Bool = true,
        marks: @escaping ArticleListStatement.Marks
    ) {
        self.marksWords = marksWords
        self.snapshot = snapshot
        self.query = query
        self.bounds = bounds
        self.marks = marks
    }

    /// A piece of the list.
    struct Found {
        var summaries: [ArticleSummary] = []
        var isCut = false
    }

    /// The articles after a place, one more than the limit if there are as many.
    func list(after position: Cursor.Position?, limit: Int) throws -> Found {
        guard query.order != .relevance else {
            let (all, isCut) = try ranked(atLeast: limit + 1)
            let rest = position.map { position in all.drop { !$0.isAfter(position, in: all) } } ?? all[...]
            return Found(summaries: try marked(summaries(rest.prefix(limit + 1))), isCut: isCut)
        }
        return try listed { words in
            ArticleListStatement(query, after: position, limit: limit + 1, words: words, marks: marks)
        }
    }

    /// The articles before a place, in the order of the list.
    func list(before position: Cursor.Position?, limit: Int) throws -> [ArticleSummary] {
        guard query.order != .relevance else {
            let all = try ranked(atLeast: limit).hits
            let start = position.map { position in all.prefix { !$0.isAfter(position, in: all) } } ?? all[...]
            return try marked(summaries(start.suffix(limit)))
        }
        return try listed { words in
            ArticleListStatement(query, before: position, limit: limit, words: words, marks: marks)
        }.summaries.reversed()
    }

    /// - Parameter isNothing: whether it found nothing.
    func report(isNothing: Bool, isCut: Bool) throws -> SearchReport {
        SearchReport(
            waiting: try SearchIndex.backlog(in: snapshot), isCut: isCut,
            suggestion: isNothing && !isCut ? try suggestion() : nil)
    }

    /// With the words that were found.
    private func marked(_ summaries: [ArticleSummary]) throws -> [ArticleSummary] {
        guard marksWords, let search = query.search, search.hasWords else { return summaries }
        let marker = SearchMarker(search)
        return try summaries.map { summary in
            var summary = summary
            let hit = try snapshot.first(
                "SELECT format, body FROM article_body WHERE article_id = ?", [Value(summary.id)]
            ) { row in
                marker.hit(
                    summary, body: try row.value(1), format: try row.value(0) { Article.Format(rawValue: $0) },
                    score: summary.found?.score)
            }
            summary.found = hit ?? summary.found
            return summary
        }
    }

    // MARK: What was meant

    /// The search with words that occur in the place of those that do not; nil where none is like them.
    private func suggestion() throws -> String? {
        guard let search = query.search else { return nil }
        var text = search.text
        var isOther = false
        for term in search.terms where !term.isExcluded && !term.isPrefix && term.field != .tag {
            guard let word = term.words.first, term.words.count == 1, word.utf8.count > 2, try !occurs(word),
                let meant = try likest(word), let place = text.firstRange(of: term.text)
            else { continue }
            text.replaceSubrange(place, with: meant)
            isOther = true
        }
        return isOther ? text : nil
    }

    private func occurs(_ word: String) throws -> Bool {
        try snapshot.first(
            "SELECT 1 FROM article_text WHERE article_text MATCH ? LIMIT 1",
            [Value("\"" + word.replacing("\"", with: "\"\"") + "\"")]
        ) { _ in true } ?? false
    }

    /// The word of titles, authors and tags that is most like another: with the same first letter and at most two mistakes.
    private func likest(_ word: String) throws -> String? {
        guard let first = word.unicodeScalars.first, let next = Unicode.Scalar(first.value + 1) else { return nil }
        let mistakes = word.utf8.count < 6 ? 1 : 2
        var best: (word: String, distance: Int, count: Int)?
        do {
            try snapshot.withDeadline(ContinuousClock.now + bounds.soft) {
                try snapshot.forEach(
                    "SELECT term, doc FROM article_word WHERE term >= ? AND term < ?",
                    [Value(String(first)), Value(String(next))]
                ) { row in
                    let length = try row.utf8(0).count
                    guard abs(length - word.utf8.count) <= 2 * mistakes else { return }
                    let (other, count): (String, Int) = try (row.value(0), row.value(1))
                    let distance = editDistance(word, other)
                    guard distance <= mistakes else { return }
                    if best.map({ (distance, -count) < ($0.distance, -$0.count) }) ?? true {
                        best = (other, distance, count)
                    }
                }
            }
        } catch DatabaseError.interrupted {
            // The best of those that were looked at.
        }
        return best?.word
    }

    // MARK: By relevance

    private func summaries(_ hits: ArraySlice<Hit>) throws -> [ArticleSummary] {
        try hits.compactMap { hit in
            var summary = try snapshot.first(ArticleRow.selectSummaryByID, [Value(hit.id)], ArticleRow.summary)
            summary?.found = SearchHit(score: hit.score)
            return summary
        }
    }

    /// The best of what came last, the best first.
    private func ranked(atLeast count: Int) throws -> (hits: [Hit], isCut: Bool) {
        var scores: [Int64: Double] = [:]
        var isCut = false
        let isAboutNames = SearchExpression(query)?.isAboutNames == true
        for table in [ArticleListStatement.WordTable.names, .all] where table == .all || isAboutNames {
            let statement = ArticleListStatement(
                ranking: query, in: table, limit: bounds.candidates, marks: marks)
            var candidates = 0
            let isWhole = try read(statement) { row in
                let (id, score): (Int64, Double) = try (row.value(0), row.value(1))
                scores[id] = max(score, scores[id] ?? 0)
                candidates += 1
                // A clock that is asked each time takes longer than a row.
                if candidates % 16 == 0, scores.count >= count, ContinuousClock.now - start > bounds.soft {
                    throw Enough()
                }
            }
            if !isWhole || candidates == bounds.candidates { isCut = true }
        }
        let hits = scores.map { Hit(id: $0.key, score: $0.value) }
        return (hits.sorted { ($1.score, $1.id) < ($0.score, $0.id) }, isCut)
    }

    // MARK: In another order

    private func listed(_ statement: (ArticleListStatement.Words) -> ArticleListStatement) throws -> Found {
        var found = Found()
        found.isCut = try !read(statement(try areFew() ? .hits : .members)) { row in
            found.summaries.append(try ArticleRow.summary(row))
        }
        found.summaries = try marked(found.summaries)
        return found
    }

    /// Whether there are so few articles with the words that they can be put into order.
    private func areFew() throws -> Bool {
        guard let match = SearchExpression(query)?.match else { return false }
        let count: Int? = try? snapshot.withDeadline(start + bounds.soft) {
            try snapshot.first(
                "SELECT count(*) FROM (SELECT 1 FROM article_text WHERE article_text MATCH ? LIMIT ?)",
                [Value(match), Value(bounds.sorted + 1)]
            ) { try $0.value(0) }
        }
        return count.map { $0 <= bounds.sorted } ?? false
    }

    private struct Enough: Error {}

    /// - Returns: false where there was more than could be read in time.
    private func read(_ statement: ArticleListStatement, _ body: (Row) throws -> Void) throws -> Bool {
        let deadline = start + bounds.hard
        do {
            try snapshot.withDeadline(deadline) { try snapshot.forEach(statement.sql, statement.values, body) }
            return true
        } catch is Enough {
            return false
        } catch DatabaseError.interrupted where ContinuousClock.now >= deadline {
            return false
        }
    }
}

/// An article that was found.
private struct Hit {
    let id: Int64
    let score: Double

    /// Whether it comes after a place in a list.
    func isAfter(_ position: Cursor.Position, in list: [Hit]) -> Bool {
        guard case .score(let score, let id) = position else { return true }
        guard let score = score ?? list.first(where: { $0.id == id })?.score else { return true }
        return (self.score, self.id) < (score, id)
    }
}
