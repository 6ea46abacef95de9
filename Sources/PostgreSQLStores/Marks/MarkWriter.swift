internal import ArticleStore
internal import PostgreSQL
internal import Text

/// Changes the marks of a user inside a transaction that has locked the user's row in `reader`.
///
/// A change is one statement: it selects the articles, changes the marks that differ, and adds the articles to the log of
/// the user with numbers in the order of commits.
struct MarkWriter {
    let transaction: Transaction
    let user: Int64
    let time: Date

    /// Makes several changes of the same articles in order. The articles are selected before the first change, because
    /// a change may affect the selection.
    ///
    /// - Returns: the sum of the numbers of articles that each change affected.
    func make(_ changes: [MarkChange], of articles: ArticleSelection) async throws -> Int {
        var articles = articles
        let steps = changes.steps
        if steps.count > 1, case .query = articles, !articles.isOfAll {
            articles = .ids(try await transaction.run([selection(articles)])[0].map { try $0.value(0) })
        }
        var count = 0
        for step in steps {
            let affected = try await make(step.change, of: articles)
            if step.counts { count += affected }
        }
        return count
    }

    /// Makes a change.
    ///
    /// - Returns: the number of articles that the change affected.
    func make(_ change: MarkChange, of articles: ArticleSelection) async throws -> Int {
        if case .read(let isRead) = change, let end = articles.endOfAll,
            let changed = try await markAll(isRead, before: end)
        {
            return changed
        }
        switch change {
        case .note(let text?) where text.unicodeScalars.count > MarkError.longestNote: throw MarkError.noteIsTooLong
        case .tag(let tag, true): try await prepare(tag, on: articles)
        default: break
        }
        let rows = try await transaction.run([statement(change, of: articles)])[0]
        return try rows.first?.value(0) ?? 0
    }

    /// Stores a later time for a mark that already has this value.
    func confirm(_ change: MarkChange, of articles: ArticleSelection) {
        transaction.queue([statement(change, of: articles, isConfirmation: true)])
    }

    /// A statement that returns the IDs of the articles.
    private func selection(_ articles: ArticleSelection) -> Statement {
        switch articles {
        case .all: "SELECT a.id FROM article AS a"
        case .ids(let ids): Statement("SELECT a.id FROM article AS a WHERE a.id = ANY ($1)", [.integers(ids)])
        case .query(let query): ArticleListStatement.numbers(query)
        }
    }

    /// The table of a mark, and how to change it.
    private struct Table {
        let name: String
        let column: String
        let type: String
        let value: Value
        /// The present value of the mark of the article `selected.id`, without its row.
        var otherwise = "NULL"
        var key: TagName?
    }

    private func table(_ change: MarkChange) -> Table {
        switch change {
        case .read(let isSet):
            Table(
                name: "article_read", column: "is_set", type: "boolean", value: .bool(isSet),
                otherwise: "selected.id <= (SELECT read_up_to FROM locked)")
        case .starred(let isSet):
            Table(
                name: "article_star", column: "is_set", type: "boolean", value: .bool(isSet), otherwise: "false")
        case .later(let isSet):
            Table(
                name: "article_later", column: "is_set", type: "boolean", value: .bool(isSet), otherwise: "false")
        case .hidden(let isSet):
            Table(
                name: "article_hidden", column: "is_set", type: "boolean", value: .bool(isSet), otherwise: "false")
        case .readingPosition(let position):
            Table(name: "article_place", column: "place", type: "bigint", value: Value(position))
        case .note(let text):
            Table(
                name: "article_note", column: "note", type: "text",
                value: Value(anyText: text.flatMap { $0.isEmpty ? nil : $0 }))
        case .tag(let tag, let isSet):
            Table(
                name: "article_own_tag", column: "is_set", type: "boolean", value: .bool(isSet), otherwise: "false",
                key: tag)
        }
    }

