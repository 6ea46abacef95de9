import ArticleStore
import Database
import Text

/// Changes the marks of a user inside a transaction.
///
/// The writer first selects the articles into a temporary table, so that a few statements can mark and count a million
/// rows.
struct MarkWriter {
    let transaction: Transaction
    let user: Int64
    let time: Date

    /// The maximum number of unread articles that counts as few. ``settle()`` also requires more than this number of
    /// articles after the last mark-all.
    private static let few = 2048

    /// Makes several changes of the same articles in order. The articles are selected before the first change, because
    /// a change may affect the selection.
    ///
    /// - Returns: the sum of the numbers of articles that each change affected.
    /// - Throws: `MarkError`, `DatabaseError`.
    func make(_ changes: [MarkChange], of articles: ArticleSelection) throws -> Int {
        var articles = articles
        let steps = changes.steps
        if steps.count > 1, case .query = articles {
            let (sql, values) = try selection(articles)
            articles = .ids(try transaction.query(sql, values) { try $0.value(0) })
        }
        return try steps.reduce(0) { count, step in
            let affected = try make(step.change, of: articles)
            return step.counts ? count + affected : count
        }
    }

    /// Makes a change.
    /// - Returns: the number of articles that the change affected.
    /// - Throws: `MarkError`, `DatabaseError`.
    func make(_ change: MarkChange, of articles: ArticleSelection) throws -> Int {
        if case .read(let isRead) = change, let end = articles.endOfAll, try lastNumber() < end {
            return try markAll(isRead)
        }
        try transaction.run("CREATE TEMP TABLE IF NOT EXISTS marked_article (id INTEGER PRIMARY KEY)")
        let count: Int
        switch change {
        case .read(let isRead):
            count = try collect(articles, where: "\(Self.isRead) <> ?", [Value(user), Value(user), Value(isRead)])
            try put("is_read", "read_at", Value(isRead))
            try countRead(isRead ? 1 : -1)
            if isRead { try settle() }
        case .starred(let isSet):
            count = try collect(articles, where: "\(isSet ? "NOT " : "")\(Self.has("is_starred"))", [Value(user)])
            try put("is_starred", "starred_at", Value(isSet))
        case .later(let isSet):
            count = try collect(articles, where: "\(isSet ? "NOT " : "")\(Self.has("is_later"))", [Value(user)])
            try put("is_later", "later_at", Value(isSet))
        case .hidden(let isSet):
            count = try collect(articles, where: "\(isSet ? "NOT " : "")\(Self.has("is_hidden"))", [Value(user)])
            try put("is_hidden", "hidden_at", Value(isSet))
        case .readingPosition(let position):
            let known = "(SELECT place FROM article_mark WHERE user_id = ? AND article_id = selected.id)"
            count = try collect(articles, where: "\(known) IS NOT ?", [Value(user), Value(position)])
            try put("place", "placed_at", Value(position))
        case .note(let text):
            guard text.map({ $0.unicodeScalars.count <= MarkError.longestNote }) ?? true else {
                throw MarkError.noteIsTooLong
            }
            let note = Value(text.flatMap { $0.isEmpty ? nil : $0 })
            let known = "(SELECT note FROM article_note WHERE user_id = ? AND article_id = selected.id)"
            count = try collect(articles, where: "\(known) IS NOT ?", [Value(user), note])
            try put(note: note)
        case .tag(let tag, let isSet):
            count = try put(tag, isSet, on: articles)
        }
        try transaction.run("DELETE FROM marked_article")
        return count
    }

    private func lastNumber() throws -> Int64 {
        try transaction.first(SQLiteArticleRepository.lastNumber) { try $0.value(0) } ?? 0
    }

    private static let end = SingleMarkCondition.end

    private static let isRead = """
        ifnull((SELECT m.is_read FROM article_mark AS m WHERE m.user_id = ? AND m.article_id = selected.id),
            selected.id <= \(end))
        """

    private static func has(_ column: String) -> String {
        "EXISTS (SELECT 1 FROM article_mark AS m WHERE m.user_id = ? AND m.article_id = selected.id AND m.\(column) = 1)"
    }

    /// A statement that returns the IDs of the articles.
    private func selection(_ articles: ArticleSelection) throws -> (sql: String, values: [Value]) {
        switch articles {
        case .all: return ("SELECT id FROM article", [])
        case .ids(let ids):
            return ("SELECT a.id FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value", [Value(list: ids)])
        case .query(let query):
            let statement = ArticleListStatement(numbering: query, from: try query.scarcest(in: transaction))
            return (statement.sql, statement.values)
        }
    }

    /// Puts the articles that meet a condition into the temporary table, and returns their number.
    private func collect(_ articles: ArticleSelection, where condition: String, _ values: [Value]) throws -> Int {
        let (selection, selected) = try selection(articles)
        return try transaction.run(
            """
            WITH selected (id) AS (\(selection))
            INSERT OR IGNORE INTO marked_article SELECT id FROM selected WHERE \(condition)
            """, selected + values)
    }

