import ArticleStore
import Database
import Text

/// Performs the search of a list in a snapshot. It returns the articles of the list and a report of the search.
struct ArticleSearch {
    /// The limits of a search. When it reaches one, it uses the results that it has.
    struct Bounds: Sendable {
        /// The maximum number of matching articles from which the best are chosen. Later arrivals are considered first.
        var candidates = 2000
        /// The same for searches that consist only of the beginnings of words. It is lower because a user who types
        /// starts a search with each letter.
        var starting = 1000
        /// The maximum number of matching articles that are sorted into the order of a list. With more, the list is
        /// read in its order.
        var sorted = 4000
        /// In a library with more articles, short beginnings of words are looked for only in names.
        var small = 2000
        /// The time after which a list by relevance uses the articles found so far, if they fill a page.
        var soft = Duration.milliseconds(30)
        /// The time after which a search ends with the articles found so far.
        var hard = Duration.milliseconds(100)
        /// The time after which a search ends that has not found anything. It is longer, so that on a busy machine the
        /// library does not look empty.
        var empty = Duration.seconds(1)

        /// Limits that never end a search.
        static let none = Bounds(
            candidates: .max, starting: .max, sorted: .max, small: .max, soft: .seconds(3600), hard: .seconds(3600),
            empty: .seconds(3600)
        )
    }

    let snapshot: Snapshot
    let query: ArticleQuery
    let bounds: Bounds
    private let marksWords: Bool
    private let start = ContinuousClock.now

    /// Creates a search.
    /// - Parameter marksWords: whether the matches are marked in titles and excerpts.
    /// - Throws: `DatabaseError`.
    init(_ query: ArticleQuery, in snapshot: Snapshot, bounds: Bounds, marksWords: Bool = true) throws {
        self.marksWords = marksWords
        self.snapshot = snapshot
        self.query = try query.stemmed(in: snapshot)
        self.bounds = bounds
    }

    /// A part of the list.
    struct Found {
        var summaries: [ArticleSummary] = []
        var isCut = false
    }

    /// Returns the articles after a position. If more exist than the limit, the result has one extra article.
    func list(after position: Cursor.Position?, limit: Int) throws -> Found {
        guard query.order != .relevance else {
            let (all, isCut) = try ranked(atLeast: limit + 1)
            let rest = position.map { position in all.drop { !$0.isAfter(position, in: all) } } ?? all[...]
            return Found(summaries: try marked(summaries(rest.prefix(limit + 1))), isCut: isCut)
        }
        let few = try query.scarcest(in: snapshot)
        return try listed(limit: limit + 1) { words, count in
            ArticleListStatement(query, after: position, limit: count, words: words, from: few)
        }
    }

    /// Returns the articles before a position, in the order of the list.
    func list(before position: Cursor.Position?, limit: Int) throws -> [ArticleSummary] {
        guard query.order != .relevance else {
            let all = try ranked(atLeast: limit).hits
            let start = position.map { position in all.prefix { !$0.isAfter(position, in: all) } } ?? all[...]
            return try marked(summaries(start.suffix(limit)))
        }
        let few = try query.scarcest(in: snapshot)
        return try listed(limit: limit) { words, count in
            ArticleListStatement(query, before: position, limit: count, words: words, from: few)
        }.summaries.reversed()
    }

    /// Returns the report of the search.
    /// - Parameter isNothing: whether the search found nothing.
    func report(isNothing: Bool, isCut: Bool) throws -> SearchReport {
        SearchReport(
            waiting: try SearchIndex.unsearchedCount(in: snapshot), isCut: isCut,
            suggestion: isNothing && !isCut ? try suggestion() : nil)
    }

    /// Returns the articles with the matches marked.
    private func marked(_ summaries: [ArticleSummary]) throws -> [ArticleSummary] {
        guard marksWords, let search = query.search, search.marksWords else { return summaries }
        let marker = SearchMarker(search)
        var marked = summaries
        try snapshot.forEach(
            """
            SELECT j.key, b.format, b.body FROM json_each(?) AS j CROSS JOIN article_body AS b ON b.article_id = j.value
            """, [Value(list: summaries.map(\.id))]
        ) { row in
            let index: Int = try row.value(0)
            marked[index].found = marker.hit(
                summaries[index], body: try row.value(2), format: try row.value(1) { Article.Format(rawValue: $0) },
                score: summaries[index].found?.score)
        }
        return marked
    }

    // MARK: Suggestions

