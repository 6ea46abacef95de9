import Database
import Text

/// A list that is searched, in one snapshot: what it holds, and what there is to say of the search.
struct ArticleSearch {
    /// How much a search does before it is content with what it has.
    struct Bounds: Sendable {
        /// How many articles with the words are looked at for the best, those that came last first.
        var candidates = 2000
        /// Of how many that are found by beginnings of words alone: one types on, and each letter is a search.
        var starting = 1000
        /// Up to how many articles with the words are put into the order of a list; of more, the list is read in its order.
        var sorted = 4000
        /// Up to how many articles a library has in which short beginnings of words are looked for in whole texts.
        var small = 2000
        /// After how long a list by relevance is made of what was found, if that fills a page.
        var soft = Duration.milliseconds(30)
        /// After how long a search ends with what it has.
        var hard = Duration.milliseconds(100)
        /// After how long a search ends that has found nothing: a machine that is busy is not to look like an empty library.
        var empty = Duration.seconds(1)

        /// Everything there is, however long it takes.
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

    /// - Parameter marksWords: whether what was found is marked in titles and excerpts.
    init(_ query: ArticleQuery, in snapshot: Snapshot, bounds: Bounds, marksWords: Bool = true) {
        self.marksWords = marksWords
        self.snapshot = snapshot
        self.query = query
        self.bounds = bounds
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
        let few = try query.scarcest(in: snapshot)
        return try listed(limit: limit + 1) { words, count in
            ArticleListStatement(query, after: position, limit: count, words: words, from: few)
        }
    }

    /// The articles before a place, in the order of the list.
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

    /// - Parameter isNothing: whether it found nothing.
    func report(isNothing: Bool, isCut: Bool) throws -> SearchReport {
        SearchReport(
            waiting: try SearchIndex.unsearchedCount(in: snapshot), isCut: isCut,
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

    // MARK: Suggestions

    /// The search with words that occur in place of those that do not: those that begin so, or else a similar word. Nil if there
    /// are none.
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
                // The asterisk belongs after the closing mark of a quoted word, which may be missing at the end of the search.
                let isClosed = text.unicodeScalars[place.upperBound...].first.map(SearchReader.quotes.contains) ?? false
                let end = isClosed ? text.unicodeScalars.index(after: place.upperBound) : place.upperBound
                text.insert(contentsOf: term.isExact && !isClosed ? "\"*" : "*", at: end)
            } else if let meant = try likest(word) {
                // The word is whole now: it is not a beginning any more.
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

    /// The expression for the index, and the tables that can answer it.
    private func expression() throws -> SearchExpression? {
        let last: Int64 = try snapshot.first("SELECT ifnull(max(id), 0) FROM article") { try $0.value(0) } ?? 0
        return SearchExpression(query, looksUpStarts: last > bounds.small)
    }

    /// The best of what came last, the best first.
    private func ranked(atLeast count: Int) throws -> (hits: [Hit], isCut: Bool) {
        guard let expression = try expression() else { return ([], false) }
        var scores: [Int64: Double] = [:]
        var isCut = expression.start != nil
        let starts =
            expression.match == nil
            ? nil : try expression.start.map { try numbers(matching: $0, in: .names).found }
        let isForTexts = expression.match != nil
        for table in [ArticleListStatement.WordTable.names, .all] {
            guard table == .all ? isForTexts : expression.isAboutNames || !isForTexts else { continue }
            let limit = isForTexts ? bounds.candidates : bounds.starting
            let statement = ArticleListStatement(ranking: query, expression, in: table, limit: limit)
            var candidates = 0
            let isWhole = try read(statement) { row in
                candidates += 1
                let id: Int64 = try row.value(0)
                if let starts, !starts.contains(id) { return false }
                scores[id] = max(try row.value(1), scores[id] ?? 0)
                // A clock that is asked each time takes longer than a row.
                if candidates % 16 == 0, scores.count >= count, ContinuousClock.now - start > bounds.soft {
                    throw Enough()
                }
                return true
            }
            if !isWhole || candidates == limit { isCut = true }
        }
        let hits = scores.map { Hit(id: $0.key, score: $0.value) }
        return (hits.sorted { ($1.score, $1.id) < ($0.score, $0.id) }, isCut)
    }

    // MARK: In another order

    /// - Parameter statement: one that gives so many articles at most, or all for -1.
    private func listed(
        limit: Int, _ statement: (ArticleListStatement.Words, _ count: Int) -> ArticleListStatement
    ) throws -> Found {
        var found = Found()
        guard let expression = try expression(), expression.match != nil || expression.start != nil else {
            // Without words it is a list like others.
            found.isCut = try !read(statement(.members, limit)) { row in
                found.summaries.append(try ArticleRow.summary(row))
                return true
            }
            return found
        }
        let starts = try expression.start.map { try numbers(matching: $0, in: .names).found }
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
                // The articles that came last have more of the words than the start of the list: show these.
                let statement = statement(.among(known.json), limit)
                try snapshot.forEach(statement.sql, statement.values) {
                    found.summaries.append(try ArticleRow.summary($0))
                }
            } else {
                found.summaries = try numbers.compactMap {
                    try snapshot.first(ArticleRow.selectSummaryByID, [Value($0)], ArticleRow.summary)
                }
            }
        }
        if expression.start != nil { found.isCut = true }
        found.summaries = try marked(found.summaries)
        return found
    }

    /// The articles that a table has words of, those that came last first, as many as can be read in time.
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

    /// - Parameter body: takes a row, and says whether it is one of those that are looked for.
    /// - Returns: false where there was more than could be read in time.
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