    /// The statement of a change. It returns the number of articles.
    private func statement(
        _ change: MarkChange, of articles: ArticleSelection, isConfirmation: Bool = false
    ) -> Statement {
        let (table, selection) = (table(change), selection(articles))
        let first = selection.values.count + 1
        let (user, value, time, key) = ("$\(first)", "$\(first + 1)::\(table.type)", "$\(first + 2)", "$\(first + 3)")
        let values =
            [.integer(self.user), table.value, Value(self.time)] + (table.key.map { [Value(anyText: $0.key)] } ?? [])
        let hasKey = table.key != nil
        let condition =
            isConfirmation
            ? "true"
            : """
            coalesce((SELECT m.\(table.column) FROM \(table.name) AS m WHERE m.user_id = \(user) \
            AND m.article_id = selected.id\(hasKey ? " AND m.key = \(key)" : "")), \(table.otherwise)) \
            IS DISTINCT FROM \(value)
            """
        return Statement(
            """
            WITH selected (id) AS (\(selection.sql)),
            locked AS (SELECT read_up_to, last_change FROM reader WHERE user_id = \(user)),
            changed AS (
                INSERT INTO \(table.name) (user_id, article_id, \(table.column), changed_at\(hasKey ? ", key" : ""))
                SELECT \(user), id, \(value), \(time)\(hasKey ? ", \(key)" : "") FROM selected WHERE \(condition)
                ON CONFLICT (user_id, \(hasKey ? "key, " : "")article_id)
                DO UPDATE SET \(table.column) = excluded.\(table.column), changed_at = excluded.changed_at
                RETURNING article_id),
            \(Self.log(user))
            """, selection.values + values)
    }

    /// Adds the articles `changed` to the log, and returns their number.
    private static func log(_ user: String) -> String {
        """
        logged AS (
            INSERT INTO mark_change (user_id, article_id, sequence)
            SELECT \(user), article_id,
                (SELECT last_change FROM locked) + row_number() OVER (ORDER BY article_id)
            FROM changed
            ON CONFLICT (user_id, article_id) DO UPDATE SET sequence = excluded.sequence)
        UPDATE reader SET last_change = last_change + (SELECT count(*) FROM changed) WHERE user_id = \(user)
        RETURNING (SELECT count(*) FROM changed)
        """
    }

    /// Locks the rows of all users with marks, in an order that excludes waiting in a circle.
    static let lockReaders: Statement = "SELECT FROM reader ORDER BY user_id FOR UPDATE"

    /// Creates and locks the rows of the users to whom one of these sources is quiet.
    static func lockQuietReaders(of sources: [Source.ID]) -> [Statement] {
        [
            Statement(
                """
                INSERT INTO reader (user_id)
                SELECT DISTINCT user_id FROM quiet_source WHERE source_id = ANY ($1) ORDER BY user_id
                ON CONFLICT DO NOTHING
                """, [.integers(sources)]),
            Statement(
                """
                SELECT FROM reader WHERE user_id IN (SELECT user_id FROM quiet_source WHERE source_id = ANY ($1))
                ORDER BY user_id FOR UPDATE
                """, [.integers(sources)]),
        ]
    }

    /// Marks new articles as read for the users to whom their sources are quiet. The marks do not have a time, because the
    /// users did not read the articles then.
    ///
    /// - Parameters:
    ///   - first: the number of the first new article.
    ///   - sources: the sources of the new articles.
    static func markReadQuietly(from first: Int64, of sources: [Source.ID]) -> Statement {
        Statement(
            """
            WITH changed AS (
                INSERT INTO article_read (user_id, article_id, is_set)
                SELECT q.user_id, a.id, true FROM quiet_source AS q JOIN article AS a ON a.source_id = q.source_id
                WHERE q.source_id = ANY ($2) AND a.id >= $1
                RETURNING user_id, article_id),
            \(logOfAll)
            """, [.integer(first), .integers(sources)])
    }

    /// Marks articles as unread for the users who have read them, except those to whom the source is quiet.
    static func markUnread(_ articles: [Int64], at time: Date) -> Statement {
        Statement(
            """
            WITH changed AS (
                INSERT INTO article_read (user_id, article_id, is_set, changed_at)
                SELECT r.user_id, a.id, false, $2 FROM reader AS r CROSS JOIN article AS a
                LEFT JOIN article_read AS m ON m.user_id = r.user_id AND m.article_id = a.id
                WHERE a.id = ANY ($1) AND coalesce(m.is_set, a.id <= r.read_up_to) AND NOT EXISTS (
                    SELECT FROM quiet_source AS q WHERE q.user_id = r.user_id AND q.source_id = a.source_id)
                ON CONFLICT (user_id, article_id) DO UPDATE SET is_set = false, changed_at = excluded.changed_at
                RETURNING user_id, article_id),
            \(logOfAll)
            """, [.integers(articles), Value(time)])
    }

