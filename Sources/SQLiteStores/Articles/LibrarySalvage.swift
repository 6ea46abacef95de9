import ArticleStore
package import Database

/// Completes a library that could be read only in part.
package struct LibrarySalvage: Hashable, Sendable {
    /// The number of articles that lost their text. It is empty now.
    package private(set) var withoutText = 0
    /// The number of articles whose checksum is wrong or whose values were impossible. The latter were deleted.
    /// Articles that lost their text are not included.
    package private(set) var altered = 0
    /// The number of sources that lost their names.
    package private(set) var sources = 0

    /// Nothing was lost.
    package static let nothing = LibrarySalvage()

    private init() {}

    /// Completes a library whose rows were recovered in part. A missing source is named “recovered” with its number, a
    /// missing text is empty, and the indexes are rebuilt. Imports restore articles that differ from their source.
    ///
    /// - Throws: `DatabaseError`.
    package init(completing transaction: Transaction) throws {
        sources = try transaction.run(
            """
            INSERT INTO source (id, uid, name, name_key, kind, problem_count, problems)
            SELECT source_id, lower(hex(randomblob(16))), 'recovered-' || source_id, 'recovered-' || source_id,
                'earlier', 0, '[]'
            FROM article WHERE source_id NOT IN (SELECT id FROM source) GROUP BY source_id
            """)
        withoutText = try transaction.run(
            """
            INSERT INTO article_body (article_id, format, extra, body)
            SELECT id, 'plain', '{}', '' FROM article WHERE id NOT IN (SELECT article_id FROM article_body)
            """)
        try transaction.run(
            """
            DELETE FROM article_appearance WHERE source_id NOT IN (SELECT id FROM source)
            OR NOT EXISTS (SELECT 1 FROM article AS a
                WHERE a.id = article_appearance.article_id AND a.source_id <> article_appearance.source_id)
            """)
        try transaction.run("DELETE FROM source_tag WHERE source_id NOT IN (SELECT id FROM source)")
        try transaction.run("DELETE FROM former_address WHERE source_id NOT IN (SELECT id FROM source)")
        try transaction.run("DELETE FROM subscription WHERE source_id NOT IN (SELECT id FROM source)")
        try transaction.run("DELETE FROM unsubscribed_source WHERE source_id NOT IN (SELECT id FROM source)")
        try transaction.run(
            "DELETE FROM subscription_password WHERE source_id NOT IN (SELECT source_id FROM subscription)")
        try transaction.run(
            """
            UPDATE hub_subscription SET source_id = NULL
            WHERE source_id NOT IN (SELECT source_id FROM subscription)
            """)
        try transaction.run("DELETE FROM source_icon WHERE source_id NOT IN (SELECT source_id FROM subscription)")
        try transaction.run("DELETE FROM quiet_source WHERE source_id NOT IN (SELECT source_id FROM subscription)")
        try transaction.run("DELETE FROM article_body WHERE article_id NOT IN (SELECT id FROM article)")
        try transaction.run(
            """
            DELETE FROM article_picture WHERE article_id NOT IN (SELECT id FROM article)
            OR picture_uid IS NOT NULL AND picture_uid NOT IN (SELECT uid FROM picture)
            """)
        try transaction.run(
            """
            DELETE FROM picture WHERE NOT EXISTS (SELECT 1 FROM article_picture WHERE picture_uid = picture.uid)
            """)
        try LabelIndex(transaction: transaction).rebuild()
        try SearchIndex(transaction: transaction).rebuild()
        altered = try acceptChanges(transaction) - withoutText
    }

    /// Accepts the articles as they are now, with new checksums.
    /// - Returns: the number of articles that were not as they were written.
    private func acceptChanges(_ transaction: Transaction) throws -> Int {
        let ids: [Int64] = try transaction.query("SELECT id FROM article ORDER BY id") { try $0.value(0) }
        var count = 0
        for id in ids {
            let written: Int64?? = try transaction.first(
                "SELECT checksum FROM article_body WHERE article_id = ?", [Value(id)]
            ) { try $0.value(0) as Int64? }
            let article: Article
            do {
                guard let found = try transaction.first(ArticleRow.selectByID, [Value(id)], ArticleRow.article) else {
                    continue
                }
                article = found
            } catch DatabaseError.unexpectedValue {
                // Delete an article with values that are not possible.
                try transaction.run("DELETE FROM article WHERE id = ?", [Value(id)])
                count += 1
                continue
            }
            let checksum = ArticleChecksum(article).value
            guard written != .some(checksum) else { continue }
            try transaction.run(
                "UPDATE article_body SET checksum = ? WHERE article_id = ?", [Value(checksum), Value(id)])
            // If an article does not have a checksum, it is unknown whether it changed. An empty plain text was
            // probably lost, so count it as changed.
            let isEmpty = article.body.isEmpty && article.format == .plain
            guard written?.flatMap({ $0 }) != nil || isEmpty else { continue }
            try transaction.run("UPDATE article SET content_hash = NULL WHERE id = ?", [Value(id)])
            count += 1
        }
        return count
    }
}
