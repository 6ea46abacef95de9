import ArticleStore
import Database
import Text

/// Changes articles in a transaction of SQLite.
struct SQLiteArticleWriter: ArticleWriter {
    let transaction: Transaction
    let now: Date
    let makeUID: @Sendable () -> SourceUID

    func sources() throws -> [Source] { try transaction.query(SourceRow.select, [], SourceRow.source) }

    func source(id: Source.ID) throws -> Source? {
        try transaction.first(SourceRow.selectOne, [Value(id)], SourceRow.source)
    }

    func earlierSource() throws -> Source? { try transaction.first(SourceRow.selectEarlier, [], SourceRow.source) }

    func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source {
        let uid = uid ?? makeUID()
        try transaction.run(
            """
            INSERT INTO source (id, uid, name, name_key, kind, location, home, feed_url, imported_at, problem_count, problems)
            VALUES (1 + max(ifnull((SELECT max(id) FROM source), 0), ifnull((SELECT last FROM source_number), 0)),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, [Value(uid.description)] + SourceRow.values(facts, nil))
        let source = Source(id: transaction.lastInsertedRowID, uid: uid, facts: facts)
        try putLists(of: source)
        return source
    }

    func update(_ source: Source) throws {
        let count = try transaction.run(
            """
            UPDATE source SET name = ?, name_key = ?, kind = ?, location = ?, home = ?, feed_url = ?,
            imported_at = ?, problem_count = ?, problems = ? WHERE id = ?
            """, SourceRow.values(source.facts, source.lastImport) + [Value(source.id)])
        guard count > 0 else { return }
        try transaction.run("DELETE FROM source_tag WHERE source_id = ?", [Value(source.id)])
        try transaction.run("DELETE FROM former_address WHERE source_id = ?", [Value(source.id)])
        try putLists(of: source)
    }

    /// Stores the tags and the former addresses.
    private func putLists(of source: Source) throws {
        for tag in source.facts.tags {
            try transaction.run(
                "INSERT INTO source_tag (source_id, key, name) VALUES (?, ?, ?)",
                [Value(source.id), Value(tag.key), Value(tag.name)])
        }
        for address in source.facts.formerAddresses {
            try transaction.run(
                "INSERT INTO former_address (source_id, address) VALUES (?, ?)", [Value(source.id), Value(address)])
        }
    }

    func deleteSource(id: Source.ID) throws -> Int? {
        let count = try transaction.first("SELECT count(*) FROM article WHERE source_id = ?", [Value(id)]) { row in
            try row.value(0) as Int
        }
        return try transaction.run("DELETE FROM source WHERE id = ?", [Value(id)]) > 0 ? count : nil
    }

    func isEmpty(_ source: Source.ID) throws -> Bool {
        try transaction.first("SELECT 1 FROM article WHERE source_id = ? LIMIT 1", [Value(source)]) { _ in false }
            ?? true
    }

    func entry(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
        try transaction.first(
            "SELECT id, content_hash, is_edited FROM article WHERE source_id = ? AND key = ?",
            [Value(source), Value(key.text)]
        ) { try Self.entry($0, at: 0) }
    }

    func articles(titled title: String, of source: Source.ID) throws -> [Int64] {
        try transaction.query(
            "SELECT id FROM article WHERE source_id = ? AND title_key = ? ORDER BY id",
            [Value(source), Value(ArticleQuery.titleKey(title))]
        ) { try $0.value(0) }
    }

    func articles(at address: String, of source: Source.ID) throws -> [Int64] {
        // CROSS JOIN: an address has few articles, and a source many.
        try transaction.query(
            """
            SELECT a.id FROM article_body AS b CROSS JOIN article AS a ON a.id = b.article_id
            WHERE b.source_url = ? AND a.source_id = ? ORDER BY a.id
            """, [Value(address), Value(source)]
        ) { try $0.value(0) }
    }

    func articles(at address: StoryAddress) throws -> [Int64: Source.ID] {
        // Two articles already make an address ambiguous, and a status page may have thousands.
        let columns = "SELECT a.id, a.source_id FROM"
        let found: [(Int64, Source.ID)] = try transaction.query(
            """
            SELECT * FROM (\(columns) article AS a WHERE a.address_hash = ? LIMIT 2)
            UNION SELECT * FROM (
                \(columns) json_each(?) AS j CROSS JOIN article_body AS b ON b.source_url = j.value
                CROSS JOIN article AS a ON a.id = b.article_id LIMIT 2)
            """, [Value(address.hash), Value(list: address.spellings.map { .string($0) })]
        ) { (try $0.value(0), try $0.value(1)) }
        return Dictionary(found) { first, _ in first }
    }

    func appearance(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
        try transaction.first(
            "SELECT article_id, content_hash, 0 FROM article_appearance WHERE source_id = ? AND key = ?",
            [Value(source), Value(key.text)]
        ) { try Self.entry($0, at: 0) }
    }

    func articlesAppearingElsewhere(from source: Source.ID) throws -> [Int64] {
        // CROSS JOIN: few articles have appearances.
        try transaction.query(
            """
            SELECT DISTINCT a.id FROM article_appearance AS p CROSS JOIN article AS a ON a.id = p.article_id
            WHERE a.source_id = ? ORDER BY a.id
            """, [Value(source)]
        ) { try $0.value(0) }
    }

    func put(_ appearance: ArticleAppearance, of article: Int64) throws {
        try transaction.run(
            """
            INSERT INTO article_appearance (
                source_id, key, article_id, content_hash, appeared_at, published_at, title_key, title, address, format, body)
            SELECT ?, ?, id, ?, ?, published_at, title_key, ?, ?, ?, ? FROM article WHERE id = ?
            ON CONFLICT (article_id, source_id) DO UPDATE SET key = excluded.key, content_hash = excluded.content_hash,
                title = excluded.title, address = excluded.address, format = excluded.format, body = excluded.body
            """,
            [
                Value(appearance.source.id), Value(appearance.key.text), Self.value(of: appearance.content), Value(now),
                Value(appearance.title), Value(appearance.address), Value(appearance.text?.format.rawValue),
                Value(appearance.text?.body), Value(article),
            ])
    }

    func deleteAppearance(in source: Source.ID, of article: Int64) throws {
        try transaction.run(
            "DELETE FROM article_appearance WHERE article_id = ? AND source_id = ?", [Value(article), Value(source)])
    }

    func forEachEntry(of source: Source.ID, _ body: (ExactText, ArticleEntry) throws -> Void) throws {
        try transaction.forEach(
            "SELECT key, id, content_hash, is_edited FROM article WHERE source_id = ? ORDER BY key", [Value(source)]
        ) { row in
            try body(ExactText(try row.value(0) as String), try Self.entry(row, at: 1))
        }
    }

    func article(id: Int64) throws -> Article? {
        try transaction.first(ArticleRow.selectByID, [Value(id)], ArticleRow.article)
    }

    func holder(ofSlug slug: String) throws -> (id: Int64, source: Source.ID)? {
        try transaction.first("SELECT id, source_id FROM article WHERE slug = ?", [Value(slug)]) { row in
            (id: try row.value(0), source: try row.value(1))
        }
    }

    func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64 {
        var article = article
        try transaction.run(
            """
            INSERT INTO article (source_id, key, content_hash, is_edited, slug, title, title_key, authors, tags, summary,
            language, published_at, published_offset, updated_at, reading_minutes, address_hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, columns(of: article, from: origin))
        article.id = transaction.lastInsertedRowID
        try markReadQuietly(article)
        try transaction.run(
            """
            INSERT INTO article_body (format, source_url, base_url, extra, body, checksum, article_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, bodyColumns(of: article))
        try LabelIndex(transaction: transaction).insert(article)
        return article.id
    }

    /// Marks a new article as read for the users to whom its source is quiet. The mark does not have a time, because the
    /// users did not read the article then. Call this before the labels are inserted: a trigger counts their read articles.
    private func markReadQuietly(_ article: Article) throws {
        let count = try transaction.run(
            """
            INSERT INTO article_mark (user_id, article_id, is_read)
            SELECT user_id, ?2, 1 FROM quiet_source WHERE source_id = ?1
            """,
            [Value(article.source.id), Value(article.id)])
        guard count > 0 else { return }
        try transaction.run(
            """
            INSERT INTO source_read (user_id, source_id, articles) SELECT user_id, source_id, 1 FROM quiet_source
            WHERE source_id = ? ON CONFLICT DO UPDATE SET articles = articles + 1
            """, [Value(article.source.id)])
    }

    func markUnread(_ article: Int64) throws {
        let users: [Int64] = try transaction.query(
            """
            SELECT r.user_id FROM article_reader AS r WHERE r.article_id = ?1 AND NOT EXISTS (
                SELECT 1 FROM quiet_source AS q CROSS JOIN article AS a ON a.source_id = q.source_id
                WHERE q.user_id = r.user_id AND a.id = ?1)
            """, [Value(article)]
        ) { try $0.value(0) }
        for user in users {
            _ = try MarkWriter(transaction: transaction, user: user, time: now).make(.read(false), of: .ids([article]))
        }
    }

    func expiredArticles(of source: Source.ID, keeping retention: Retention, limit: Int) throws -> [Int64] {
        guard let statement = ExpiredArticles(of: source, keeping: retention, limit: limit, at: now) else { return [] }
        return try transaction.query(statement.sql, statement.values) { try $0.value(0) }
    }

    func update(_ old: Article, to new: Article, from origin: ArticleOrigin) throws {
        let labelsStay =
            new.published == old.published && new.title.isIdentical(to: old.title)
            && new.authors.isIdentical(to: old.authors) && new.tags.isIdentical(to: old.tags)
        // Delete the labels while the article still has the date and the title by which the index finds them.
        if !labelsStay { try transaction.run("DELETE FROM article_label WHERE article_id = ?", [Value(new.id)]) }
        try transaction.run(
            """
            UPDATE article SET source_id = ?, key = ?, content_hash = ?, is_edited = ?, slug = ?, title = ?,
            title_key = ?, authors = ?, tags = ?, summary = ?, language = ?, published_at = ?, published_offset = ?,
            updated_at = ?, reading_minutes = ?, address_hash = ? WHERE id = ?
            """, columns(of: new, from: origin) + [Value(new.id)])
        try transaction.run(
            """
            UPDATE article_body SET format = ?, source_url = ?, base_url = ?, extra = ?, body = ?, checksum = ?
            WHERE article_id = ?
            """, bodyColumns(of: new))
        if !labelsStay { try LabelIndex(transaction: transaction).insert(new) }
    }

    func update(_ entry: ArticleEntry) throws {
        try transaction.run(
            "UPDATE article SET content_hash = ?, is_edited = ? WHERE id = ?",
            [Self.value(of: entry.origin.content), Value(entry.origin.isEdited), Value(entry.id)])
    }

    func delete(id: Int64, forGood: Bool) throws -> Bool {
        if forGood {
            try transaction.run(
                """
                INSERT OR REPLACE INTO deleted_article (source_id, key, content_hash)
                SELECT source_id, key, content_hash FROM article WHERE id = ?1
                UNION ALL SELECT source_id, key, content_hash FROM article_appearance WHERE article_id = ?1
                """, [Value(id)])
        }
        return try transaction.run("DELETE FROM article WHERE id = ?", [Value(id)]) > 0
    }

    func articleCreated(by request: [UInt8]) throws -> (id: Int64, content: [UInt8])? {
        try transaction.first(
            "SELECT article_id, content_hash FROM creation WHERE request_hash = ? AND created_at > ?",
            [.blob(request), Value(now.addingTimeInterval(-Creation.lifetime))]
        ) { (id: try $0.value(0), content: try $0.value(1)) }
    }

    func record(_ creation: Creation, of article: Int64) throws {
        try transaction.run(
            "DELETE FROM creation WHERE created_at <= ?", [Value(now.addingTimeInterval(-Creation.lifetime))])
        try transaction.run(
            "INSERT OR REPLACE INTO creation (request_hash, content_hash, article_id, created_at) VALUES (?, ?, ?, ?)",
            [.blob(creation.request), .blob(creation.content), Value(article), Value(now)])
    }

    func deletion(key: ExactText, of source: Source.ID) throws -> Deletion? {
        try transaction.first(
            "SELECT key, content_hash FROM deleted_article WHERE source_id = ? AND key = ?",
            [Value(source), Value(key.text)], Self.deletion)
    }

    func record(_ deletion: Deletion, of source: Source.ID) throws {
        try transaction.run(
            "INSERT OR REPLACE INTO deleted_article (source_id, key, content_hash) VALUES (?, ?, ?)",
            [Value(source), Value(deletion.key.text), Self.value(of: deletion.content)])
    }

    func forgetDeletion(key: ExactText, of source: Source.ID) throws {
        try transaction.run(
            "DELETE FROM deleted_article WHERE source_id = ? AND key = ?", [Value(source), Value(key.text)])
    }

    func deletions(of source: Source.ID) throws -> [Deletion] {
        try transaction.query(
            "SELECT key, content_hash FROM deleted_article WHERE source_id = ? ORDER BY key", [Value(source)],
            Self.deletion)
    }

    private static func deletion(_ row: Row) throws -> Deletion {
        Deletion(key: ExactText(try row.value(0) as String), content: try content(row, at: 1))
    }

    private static func content(_ row: Row, at index: Int) throws -> UInt64? {
        (try row.value(index) as Int64?).map { UInt64(bitPattern: $0) }
    }

    private static func entry(_ row: Row, at index: Int) throws -> ArticleEntry {
        ArticleEntry(
            id: try row.value(index),
            origin: ArticleOrigin(content: try content(row, at: index + 1), isEdited: try row.value(index + 2)))
    }

    private static func value(of content: UInt64?) -> Value { Value(content.map { Int64(bitPattern: $0) }) }

    private func columns(of article: Article, from origin: ArticleOrigin) -> [Value] {
        [
            Value(article.source.id), Value(article.key.text), Self.value(of: origin.content), Value(origin.isEdited),
            Value(article.slug), Value(article.title), Value(ArticleQuery.titleKey(article.title)),
            Value(ArticleRow.text(of: article.authors)), Value(ArticleRow.text(of: article.tags)),
            Value(article.summary), Value(article.language), Value(article.published), Value(article.publishedOffset),
            Value(article.updated), Value(article.readingMinutes),
            Value(article.sourceURL.flatMap(StoryAddress.init)?.hash),
        ]
    }

    private func bodyColumns(of article: Article) -> [Value] {
        [
            Value(article.format.rawValue), Value(article.sourceURL), Value(article.baseURL), Value(article.extra),
            Value(article.body), Value(ArticleChecksum(article).value), Value(article.id),
        ]
    }
}

/// Finds slugs that a person may have meant with a slug that does not exist.
enum SimilarSlugs {
    private static let after = "SELECT slug FROM article WHERE slug >= ? AND slug < ? ORDER BY slug LIMIT 1000"
    private static let before = "SELECT slug FROM article WHERE slug < ? AND slug >= ? ORDER BY slug DESC LIMIT 1000"

    /// See `ArticleRepository.slugs(similarTo:)`.
    static func of(_ typed: String, in database: some Queryable) throws -> [String] {
        let slug = typed.lowercased()
        let same = try database.query("SELECT slug FROM article WHERE slug = ?", [Value(slug)]) {
            try $0.value(0) as String
        }
        guard same.isEmpty, let start = slug.first.map({ String($0) }) else { return same }
        // Read the slugs before and after the first two letters, if they begin with the same letter.
        let end = Value(behindTextBeginningWith: start)
        let place = String(slug.prefix(2))
        let found =
            try database.query(Self.after, [Value(place), end]) { try $0.value(0) as String }
            + database.query(Self.before, [Value(place), Value(start)]) { try $0.value(0) as String }
        return found.suggestions(for: slug)
    }
}