    /// Sets a value and its time in `article_mark` for the articles in the temporary table.
    private func put(_ column: String, _ timeColumn: String, _ value: Value) throws {
        try transaction.run(
            """
            INSERT INTO article_mark (user_id, article_id, \(column), \(timeColumn))
            SELECT ?, id, ?, ? FROM marked_article WHERE true
            ON CONFLICT DO UPDATE SET \(column) = excluded.\(column), \(timeColumn) = excluded.\(timeColumn)
            """, [Value(user), value, Value(time)])
    }

    private func put(_ tag: TagName, _ isSet: Bool, on articles: ArticleSelection) throws -> Int {
        let known = try number(of: tag)
        guard isSet || known != nil else { return 0 }
        // A new tag does not have a row yet.
        let row = "SELECT 1 FROM article_own_tag WHERE tag_id = ? AND article_id = selected.id AND is_set = 1"
        let count = try collect(articles, where: "\(isSet ? "NOT " : "")EXISTS (\(row))", [Value(known)])
        guard count > 0 else { return 0 }
        if isSet {
            guard try isGiven(known) || givenTags() < MarkError.mostOwnTags else { throw MarkError.tooManyOwnTags }
            if try hasFull() { throw MarkError.tooManyTags }
            // A tag that is no longer on any article gets the new spelling.
            try transaction.run(
                """
                INSERT INTO own_tag (user_id, name, key) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET name = excluded.name
                WHERE NOT EXISTS (SELECT 1 FROM article_own_tag WHERE tag_id = own_tag.id AND is_set = 1)
                """, [Value(user), Value(tag.name), Value(tag.key)])
        }
        guard let id = try number(of: tag) else { return 0 }
        try put(tag: id, isSet)
        return count
    }

    private func put(tag id: Int64, _ isSet: Bool) throws {
        try transaction.run(
            """
            INSERT INTO article_own_tag (tag_id, article_id, is_set, changed_at)
            SELECT ?, id, ?, ? FROM marked_article WHERE true
            ON CONFLICT DO UPDATE SET is_set = excluded.is_set, changed_at = excluded.changed_at
            """, [Value(id), Value(isSet), Value(time)])
    }

    /// Returns the number of the user's tags that are on at least one article.
    private func givenTags() throws -> Int {
        try transaction.first("SELECT count(*) FROM (\(MarkRow.ownTags))", [Value(user)]) { try $0.value(0) } ?? 0
    }

    /// Whether a tag is on at least one article.
    private func isGiven(_ tag: Int64?) throws -> Bool {
        try transaction.first("SELECT 1 FROM article_own_tag WHERE tag_id = ? AND is_set = 1 LIMIT 1", [Value(tag)]) {
            _ in true
        } ?? false
    }

    private func number(of tag: TagName) throws -> Int64? {
        try transaction.first("SELECT id FROM own_tag WHERE user_id = ? AND key = ?", [Value(user), Value(tag.key)]) {
            try $0.value(0)
        }
    }

    private func put(note: Value) throws {
        try transaction.run(
            """
            INSERT INTO article_note (user_id, article_id, note, changed_at)
            SELECT ?, id, ?, ? FROM marked_article WHERE true
            ON CONFLICT DO UPDATE SET note = excluded.note, changed_at = excluded.changed_at
            """, [Value(user), note, Value(time)])
    }

    /// Stores a later time for a mark that already has this value.
    func confirm(_ change: MarkChange, of articles: ArticleSelection) throws {
        try transaction.run("CREATE TEMP TABLE IF NOT EXISTS marked_article (id INTEGER PRIMARY KEY)")
        _ = try collect(articles, where: "true", [])
        switch change {
        case .read(let isRead): try put("is_read", "read_at", Value(isRead))
        case .starred(let isSet): try put("is_starred", "starred_at", Value(isSet))
        case .later(let isSet): try put("is_later", "later_at", Value(isSet))
        case .hidden(let isSet): try put("is_hidden", "hidden_at", Value(isSet))
        case .readingPosition(let position): try put("place", "placed_at", Value(position))
        case .note(let text): try put(note: Value(text))
        case .tag(let tag, let isSet): if let id = try number(of: tag) { try put(tag: id, isSet) }
        }
        try transaction.run("DELETE FROM marked_article")
    }

    /// Whether an article in the temporary table has the maximum number of tags.
    private func hasFull() throws -> Bool {
        let tags: Int =
            try transaction.first("SELECT count(*) FROM own_tag WHERE user_id = ?", [Value(user)]) {
                try $0.value(0)
            } ?? 0
        guard tags >= MarkError.mostTags else { return false }
        return try transaction.first(
            """
            SELECT 1 FROM marked_article AS m WHERE (
                SELECT count(*) FROM article_own_tag AS a CROSS JOIN own_tag AS t ON t.id = a.tag_id
                WHERE a.article_id = m.id AND a.is_set = 1 AND t.user_id = ?) >= ? LIMIT 1
            """, [Value(user), Value(MarkError.mostTags)]
        ) { _ in true } ?? false
    }

