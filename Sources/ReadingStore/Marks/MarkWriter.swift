import Database
import Essentials

/// Changes the marks of a reader inside one transaction.
///
/// The writer first selects the articles into a temporary table, so that a few statements mark and count a million rows.
struct MarkWriter {
    let transaction: Transaction
    let user: Int64
    let time: Date

    /// So many articles that were not read, and so many of which nothing was said, are few. See ``settle()``.
    private static let few = 2048

    /// Makes changes, one after the other, all of the same articles: what they are found by may be what is changed first.
    ///
    /// - Returns: the number of articles that each change applied to, added up.
    /// - Throws: ``MarkError``, and `DatabaseError`.
    func make(_ changes: [MarkChange], of articles: RowNumbers) throws -> Int {
        var articles = articles
        if changes.count > 1, case .selected(let sql, let values) = articles.kind {
            articles = RowNumbers(try transaction.query(sql, values) { try $0.value(0) })
        }
        return try changes.reduce(0) { try $0 + make($1, of: articles) }
    }

    /// - Returns: how many articles it did not hold of before.
    /// - Throws: ``MarkError``, and `DatabaseError`.
    func make(_ change: MarkChange, of articles: RowNumbers) throws -> Int {
        if case .read(let isRead) = change, articles.isAll { return try markAll(isRead) }
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
        case .place(let place):
            let known = "(SELECT place FROM article_mark WHERE user_id = ? AND article_id = selected.id)"
            count = try collect(articles, where: "\(known) IS NOT ?", [Value(user), Value(place)])
            try put("place", "placed_at", Value(place))
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

    private static let end = "ifnull((SELECT up_to FROM all_read WHERE user_id = ?), 0)"

    private static let isRead = """
        ifnull((SELECT m.is_read FROM article_mark AS m WHERE m.user_id = ? AND m.article_id = selected.id),
            selected.id <= \(end))
        """

    private static func has(_ column: String) -> String {
        "EXISTS (SELECT 1 FROM article_mark AS m WHERE m.user_id = ? AND m.article_id = selected.id AND m.\(column) = 1)"
    }

    /// Keeps those of the articles that a condition holds of, and says how many there are.
    private func collect(_ articles: RowNumbers, where condition: String, _ values: [Value]) throws -> Int {
        let (selection, selected): (String, [Value]) =
            switch articles.kind {
            case .all: ("SELECT id FROM article", [])
            case .listed(let numbers):
                (
                    "SELECT a.id FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value",
                    [MarkRow.json(numbers)]
                )
            case .selected(let sql, let values): (sql, values)
            }
        return try transaction.run(
            """
            WITH selected (id) AS (\(selection))
            INSERT OR IGNORE INTO marked_article SELECT id FROM selected WHERE \(condition)
            """, selected + values)
    }

    /// Gives what was kept a value in two columns of `article_mark`.
    private func put(_ column: String, _ timeColumn: String, _ value: Value) throws {
        try transaction.run(
            """
            INSERT INTO article_mark (user_id, article_id, \(column), \(timeColumn))
            SELECT ?, id, ?, ? FROM marked_article WHERE true
            ON CONFLICT DO UPDATE SET \(column) = excluded.\(column), \(timeColumn) = excluded.\(timeColumn)
            """, [Value(user), value, Value(time)])
    }

    private func put(_ tag: OwnTag, _ isSet: Bool, on articles: RowNumbers) throws -> Int {
        let known = try number(of: tag)
        guard isSet || known != nil else { return 0 }
        // A new tag does not have a row yet.
        let row = "SELECT 1 FROM article_own_tag WHERE tag_id = ? AND article_id = selected.id AND is_set = 1"
        let count = try collect(articles, where: "\(isSet ? "NOT " : "")EXISTS (\(row))", [Value(known)])
        guard count > 0 else { return 0 }
        if isSet {
            guard try isGiven(known) || givenTags() < MarkError.mostOwnTags else { throw MarkError.tooManyOwnTags }
            if try hasFull() { throw MarkError.tooManyTags }
            // A tag that no article has any more takes the new spelling.
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

    /// How many tags the reader has given anything.
    private func givenTags() throws -> Int {
        try transaction.first("SELECT count(*) FROM (\(MarkRow.ownTags))", [Value(user)]) { try $0.value(0) } ?? 0
    }

    /// Whether an article has a tag.
    private func isGiven(_ tag: Int64?) throws -> Bool {
        try transaction.first("SELECT 1 FROM article_own_tag WHERE tag_id = ? AND is_set = 1 LIMIT 1", [Value(tag)]) {
            _ in true
        } ?? false
    }

    private func number(of tag: OwnTag) throws -> Int64? {
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

    /// Notes that what is so already was said once more.
    func confirm(_ change: MarkChange, of articles: RowNumbers) throws {
        try transaction.run("CREATE TEMP TABLE IF NOT EXISTS marked_article (id INTEGER PRIMARY KEY)")
        _ = try collect(articles, where: "true", [])
        switch change {
        case .read(let isRead): try put("is_read", "read_at", Value(isRead))
        case .starred(let isSet): try put("is_starred", "starred_at", Value(isSet))
        case .later(let isSet): try put("is_later", "later_at", Value(isSet))
        case .place(let place): try put("place", "placed_at", Value(place))
        case .note(let text): try put(note: Value(text))
        case .tag(let tag, let isSet): if let id = try number(of: tag) { try put(tag: id, isSet) }
        }
        try transaction.run("DELETE FROM marked_article")
    }

    /// Whether one of those that were kept has as many tags as it may.
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

    /// Counts what was kept to what is read of each source and label, or off it.
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
            INSERT INTO label_read (user_id, label_id, articles)
            SELECT ?, l.label_id, count(*) * ? FROM marked_article AS m
            CROSS JOIN article_label AS l ON l.article_id = m.id GROUP BY l.label_id
            ON CONFLICT DO UPDATE SET articles = articles + excluded.articles
            """, values)
    }

    /// Makes everything that is there read, or unread, whatever was said of it before.
    private func markAll(_ isRead: Bool) throws -> Int {
        let unread = try transaction.first(MarkRow.counts, [Value(user)]) { try $0.value(0) as Int } ?? 0
        let all =
            try transaction.first("SELECT ifnull(sum(articles), 0) FROM source_size") { try $0.value(0) as Int } ?? 0
        let changed = isRead ? unread : all - unread
        guard changed > 0 else { return 0 }
        // Programs that keep a copy recognize a new mark-all by its time, and times are whole seconds. Add at most this much, since
        // it overrides the marks that are set before that time.
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
            "INSERT INTO source_read (user_id, source_id, articles) SELECT ?, source_id, articles FROM source_size",
            [Value(user)])
        try transaction.run(
            "INSERT INTO label_read (user_id, label_id, articles) SELECT ?, id, articles FROM label", [Value(user)])
        return changed
    }

    /// If nearly every article was marked as read on its own, stores a mark-all instead, and marks the few others as unread. Unread
    /// articles are then found without going through the read ones. The value and the time of each mark stay the same.
    private func settle() throws {
        let unread = try transaction.first(MarkRow.counts, [Value(user)]) { try $0.value(0) as Int } ?? 0
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