    /// Adds the articles `changed` of several users to their logs.
    private static let logOfAll = """
        logged AS (
            INSERT INTO mark_change (user_id, article_id, sequence)
            SELECT c.user_id, c.article_id,
                r.last_change + row_number() OVER (PARTITION BY c.user_id ORDER BY c.article_id)
            FROM changed AS c JOIN reader AS r ON r.user_id = c.user_id
            ON CONFLICT (user_id, article_id) DO UPDATE SET sequence = excluded.sequence)
        UPDATE reader AS r SET last_change = r.last_change + n.articles
        FROM (SELECT user_id, count(*) AS articles FROM changed GROUP BY user_id) AS n WHERE r.user_id = n.user_id
        """

    /// Checks the limits of a tag that articles will get, and stores its name.
    private func prepare(_ tag: TagName, on articles: ArticleSelection) async throws {
        let selection = selection(articles)
        let first = selection.values.count + 1
        let (user, key) = ("$\(first)", "$\(first + 1)")
        let rows = try await transaction.run([
            Statement(
                """
                WITH selected (id) AS (\(selection.sql)), changed AS (
                    SELECT id FROM selected WHERE NOT EXISTS (
                        SELECT FROM article_own_tag AS t
                        WHERE t.user_id = \(user) AND t.key = \(key) AND t.article_id = selected.id AND t.is_set))
                SELECT count(*), coalesce(max((
                    SELECT count(*) FROM article_own_tag AS t
                    WHERE t.user_id = \(user) AND t.article_id = changed.id AND t.is_set)), 0) FROM changed
                """, selection.values + [.integer(self.user), Value(anyText: tag.key)]),
            Statement(
                """
                SELECT count(DISTINCT key), coalesce(bool_or(key = $2), false) FROM article_own_tag
                WHERE user_id = $1 AND is_set
                """, [.integer(self.user), Value(anyText: tag.key)]),
        ])
        guard let counts = rows[0].first, let given = rows[1].first, try counts.value(0) > 0 else { return }
        let isGiven: Bool = try given.value(1)
        guard try isGiven || given.value(0) < MarkError.mostOwnTags else { throw MarkError.tooManyOwnTags }
        guard try counts.value(1) < MarkError.mostTags else { throw MarkError.tooManyTags }
        // A tag that is no longer on any article gets the new spelling.
        transaction.queue([
            Statement(
                """
                INSERT INTO own_tag (user_id, key, name) VALUES ($1, $2, $3)
                ON CONFLICT (user_id, key) DO UPDATE SET name = CASE WHEN $4 THEN own_tag.name ELSE excluded.name END
                """, [.integer(self.user), Value(anyText: tag.key), Value(anyText: tag.name), .bool(isGiven)])
        ])
    }

    /// Marks all existing articles as read or unread, and overrides earlier marks.
    ///
    /// - Returns: the number of changed articles; nil, without a change, if there are articles with numbers from `end` on.
    private func markAll(_ isRead: Bool, before end: Int64) async throws -> Int? {
        let rows = try await transaction.run([
            Statement(MarkRow.unread, [.integer(user)]),
            "SELECT coalesce(sum(articles), 0)::bigint FROM source_size",
            Statement("SELECT all_read_at FROM reader WHERE user_id = $1", [.integer(user)]),
            "SELECT coalesce(max(id), 0) FROM article",
        ])
        guard try rows[3].first?.value(0) as Int64? ?? 0 < end else { return nil }
        let unread: Int = try rows[0].first?.value(0) ?? 0
        let all: Int = try rows[1].first?.value(0) ?? 0
        let changed = isRead ? unread : all - unread
        guard changed > 0 else { return 0 }
        // Clients that keep a copy recognize a new mark on all articles by its time, and times are whole seconds, so the
        // time must increase. It increases by only a few seconds, because it overrides marks that are set before it.
        let last: Date? = try rows[2].first?.value(0)
        let time = max(time, min(last?.addingTimeInterval(1) ?? time, time.addingTimeInterval(5)))
        try await transaction.run([
            Statement(
                """
                WITH locked AS (SELECT last_change FROM reader WHERE user_id = $1),
                changed AS (
                    UPDATE article_read SET is_set = $2, changed_at = $3 WHERE user_id = $1 AND is_set <> $2
                    RETURNING article_id),
                \(Self.log("$1"))
                """, [.integer(user), .bool(isRead), Value(time)]),
            Statement(
                """
                UPDATE reader SET all_read_at = $3,
                    read_up_to = CASE WHEN $2 THEN
                        least(coalesce((SELECT max(id) FROM article), 0), $4::bigint - 1) ELSE 0 END
                WHERE user_id = $1
                """, [.integer(user), .bool(isRead), Value(time), .integer(end)]),
        ])
        return changed
    }
}
