package import ArticleStore
package import Database

extension SQLiteArticleRepository: ArticleLog {
    /// Returns the arrival times of articles. See `ArticleLog.arrivals(of:)`.
    /// - Throws: `StoreError`.
    package func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival] {
        var arrivals: [Int64: Arrival] = [:]
        try database.forEach(
            """
            SELECT j.value, (SELECT arrived_at + j.value - first_id FROM arrival WHERE first_id <= j.value
                ORDER BY first_id DESC LIMIT 1)
            FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value
            """, [Value(list: articles)]
        ) { row in
            let time: Int64? = try row.value(1)
            if let time { arrivals[try row.value(0)] = Arrival(microseconds: time) }
        }
        return arrivals
    }

    /// Returns the lowest number of articles that arrived at a time or later. See `ArticleLog.firstArticle(since:)`.
    /// - Throws: `StoreError`.
    package func firstArticle(since time: Arrival) async throws -> Int64 {
        try database.first(
            """
            SELECT min(first_id + (?1 - arrived_at),
                ifnull((SELECT min(n.first_id) FROM arrival AS n WHERE n.first_id > a.first_id), 9223372036854775807))
            FROM arrival AS a WHERE arrived_at <= ?1 ORDER BY first_id DESC LIMIT 1
            """, [Value(min(max(time.microseconds, 0), .max / 2))]
        ) { try $0.value(0) } ?? 0
    }

    /// Returns the changes of articles since a position. See `ArticleLog.changes(after:limit:)`. The articles have at
    /// most 4 MiB together, unless a single article is larger.
    /// - Throws: `ArticleLogError` if the position belongs to another library; `StoreError`.
    package func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges {
        let limit = ArticlePage.size(limit)
        return try database.read { snapshot in
            let copy: String = try snapshot.first("SELECT uid FROM library_copy", []) { try $0.value(0) } ?? ""
            let last: Int64 =
                try snapshot.first("SELECT ifnull(max(sequence), 0) FROM article_change", []) { try $0.value(0) } ?? 0
            guard position.map({ $0.copy == copy && $0.change <= last }) ?? true else {
                throw ArticleLogError.anotherLibrary
            }
            // A client without a position reads everything in its present state and does not need earlier changes.
            let from = position ?? LogPosition(copy: copy, article: 0, change: last)
            var (article, change) = (from.article, from.change)
            var (articles, gone, size) = ([Article](), [Int64](), 0)
            var goesOn = false
            func read(_ id: Int64) throws {
                guard let found = try snapshot.first(ArticleRow.selectByID, [Value(id)], ArticleRow.article) else {
                    return gone.append(id)
                }
                articles.append(found)
                size += found.body.utf8.count
            }
            var isFull: Bool { articles.count + gone.count >= limit || size >= Self.batchSize }
            let changed = try snapshot.query(
                """
                SELECT sequence, article_id FROM article_change WHERE sequence > ? ORDER BY sequence LIMIT ?
                """, [Value(change), Value(limit + 1)]
            ) { (sequence: try $0.value(0) as Int64, id: try $0.value(1) as Int64) }
            for next in changed {
                if isFull {
                    goesOn = true
                    break
                }
                // Later articles are read below, in their present state.
                if next.id <= article { try read(next.id) }
                change = next.sequence
            }
            if !goesOn, changed.count > limit { goesOn = true }
            if !goesOn {
                let new = try snapshot.query(
                    "SELECT id FROM article WHERE id > ? ORDER BY id LIMIT ?", [Value(article), Value(limit + 1)]
                ) { try $0.value(0) as Int64 }
                for id in new {
                    if isFull {
                        goesOn = true
                        break
                    }
                    try read(id)
                    article = id
                }
            }
            var changes = ArticleChanges(position: LogPosition(copy: copy, article: article, change: change))
            (changes.articles, changes.gone, changes.goesOn) = (articles, gone, goesOn)
            return changes
        }
    }
}

extension Transaction {
    /// Marks the library as another than the one that clients have followed, for example after it was restored from a
    /// backup.
    /// - Throws: `StoreError`.
    package func renewLibraryCopy() throws {
        let isThere: Bool? = try first("SELECT 1 FROM sqlite_schema WHERE name = 'library_copy'", []) { _ in true }
        if isThere == true { try run("UPDATE library_copy SET uid = lower(hex(randomblob(8)))") }
    }

    /// Ensures that this library does not reuse numbers that another library has given to articles and sources. If one
    /// of the two libraries is damaged or has an older schema, it does as much as possible.
    /// - Throws: `StoreError` if this library cannot be written.
    package func reserveNumbers(of other: Snapshot) throws {
        func highest(_ statement: String) -> Int64 {
            let number: Int64 = (try? other.first(statement, []) { try $0.value(0) }) ?? 0
            // An extremely high number comes from damage, and would not leave any numbers for new articles.
            return number < 1 << 53 ? number : 0
        }
        func has(_ table: String) throws -> Bool {
            try first("SELECT 1 FROM sqlite_schema WHERE name = ?", [Value(table)]) { _ in true } ?? false
        }
        if try has("sqlite_sequence") {
            let article = Value(highest("SELECT seq FROM sqlite_sequence WHERE name = 'article'"))
            try run(
                """
                INSERT INTO sqlite_sequence
                SELECT 'article', 0 WHERE 'article' NOT IN (SELECT name FROM sqlite_sequence)
                """)
            try run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'article'", [article])
        }
        if try has("source_number") {
            let gone = highest("SELECT last FROM source_number")
            let source = Value(max(gone, highest("SELECT max(id) FROM source")))
            try run(
                "INSERT INTO source_number VALUES (1, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
                [source])
        }
    }

    /// Runs `body`, which adds articles, and records when they arrived. The time is taken as late as possible, because
    /// the articles become visible only after the transaction.
    func recordingArrivals<T>(at time: () -> Arrival, _ body: () throws -> T) throws -> T {
        func last() throws -> Int64 {
            try first("SELECT ifnull(max(id), 0) FROM article", []) { try $0.value(0) } ?? 0
        }
        let before = try last()
        let result = try body()
        if try last() > before {
            try run(
                """
                INSERT OR REPLACE INTO arrival (first_id, arrived_at)
                SELECT min(id), max(?, ifnull((SELECT arrived_at + min(a.id) - first_id FROM arrival
                    ORDER BY first_id DESC LIMIT 1), 0))
                FROM article AS a WHERE id > ?
                """, [Value(time().microseconds), Value(before)])
        }
        return result
    }
}