    /// Adds the articles in the temporary table to the counts of read articles per source and label (`sign` 1), or
    /// subtracts them (`sign` -1).
    private func countRead(_ sign: Int) throws {
        let values = [Value(user), Value(sign)]
        try transaction.run(
            """
            INSERT INTO source_read (user_id, source_id, articles)
            SELECT ?, a.source_id, count(*) * ? FROM marked_article AS m CROSS JOIN article AS a ON a.id = m.id
            GROUP BY a.source_id
            ON CONFLICT DO UPDATE SET articles = articles + excluded.articles
            """, values)
        try transaction.run(
            """
            INSERT INTO source_read (user_id, source_id, articles, appearances)
            SELECT ?, p.source_id, 0, count(*) * ? FROM marked_article AS m
            CROSS JOIN article_appearance AS p ON p.article_id = m.id GROUP BY p.source_id
            ON CONFLICT DO UPDATE SET appearances = appearances + excluded.appearances
            """, values)
        try transaction.run(
            """
            INSERT INTO label_read (user_id, label_id, articles)
            SELECT ?, l.label_id, count(*) * ? FROM marked_article AS m
            CROSS JOIN article_label AS l ON l.article_id = m.id GROUP BY l.label_id
            ON CONFLICT DO UPDATE SET articles = articles + excluded.articles
            """, values)
    }

    /// Marks all existing articles as read or unread, and overrides earlier marks.
    private func markAll(_ isRead: Bool) throws -> Int {
        let unread = try transaction.first(MarkRow.unreadCount, [Value(user)]) { try $0.value(0) as Int } ?? 0
        let all =
            try transaction.first("SELECT ifnull(sum(articles), 0) FROM source_size") { try $0.value(0) as Int } ?? 0
        let changed = isRead ? unread : all - unread
        guard changed > 0 else { return 0 }
        // Clients that keep a copy recognize a new mark-all by its time, and times are whole seconds, so the time must
        // increase. It increases by only a few seconds, because the mark-all overrides marks that are set before its
        // time.
        let last = try SQLiteMarkRepository.allRead(by: user, in: transaction)?.changed
        let time = max(time, min(last?.addingTimeInterval(1) ?? time, time.addingTimeInterval(5)))
        try transaction.run(
            """
            INSERT INTO all_read (user_id, up_to, changed_at)
            VALUES (?1, iif(?2, ifnull((SELECT max(id) FROM article), 0), 0), ?3)
            ON CONFLICT DO UPDATE SET up_to = excluded.up_to, changed_at = excluded.changed_at
            """, [Value(user), Value(isRead), Value(time)])
        try transaction.run(
            "UPDATE article_mark SET is_read = ?2, read_at = ?3 WHERE user_id = ?1 AND is_read = NOT ?2",
            [Value(user), Value(isRead), Value(time)])
        try transaction.run("DELETE FROM source_read WHERE user_id = ?", [Value(user)])
        try transaction.run("DELETE FROM label_read WHERE user_id = ?", [Value(user)])
        guard isRead else { return changed }
        try transaction.run(
            """
            INSERT INTO source_read (user_id, source_id, articles, appearances)
            SELECT ?, source_id, articles, appearances FROM source_size
            """, [Value(user)])
        try transaction.run(
            "INSERT INTO label_read (user_id, label_id, articles) SELECT ?, id, articles FROM label", [Value(user)])
        return changed
    }

    /// If nearly every article was marked as read on its own, stores a mark-all instead, and marks the few others as
    /// unread. Unread articles are then found without a scan of the read ones. The value and the time of each mark stay
    /// the same.
    private func settle() throws {
        let unread = try transaction.first(MarkRow.unreadCount, [Value(user)]) { try $0.value(0) as Int } ?? 0
        let rest: Int? = try transaction.first("SELECT max(id) - \(Self.end) FROM article", [Value(user)]) {
            try $0.value(0)
        }
        guard unread <= Self.few, let rest, rest > Self.few else { return }
        try transaction.run(
            """
            INSERT INTO article_mark (user_id, article_id, is_read)
            SELECT ?1, a.id, 0 FROM article AS a
            WHERE a.id > ifnull((SELECT up_to FROM all_read WHERE user_id = ?1), 0) AND NOT EXISTS (
                SELECT 1 FROM article_mark AS m
                WHERE m.user_id = ?1 AND m.article_id = a.id AND m.is_read IS NOT NULL)
            ON CONFLICT DO UPDATE SET is_read = 0
            """, [Value(user)])
        try transaction.run(
            """
            INSERT INTO all_read (user_id, up_to, changed_at) SELECT ?, max(id), 0 FROM article WHERE true
            ON CONFLICT DO UPDATE SET up_to = excluded.up_to
            """, [Value(user)])
    }
}