    /// Returns the search with each word that does not occur replaced by its use as the beginning of a word, or else by
    /// a similar word. Nil if nothing can be replaced.
    private func suggestion() throws -> String? {
        guard let search = query.search else { return nil }
        var text = search.text
        var isOther = false
        for term in search.terms where !term.isExcluded && term.field != .tag {
            guard let word = term.words.first, term.words.count == 1, word.utf8.count > 2,
                try !occurs(word, isBeginning: term.isPrefix), try !term.stems.contains(where: { try occurs($0) }),
                let place = text.firstRange(of: term.text)
            else { continue }
            if try !term.isPrefix && occurs(word, isBeginning: true) {
                // The asterisk belongs after the closing quotation mark of a word, which may be missing at the end of
                // the search.
                let isClosed = text.unicodeScalars[place.upperBound...].first.map(SearchReader.quotes.contains) ?? false
                let end = isClosed ? text.unicodeScalars.index(after: place.upperBound) : place.upperBound
                text.insert(contentsOf: term.isExact && !isClosed ? "\"*" : "*", at: end)
            } else if let meant = try likest(word, amongTexts: term.field == nil) {
                // The word is now complete, so remove the asterisk.
                let end =
                    text[place.upperBound...].hasPrefix("*") ? text.index(after: place.upperBound) : place.upperBound
                text.replaceSubrange(place.lowerBound..<end, with: meant)
            } else {
                continue
            }
            isOther = true
        }
        return isOther ? text : nil
    }

    private func occurs(_ word: String, isBeginning: Bool = false) throws -> Bool {
        try snapshot.first(
            "SELECT 1 FROM article_text WHERE article_text MATCH ? LIMIT 1",
            [Value("\"" + word.replacing("\"", with: "\"\"") + "\"" + (isBeginning ? "*" : ""))]
        ) { _ in true } ?? false
    }

