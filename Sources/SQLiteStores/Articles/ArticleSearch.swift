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
        /// The number of matching articles that are read first for a list by date or title. More are read if they do not
        /// fill a page.
        var first = 500
        /// The number of matching articles that are read in the time of a single lookup in the index.
        var lookup = 1000
        /// The maximum number of matching articles that are sorted into the order of a list.
        var sorted = 4000
        /// In a library with more articles, short beginnings of words are looked for only in names.
        var small = 2000
        /// The maximum time of an attempt to fill a page with the first articles of a list.
        var early = Duration.milliseconds(10)
        /// The time after which a list by relevance uses the articles found so far, if they fill a page.
        var soft = Duration.milliseconds(30)
        /// The time after which a search ends with the articles found so far.
        var hard = Duration.milliseconds(100)
        /// The time after which a search ends that has not found anything. It is longer, so that on a busy machine the
        /// library does not look empty.
        var empty = Duration.seconds(1)

        /// Limits that never end a search.
        static let none = Bounds(
            candidates: .max, starting: .max, first: 500, sorted: .max, small: .max, early: .seconds(3600),
            soft: .seconds(3600), hard: .seconds(3600), empty: .seconds(3600)
        )
    }

    let snapshot: Snapshot
    let query: ArticleQuery
    let bounds: Bounds
    private let marksWords: Bool
    private let startTime = ContinuousClock.now
    /// The highest number of an article; 0 if there is none.
    private let lastNumber: Int64

    /// Creates a search.
    /// - Parameter marksWords: whether the matches are marked in titles and excerpts.
    /// - Throws: `DatabaseError`.
    init(_ query: ArticleQuery, in snapshot: Snapshot, bounds: Bounds, marksWords: Bool = true) throws {
        self.marksWords = marksWords
        self.snapshot = snapshot
        self.query = try query.stemmed(in: snapshot)
        lastNumber = try snapshot.first("SELECT ifnull(max(id), 0) FROM article") { try $0.value(0) } ?? 0
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
        let deadline = ContinuousClock.now + bounds.soft
        for term in search.terms where !term.isExcluded && term.field != .tag {
            guard let word = term.words.first, term.words.count == 1, word.utf8.count > 2,
                try !occurs(word, isBeginning: term.isBeginning), try !term.stems.contains(where: { try occurs($0) }),
                let place = text.firstRange(of: term.text)
            else { continue }
            if try !term.isPrefix && occurs(word, isBeginning: true) {
                // The asterisk belongs after the closing quotation mark of a word, which may be missing at the end of
                // the search.
                let isClosed = text.unicodeScalars[place.upperBound...].first.map(SearchReader.quotes.contains) ?? false
                let end = isClosed ? text.unicodeScalars.index(after: place.upperBound) : place.upperBound
                text.insert(contentsOf: term.isExact && !isClosed ? "\"*" : "*", at: end)
            } else if let meant = try likest(word, amongTexts: term.field == nil, deadline) {
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

    /// Returns the most similar word of titles, authors, and tags, or also of texts, with at most two mistakes.
    private func likest(
        _ word: String, amongTexts: Bool, _ deadline: ContinuousClock.Instant
    ) throws -> String? {
        try snapshot.makeTemporary(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.article_text_word USING fts5vocab(main, article_text, row)")
        // A large library has more words than can be compared in time, so compare the most probable first.
        for sharing in [3, 2, 1] {
            for table in amongTexts ? ["article_word", "temp.article_text_word"] : ["article_word"] {
                if let word = try likest(word, in: table, sharing: sharing, deadline) { return word }
            }
        }
        return nil
    }

    /// - Parameter sharing: the number of first letters that are without mistake.
    private func likest(
        _ word: String, in table: String, sharing: Int, _ deadline: ContinuousClock.Instant
    ) throws -> String? {
        let start = word.unicodeScalars.prefix(sharing)
        guard let last = start.last, let next = Unicode.Scalar(last.value + 1) else { return nil }
        let end = String(start.dropLast()) + String(next)
        let mistakes = word.utf8.count < 6 ? 1 : 2
        var distance = EditDistance(from: word)
        var best: (word: String, distance: Int, count: Int)?
        // If the time is over, use the best word that was found.
        _ = try run(until: deadline) {
            try snapshot.forEach(
                "SELECT term, doc FROM \(table) WHERE term >= ? AND term < ?", [Value(String(start)), Value(end)]
            ) { row in
                guard let found = try distance.distance(to: row.utf8(0), atMost: best?.distance ?? mistakes) else {
                    return
                }
                let count: Int = try row.value(1)
                if best.map({ (found, -count) < ($0.distance, -$0.count) }) ?? true {
                    best = (try row.value(0), found, count)
                }
            }
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

    /// The expression for the search index. In a large library, short beginnings of words are looked up only in
    /// names.
    private var expression: SearchExpression? {
        SearchExpression(query, looksUpShortPrefixesInNames: lastNumber > bounds.small)
    }

    /// Returns the best of the matching articles that arrived last, the best first.
    private func ranked(atLeast count: Int) throws -> (hits: [Hit], isCut: Bool) {
        guard let expression else { return ([], false) }
        var scores: [Int64: Double] = [:]
        var isCut = expression.shortPrefix != nil
        let starts =
            expression.match == nil ? nil : try expression.shortPrefix.map { try numbers(matching: $0, in: .names) }
        let isForTexts = expression.match != nil
        for table in [ArticleListStatement.WordTable.names, .all] {
            guard table == .all ? isForTexts : expression.isAboutNames || !isForTexts else { continue }
            let limit = isForTexts ? bounds.candidates : bounds.starting
            let statement = ArticleListStatement(ranking: query, expression, in: table, limit: limit)
            var candidates = 0
            var found: [Int64: Double] = [:]
            let isWhole = try readRows(statement) { row in
                candidates += 1
                let id: Int64 = try row.value(0)
                if let starts, !starts.contains(id) { return false }
                found[id] = try row.value(1)
                // Reading the clock takes longer than reading a row, so do not read it for each row.
                if candidates % 16 == 0, max(scores.count, found.count) >= count,
                    ContinuousClock.now - startTime > bounds.soft
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
        guard let expression, expression.match != nil || expression.shortPrefix != nil else {
            // Without words, this is a normal list.
            found.isCut = try !readRows(statement(.unchecked, limit)) { row in
                found.summaries.append(try ArticleRow.summary(row))
                return true
            }
            return found
        }
        var matches = Matches(
            expression: expression, starts: try expression.shortPrefix.map { try numbers(matching: $0, in: .names) },
            lowest: lastNumber + 1)
        var hasTime = true
        var page = try readMatches(into: &matches) { matches in
            guard hasTime else { return nil }
            let (page, end) = try earlyPage(of: matches, limit) { statement(.unchecked, $0) }
            hasTime = end != .late
            return page
        }
        if page == nil { (page, found.isCut) = try latePage(of: matches, limit, statement) }
        found.summaries = try snapshot.query(
            ArticleRow.selectSummaries, [Value(list: page ?? [])], ArticleRow.summary)
        if expression.shortPrefix != nil { found.isCut = true }
        found.summaries = try marked(found.summaries)
        return found
    }

    /// The matching articles, as far as they were read from the search index. The latest arrivals are read first.
    private struct Matches {
        let expression: SearchExpression
        /// The articles with the short prefix of the search; nil if it has none.
        let starts: ArticleNumbers?
        var numbers = ArticleNumbers()
        /// The number down to which all matching articles are known.
        var lowest: Int64

        var isWhole: Bool { lowest == 0 }
    }

    /// Reads the matching articles from the search index, as many as can be read in time.
    /// - Parameter page: returns the page if the articles read so far suffice for it.
    /// - Returns: the page; nil if they do not suffice.
    private func readMatches(
        into matches: inout Matches, _ page: (Matches) throws -> [Int64]?
    ) throws -> [Int64]? {
        if let match = matches.expression.match {
            var found: [Int64]?
            var next = bounds.first
            let end = try run(until: startTime + bounds.soft) {
                try snapshot.forEach(
                    "SELECT rowid FROM article_text WHERE article_text MATCH ? ORDER BY rowid DESC", [Value(match)]
                ) { row in
                    matches.lowest = try row.value(0)
                    matches.numbers.insert(matches.lowest)
                    guard matches.numbers.count == next else { return }
                    next *= 8
                    found = try page(matches)
                    if found != nil { throw Enough() }
                }
            }
            switch end {
            case .enough: return found
            case .all: matches.lowest = 0
            case .late: break
            }
            if let starts = matches.starts { matches.numbers = matches.numbers.intersection(starts) }
        } else if let starts = matches.starts {
            matches.numbers = starts
            matches.lowest = 0
        }
        return try page(matches)
    }

    /// Returns whether an article matches. An article that arrived before the known matches is looked up in the search
    /// index.
    private func isMatch(_ number: Int64, _ matches: Matches) throws -> Bool {
        if let starts = matches.starts, !starts.contains(number) { return false }
        if number >= matches.lowest { return matches.numbers.contains(number) }
        return try snapshot.first(
            "SELECT 1 FROM article_text WHERE article_text MATCH ? AND rowid = ?",
            [Value(matches.expression.match), Value(number)]
        ) { _ in true } ?? false
    }

    /// Returns a page of a list if its articles are among the first of the list. Returns nil if the page is not full, or if
    /// reading the other matches is faster.
    ///
    /// Reading an article of a list takes about a tenth of the time of sorting a match into it.
    ///
    /// - Parameter list: returns the statement for a number of articles of the list.
    private func earlyPage(
        of matches: Matches, _ limit: Int, _ list: (_ count: Int) -> ArticleListStatement
    ) throws -> (page: [Int64]?, end: End) {
        let count = matches.numbers.count
        // The index keeps deleted articles for a while, also those after the last article.
        let span = Int(lastNumber - matches.lowest) + 1
        guard count > 0, span > 0, lastNumber > 0, limit * span / count <= 4 * count else { return (nil, .all) }
        // The estimates assume that the order of the list does not depend on that of arrival. A lookup of the beginning of
        // a word takes as long as reading all matches.
        let affordable = matches.expression.hasPrefix ? 0 : count * Int(matches.lowest) / span / bounds.lookup
        let expected = limit * span / count * Int(matches.lowest) / Int(lastNumber)
        var lookups = expected <= affordable ? affordable : 0
        let rows = 8 * count
        let statement = list(rows)
        var (page, position) = ([Int64](), 0)
        let end = try run(until: min(ContinuousClock.now + bounds.early, startTime + bounds.hard)) {
            try snapshot.forEach(statement.sql, statement.values) { row in
                position += 1
                let number: Int64 = try row.value(0)
                if number < matches.lowest {
                    lookups -= 1
                    guard lookups >= 0 else { throw Enough() }
                }
                guard try isMatch(number, matches) else { return }
                page.append(number)
                if page.count == limit { throw Enough() }
            }
        }
        let isWholeList = end == .all && position < rows
        return (isWholeList || page.count == limit ? page : nil, end)
    }

    /// Returns a page of a list after all matching articles were read, or as many as could be read in time.
    private func latePage(
        of matches: Matches, _ limit: Int,
        _ statement: (ArticleListStatement.Words, _ count: Int) -> ArticleListStatement
    ) throws -> (page: [Int64], isCut: Bool) {
        let isShort = matches.isWhole && matches.numbers.count <= bounds.sorted
        var page: [Int64] = []
        let list = isShort ? statement(.among(matches.numbers.json), limit) : statement(.unchecked, -1)
        let isWhole = try readRows(list) { row in
            let number: Int64 = try row.value(0)
            guard try isShort || isMatch(number, matches) else { return false }
            page.append(number)
            if page.count == limit { throw Enough() }
            return true
        }
        guard !isWhole, page.count < limit else { return (page, false) }
        let known = matches.numbers.highest(max(bounds.sorted, limit))
        if known.count > page.count {
            // The statement did not finish in time. More matches are known among the latest arrivals than at the start
            // of the list, so show those.
            let statement = statement(.among(known.json), limit)
            page = try snapshot.query(statement.sql, statement.values) { try $0.value(0) }
        }
        return (page, true)
    }

    /// Returns the matching articles in a table of the index, the latest arrivals first, as many as can be read in
    /// time.
    private func numbers(
        matching match: String, in table: ArticleListStatement.WordTable
    ) throws -> ArticleNumbers {
        var numbers = ArticleNumbers()
        _ = try run(until: startTime + bounds.soft) {
            try snapshot.forEach(
                "SELECT rowid FROM \(table.rawValue) WHERE \(table.rawValue) MATCH ? ORDER BY rowid DESC",
                [Value(match)]
            ) { numbers.insert(try $0.value(0)) }
        }
        return numbers
    }

    // MARK: Limits of time

    /// Ends the reading of rows.
    private struct Enough: Error {}

    /// How the reading of rows ended.
    private enum End { case all, enough, late }

    /// Runs `body` until it ends or throws `Enough`, or until a deadline.
    private func run(until deadline: ContinuousClock.Instant, _ body: () throws -> Void) throws -> End {
        do {
            try snapshot.withDeadline(deadline, body)
            return .all
        } catch is Enough {
            return .enough
        } catch DatabaseError.interrupted where ContinuousClock.now >= deadline {
            return .late
        }
    }

    /// Reads rows until the time is over.
    /// - Parameter body: handles a row, and returns whether the row is a result.
    /// - Returns: false if not all rows were read.
    private func readRows(_ statement: ArticleListStatement, _ body: (Row) throws -> Bool) throws -> Bool {
        var isEmpty = true
        for time in [bounds.hard, bounds.empty] where isEmpty {
            let end = try run(until: startTime + time) {
                try snapshot.forEach(statement.sql, statement.values) { if try body($0) { isEmpty = false } }
            }
            if end != .late { return end == .all }
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
