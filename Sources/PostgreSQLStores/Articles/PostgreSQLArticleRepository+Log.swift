package import ArticleStore
internal import PostgreSQL

extension PostgreSQLArticleRepository: ArticleLog {
    /// Returns the arrival times of articles. See `ArticleLog`.
    package func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival] {
        let rows = try await server.query(
            Statement(
                """
                SELECT a.id, (SELECT r.arrived_at + a.id - r.first_id FROM arrival AS r WHERE r.first_id <= a.id
                    ORDER BY r.first_id DESC LIMIT 1)
                FROM article AS a WHERE a.id = ANY ($1)
                """, [.integers(articles)])
        ) { (try $0.value(0) as Int64, try $0.value(1) as Int64?) }
        return Dictionary(
            rows.compactMap { id, time in time.map { (id, Arrival(microseconds: $0)) } }
        ) { first, _ in first }
    }

    /// Returns the lowest ID of the articles that arrived at a time or later. See `ArticleLog`. The articles of one write arrive a
    /// microsecond apart, so a difference of microseconds is the same difference of IDs.
    package func firstArticle(since time: Arrival) async throws -> Int64 {
        try await server.first(
            Statement(
                """
                SELECT least(a.first_id + ($1 - a.arrived_at), coalesce(
                    (SELECT min(n.first_id) FROM arrival AS n WHERE n.first_id > a.first_id), 9223372036854775807))
                FROM arrival AS a WHERE a.arrived_at <= $1 ORDER BY a.first_id DESC LIMIT 1
                """, [.integer(min(max(time.microseconds, 0), .max / 2))])
        ) { try $0.value(0) } ?? 0
    }

    /// Returns the changes of articles since a position. See `ArticleLog`. The articles have at most 4 MiB together,
    /// unless a single article is larger.
    package func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges {
        let limit = ArticlePage.size(limit)
        return try await server.read { transaction in
            let state = try await transaction.run([
                "SELECT uid, (SELECT coalesce(max(sequence), 0) FROM article_change) FROM library"
            ])[0].first
            guard let state else { throw StoreError(.damaged, "The database has no library") }
            let (copy, last): (String, Int64) = (try state.value(0), try state.value(1))
            guard position.map({ $0.copy == copy && $0.change <= last }) ?? true else {
                throw ArticleLogError.anotherLibrary
            }
            // A client without a position reads everything in its present state and does not need earlier changes.
            let from = position ?? LogPosition(copy: copy, article: 0, change: last)
            let rows = try await transaction.run([
                Statement(
                    "SELECT sequence, article_id FROM article_change WHERE sequence > $1 ORDER BY sequence LIMIT $2",
                    [.integer(from.change), Value(limit + 1)]),
                Statement(
                    "SELECT id FROM article WHERE id > $1 ORDER BY id LIMIT $2",
                    [.integer(from.article), Value(limit + 1)]),
            ])
            let changed = try rows[0].map { (sequence: try $0.value(0) as Int64, id: try $0.value(1) as Int64) }
            let new: [Int64] = try rows[1].map { try $0.value(0) }
            var changes = ArticleChanges(position: from)
            var (article, change, size) = (from.article, from.change, 0)
            var isFull: Bool { changes.articles.count + changes.gone.count >= limit || size >= Self.batchSize }
            // Articles are read in parts, so that a batch of large ones does not come at once.
            var unread = (changed.map(\.id).filter { $0 <= from.article } + new)[...]
            var read: [Int64: Article?] = [:]
            func take(_ id: Int64) async throws {
                if read[id] == nil {
                    let part = Array(unread.prefix(Self.partSize))
                    unread = unread.dropFirst(Self.partSize)
                    for id in part { read[id] = .some(nil) }
                    for row in try await transaction.run([Statement(ArticleRow.selectByIDs, [.integers(part)])])[0] {
                        let article = try ArticleRow.article(row)
                        read[article.id] = article
                    }
                }
                guard let found = read.removeValue(forKey: id) ?? nil else { return changes.gone.append(id) }
                changes.articles.append(found)
                size += found.body.utf8.count
            }
            for next in changed {
                if isFull {
                    changes.goesOn = true
                    break
                }
                // Later articles are read below, in their present state.
                if next.id <= article { try await take(next.id) }
                change = next.sequence
            }
            if !changes.goesOn, changed.count > limit { changes.goesOn = true }
            if !changes.goesOn {
                for id in new {
                    if isFull {
                        changes.goesOn = true
                        break
                    }
                    try await take(id)
                    article = id
                }
            }
            changes.position = LogPosition(copy: copy, article: article, change: change)
            return changes
        }
    }

    private static let partSize = 50
}