    /// Returns the most similar word, with at most two mistakes: one of titles, authors, and tags, or else one of
    /// texts.
    private func likest(_ word: String, amongTexts: Bool) throws -> String? {
        if let name = try likest(
            word, in: "SELECT term, doc FROM article_word WHERE term >= ? AND term < ?", sharing: 1)
        {
            return name
        }
        guard amongTexts else { return nil }
        try snapshot.makeTemporary(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.article_text_word USING fts5vocab(main, article_text, row)")
        let texts = "SELECT term, doc FROM temp.article_text_word WHERE term >= ? AND term < ?"
        // The texts of a large library have more words than can be compared in time, so compare the most probable
        // first.
        return try likest(word, in: texts, sharing: 2) ?? likest(word, in: texts, sharing: 1)
    }

    /// - Parameter sharing: the number of first letters that are without mistake.
    private func likest(_ word: String, in sql: String, sharing: Int) throws -> String? {
        let start = word.unicodeScalars.prefix(sharing)
        guard let last = start.last, let next = Unicode.Scalar(last.value + 1) else { return nil }
        let end = String(start.dropLast()) + String(next)
        let mistakes = word.utf8.count < 6 ? 1 : 2
        var distance = EditDistance(from: word)
        var best: (word: String, distance: Int, count: Int)?
        do {
            try snapshot.withDeadline(ContinuousClock.now + bounds.soft) {
                try snapshot.forEach(sql, [Value(String(start)), Value(end)]) { row in
                    guard let found = try distance.distance(to: row.utf8(0), atMost: best?.distance ?? mistakes) else {
                        return
                    }
                    let count: Int = try row.value(1)
                    if best.map({ (found, -count) < ($0.distance, -$0.count) }) ?? true {
                        best = (try row.value(0), found, count)
                    }
                }
            }
        } catch DatabaseError.interrupted {
            // Use the best word that was found in time.
        }
        return best?.word
    }

    // MARK: By relevance

    private func summaries(_ hits: ArraySlice<Hit>) throws -> [ArticleSummary] {
        let scores = Dictionary(uniqueKeysWithValues: hits.map { ($0.id, $0.score) })
        return try snapshot.query(ArticleRow.selectSummaries, [Value(list: hits.map(\.id))]) { row in
            var summary = try ArticleRow.summary(row)
            summary.found = scores[summary.id].map { SearchHit(score: $0) }
            return summary
        }
    }

    /// Returns the expression for the search index. In a large library, short beginnings of words are looked up only in
    /// names.
    private func expression() throws -> SearchExpression? {
        let last: Int64 = try snapshot.first("SELECT ifnull(max(id), 0) FROM article") { try $0.value(0) } ?? 0
        return SearchExpression(query, looksUpShortPrefixesInNames: last > bounds.small)
    }

    /// Returns the best of the matching articles that arrived last, the best first.
    private func ranked(atLeast count: Int) throws -> (hits: [Hit], isCut: Bool) {
        guard let expression = try expression() else { return ([], false) }
        var scores: [Int64: Double] = [:]
        var isCut = expression.shortPrefix != nil
        let starts =
            expression.match == nil
            ? nil : try expression.shortPrefix.map { try numbers(matching: $0, in: .names).found }
        let isForTexts = expression.match != nil
        for table in [ArticleListStatement.WordTable.names, .all] {
            guard table == .all ? isForTexts : expression.isAboutNames || !isForTexts else { continue }
            let limit = isForTexts ? bounds.candidates : bounds.starting
            let statement = ArticleListStatement(ranking: query, expression, in: table, limit: limit)
            var candidates = 0
            var found: [Int64: Double] = [:]
            let isWhole = try read(statement) { row in
                candidates += 1
                let id: Int64 = try row.value(0)
                if let starts, !starts.contains(id) { return false }
                found[id] = try row.value(1)
                // Reading the clock takes longer than reading a row, so do not read it for each row.
                if candidates % 16 == 0, max(scores.count, found.count) >= count,
                    ContinuousClock.now - start > bounds.soft
                {
                    throw Enough()
                }
                return true
            }
            if !isWhole || candidates == limit { isCut = true }
            // Words are rarer in names than in texts. Without the scores of all texts, older articles with matching names would
            // come before newer ones.
            scores.merge(found) { first, second in isCut ? max(first, second) : second }
        }
        let hits = scores.map { Hit(id: $0.key, score: $0.value) }
        return (hits.sorted { ($1.score, $1.id) < ($0.score, $0.id) }, isCut)
    }

    // MARK: In another order

    /// Returns the articles of a list by date or title.
    /// - Parameter statement: returns the statement for at most `count` articles, or for all if `count` is -1.
    private func listed(
        limit: Int, _ statement: (ArticleListStatement.Words, _ count: Int) -> ArticleListStatement
    ) throws -> Found {
        var found = Found()
        guard let expression = try expression(), expression.match != nil || expression.shortPrefix != nil else {
            // Without words, this is a normal list.
            found.isCut = try !read(statement(.members, limit)) { row in
                found.summaries.append(try ArticleRow.summary(row))
                return true
            }
            return found
        }
        let starts = try expression.shortPrefix.map { try numbers(matching: $0, in: .names).found }
        var (meant, partial): (ArticleNumbers?, ArticleNumbers?) = (nil, nil)
        if let match = expression.match {
            let (numbers, isWhole) = try numbers(matching: match, in: .all)
            (meant, partial) = isWhole ? (numbers, nil) : (nil, starts.map(numbers.intersection) ?? numbers)
        }
        if expression.match == nil { meant = starts }
        if let both = meant, let starts, expression.match != nil { meant = both.intersection(starts) }
        if let meant, meant.count <= bounds.sorted {
            found.isCut = try !read(statement(.among(meant.json), limit)) { row in
                found.summaries.append(try ArticleRow.summary(row))
                return true
            }
        } else {
            var numbers: [Int64] = []
            let isWhole = try read(statement(meant == nil ? .members : .known, -1)) { row in
                let number: Int64 = try row.value(0)
                guard (meant ?? starts)?.contains(number) ?? true else { return false }
                numbers.append(number)
                if numbers.count == limit { throw Enough() }
                return true
            }
            found.isCut = !isWhole && numbers.count < limit
            let known = (meant ?? partial)?.highest(max(bounds.sorted, limit))
            if found.isCut, let known, known.count > numbers.count {
                // The statement did not finish in time. More matches are known among the latest arrivals than at the
                // start of the list, so show those.
                let statement = statement(.among(known.json), limit)
                try snapshot.forEach(statement.sql, statement.values) {
                    found.summaries.append(try ArticleRow.summary($0))
                }
            } else {
                found.summaries = try snapshot.query(
                    ArticleRow.selectSummaries, [Value(list: numbers)], ArticleRow.summary)
            }
        }
        if expression.shortPrefix != nil { found.isCut = true }
        found.summaries = try marked(found.summaries)
        return found
    }

    /// Returns the matching articles in a table of the index, the latest arrivals first, as many as can be read in
    /// time.
    private func numbers(
        matching match: String, in table: ArticleListStatement.WordTable
    ) throws -> (found: ArticleNumbers, isWhole: Bool) {
        var numbers = ArticleNumbers()
        let deadline = start + bounds.soft
        do {
            try snapshot.withDeadline(deadline) {
                try snapshot.forEach(
                    "SELECT rowid FROM \(table.rawValue) WHERE \(table.rawValue) MATCH ? ORDER BY rowid DESC",
                    [Value(match)]
                ) { numbers.insert(try $0.value(0)) }
            }
            return (numbers, true)
        } catch DatabaseError.interrupted where ContinuousClock.now >= deadline {
            return (numbers, false)
        }
    }

    private struct Enough: Error {}

    /// Reads rows until the time is over.
    /// - Parameter body: handles a row, and returns whether the row is a result.
    /// - Returns: false if not all rows were read.
    private func read(_ statement: ArticleListStatement, _ body: (Row) throws -> Bool) throws -> Bool {
        var isEmpty = true
        for time in [bounds.hard, bounds.empty] where isEmpty {
            let deadline = start + time
            do {
                try snapshot.withDeadline(deadline) {
                    try snapshot.forEach(statement.sql, statement.values) { if try body($0) { isEmpty = false } }
                }
                return true
            } catch is Enough {
                return false
            } catch DatabaseError.interrupted where ContinuousClock.now >= deadline {
                continue
            }
        }
        return false
    }
}

/// A matching article.
private struct Hit {
    let id: Int64
    let score: Double

    /// Whether it comes after a position in a list.
    func isAfter(_ position: Cursor.Position, in list: [Hit]) -> Bool {
        guard case .score(let score, let id) = position else { return true }
        guard let score = score ?? list.first(where: { $0.id == id })?.score else { return true }
        return (self.score, self.id) < (score, id)
    }
}
