package import ArticleStore
internal import PostgreSQL
package import Text

/// The marks on a PostgreSQL server. See `MarkRepository`.
///
/// A write locks the user's row in `reader`, so that the numbers of changes become visible in their order.
package struct PostgreSQLMarkRepository: MarkRepository {
    let server: LibraryServer

    /// Creates a repository of the marks on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns the marks that a user gave articles. See `MarkRepository`.
    package func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks] {
        let rows = try await server.read([MarkRow.statement(of: articles, by: user)])
        return try translating { try MarkRow.marks(rows[0]) }
    }

    /// Returns the articles with marks of a user. See `MarkRepository`.
    package func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64] {
        let parts = ["read", "star", "later", "hidden", "place", "note", "own_tag"].map { table in
            """
            (SELECT DISTINCT article_id FROM article_\(table)
            WHERE user_id = $1 AND article_id > $2 AND changed_at IS NOT NULL ORDER BY article_id LIMIT $3)
            """
        }
        return try await server.query(
            Statement(
                parts.joined(separator: " UNION ") + " ORDER BY 1 LIMIT $3",
                [.integer(user), .integer(article), Value(max(0, limit))])
        ) { try $0.value(0) }
    }

    /// Changes the marks of articles. See `MarkRepository`.
    @discardableResult
    package func change(
        _ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date
    ) async throws -> Int {
        try await write(by: user) {
            try await MarkWriter(transaction: $0, user: user, time: time).make(changes, of: articles)
        } ?? 0
    }

    /// Changes the marks of an article depending on its present marks. See `MarkRepository`.
    @discardableResult
    package func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        try await write(by: user) { transaction in
            let rows = try await transaction.run([MarkRow.statement(of: [article], by: user)])
            guard let marks = try MarkRow.marks(rows[0])[article] else { return 0 }
            return try await MarkWriter(transaction: transaction, user: user, time: time)
                .make(changes(marks), of: .ids([article]))
        } ?? 0
    }

    /// Merges marks from elsewhere. See `MarkRepository`.
    @discardableResult
    package func merge(_ marks: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge {
        try await write(by: user) { transaction in
            let rows = try await transaction.run([MarkRow.statement(of: Array(marks.keys), by: user)])
            let own = try MarkRow.marks(rows[0])
            var plan = MarkMergePlan(marks, into: own, now: now)
            func make(_ step: MarkMergePlan.Step) async throws {
                _ = try await MarkWriter(transaction: transaction, user: user, time: step.time)
                    .make(step.change, of: .ids(step.articles))
            }
            for step in plan.firstSteps { try await make(step) }
            let tags = plan.givesTags ? try await ownTags(of: user, in: transaction) : []
            for step in plan.tagSteps(addingTo: tags) { try await make(step) }
            for step in plan.confirmations {
                MarkWriter(transaction: transaction, user: user, time: step.time)
                    .confirm(step.change, of: .ids(step.articles))
            }
            return plan.result
        } ?? MarkMerge()
    }

    /// Returns the tags that a user has given articles.
    private func ownTags(of user: Int64, in transaction: Transaction) async throws -> Set<TagName> {
        let rows = try await transaction.run([
            Statement(
                """
                SELECT name FROM own_tag AS o WHERE user_id = $1 AND EXISTS (
                    SELECT FROM article_own_tag AS t WHERE t.user_id = $1 AND t.key = o.key AND t.is_set)
                """, [.integer(user)])
        ])
        return Set(try rows[0].map { TagName(stored: try $0.anyText(0)) })
    }

    /// Runs `body` in a transaction; does nothing and returns nil if the user does not exist.
    func write<T>(by user: Int64, _ body: (Transaction) async throws -> T) async throws -> T? {
        try await server.write { transaction in
            let rows = try await transaction.run([
                Statement(
                    "INSERT INTO reader (user_id) SELECT id FROM account WHERE id = $1 ON CONFLICT DO NOTHING",
                    [.integer(user)]),
                Statement("SELECT FROM reader WHERE user_id = $1 FOR UPDATE", [.integer(user)]),
            ])
            return rows[1].isEmpty ? nil : try await body(transaction)
        }
    }

    /// Returns the number of articles with each mark of a user. See `MarkRepository`.
    package func counts(of user: Int64) async throws -> MarkCounts {
        let id = Value.integer(user)
        let rows = try await server.read([
            Statement(MarkRow.unread, [id]),
            Statement(
                """
                SELECT (SELECT count(*) FROM article_star WHERE user_id = $1 AND is_set),
                    (SELECT count(*) FROM article_later WHERE user_id = $1 AND is_set),
                    (SELECT count(*) FROM article_note WHERE user_id = $1 AND note IS NOT NULL),
                    (SELECT count(*) FROM article_hidden WHERE user_id = $1 AND is_set)
                """, [id]),
            Statement(
                """
                SELECT o.name, count(*) FROM own_tag AS o
                JOIN article_own_tag AS t ON t.user_id = o.user_id AND t.key = o.key AND t.is_set
                WHERE o.user_id = $1 GROUP BY o.key, o.name ORDER BY o.key
                """, [id]),
        ])
        return try translating {
            var counts = MarkCounts()
            counts.unread = try rows[0].first?.value(0) ?? 0
            if let row = rows[1].first {
                (counts.starred, counts.later) = (try row.value(0), try row.value(1))
                (counts.noted, counts.hidden) = (try row.value(2), try row.value(3))
            }
            counts.tags = try rows[2].map { .init(TagName(stored: try $0.anyText(0)), articles: try $0.value(1)) }
            return counts
        }
    }

    /// Selects the lists that a user reads from, without the numbers of unread articles of the sources, because these
    /// would have to be counted.
    static func outline(of user: Int64, sources limit: Int) -> [Statement] {
        [
            Statement(MarkRow.unread, [.integer(user)]),
            Statement(
                """
                SELECT count(*) FROM article_star AS s
                LEFT JOIN article_read AS m ON m.user_id = s.user_id AND m.article_id = s.article_id
                LEFT JOIN reader AS r ON r.user_id = s.user_id
                WHERE s.user_id = $1 AND s.is_set AND NOT coalesce(m.is_set, s.article_id <= coalesce(r.read_up_to, 0))
                """, [.integer(user)]),
            selectSearches(of: user),
            Statement("SELECT name FROM source ORDER BY name_key LIMIT $1", [.integer(Int64(limit))]),
        ]
    }

    /// Returns the lists from the rows of ``outline(of:sources:)``.
    static func outline(_ rows: [Rows]) throws -> ReadingOutline {
        ReadingOutline(
            unread: try rows[0].first?.value(0) ?? 0, unreadStarred: try rows[1].first?.value(0) ?? 0,
            searches: try rows[2].compactMap(search),
            sources: try rows[3].map { ReadingOutline.Source(try $0.anyText(0), unread: nil) })
    }

    /// Returns the number of unread articles with each of a user's own tags. See `MarkRepository`.
    package func tagProgress(of user: Int64) async throws -> [TagProgress] {
        try await server.query(
            Statement(
                """
                SELECT o.name, count(*) FILTER (
                        WHERE NOT coalesce(m.is_set, t.article_id <= coalesce(r.read_up_to, 0))), max(t.article_id)
                FROM own_tag AS o
                JOIN article_own_tag AS t ON t.user_id = o.user_id AND t.key = o.key AND t.is_set
                LEFT JOIN article_read AS m ON m.user_id = o.user_id AND m.article_id = t.article_id
                LEFT JOIN reader AS r ON r.user_id = o.user_id
                WHERE o.user_id = $1 GROUP BY o.key, o.name ORDER BY o.key
                """, [.integer(user)])
        ) { row in
            TagProgress(TagName(stored: try row.anyText(0)), unread: try row.value(1), newest: try row.value(2))
        }
    }

    /// Returns the number of articles that a user has read, for each source, author, and tag. See `MarkRepository`.
    package func readCounts(of user: Int64) async throws -> ReadCounts {
        let rows = try await server.read([
            Statement(
                """
                SELECT a.source_id, count(*) FROM (\(MarkRow.readArticles)) AS m JOIN article AS a ON a.id = m.article_id
                GROUP BY a.source_id
                UNION ALL
                SELECT p.source_id, count(*) FROM article_appearance AS p
                LEFT JOIN article_read AS m ON m.user_id = $1 AND m.article_id = p.article_id
                LEFT JOIN reader AS r ON r.user_id = $1
                WHERE coalesce(m.is_set, p.article_id <= coalesce(r.read_up_to, 0)) GROUP BY p.source_id
                """, [.integer(user)]),
            Statement(
                """
                SELECT l.kind, l.key, count(*) FROM (\(MarkRow.readArticles)) AS m
                JOIN article_label AS k ON k.article_id = m.article_id JOIN label AS l ON l.id = k.label_id
                GROUP BY l.kind, l.key
                """, [.integer(user)]),
        ])
        return try translating {
            var counts = ReadCounts()
            for row in rows[0] { counts.sources[try row.value(0), default: 0] += try row.value(1) }
            for row in rows[1] {
                let (key, articles): (String, Int) = (try row.anyText(1), try row.value(2))
                if try row.value(0) == "author" { counts.authors[key] = articles } else { counts.tags[key] = articles }
            }
            return counts
        }
    }

    /// Returns the number of articles that a user marked as read on each day. See `MarkRepository`.
    package func readDays(of user: Int64) async throws -> [Int: Int] {
        let days = try await server.query(
            Statement(
                """
                SELECT changed_at / 86400, count(*) FROM article_read
                WHERE user_id = $1 AND is_set AND changed_at IS NOT NULL GROUP BY 1
                """, [.integer(user)])
        ) { (try $0.value(0) as Int, try $0.value(1) as Int) }
        return Dictionary(days) { first, _ in first }
    }
}

extension PostgreSQLMarkRepository: MarkLog {
    /// Returns the marks that a user changed. See `MarkLog`.
    package func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let limit = ArticlePage.size(limit)
        return try await server.read { transaction in
            let rows = try await transaction.run([
                Statement(
                    """
                    SELECT sequence, article_id FROM mark_change WHERE user_id = $1 AND sequence > $2
                    ORDER BY sequence LIMIT $3
                    """, [.integer(user), .integer(position), Value(limit + 1)]),
                Statement(
                    "SELECT read_up_to, all_read_at FROM reader WHERE user_id = $1 AND all_read_at IS NOT NULL",
                    [.integer(user)]),
            ])
            let known = try rows[0].prefix(limit).map {
                (sequence: try $0.value(0) as Int64, id: try $0.value(1) as Int64)
            }
            var changes = MarkChanges(position: known.last?.sequence ?? position)
            changes.goesOn = rows[0].count > limit
            changes.allRead = try rows[1].first.map { .init(upTo: try $0.value(0), changed: try $0.value(1)) }
            let marks = try await transaction.run([MarkRow.statement(of: known.map(\.id), by: user)])
            changes.marks = try MarkRow.marks(marks[0])
            return changes
        }
    }
}
