import ArticleStore
package import Database

/// Checks what is stored twice: the numbers of articles of each source and label, those that each user has read, and the dates
/// and titles of articles that appear in several sources.
package struct MarkCheck: Check {
    private let database: Database

    /// Creates a check of a database with the schema of this package.
    package init(database: Database) { self.database = database }

    /// Returns the findings. For the errors see `Check`.
    package func findings() throws -> [Finding] {
        let isWrong = try database.read { snapshot in
            try snapshot.first(Self.differences) { try $0.value(0) as Bool } ?? false
        }
        guard isWrong else { return [] }
        return [
            Finding(
                .count, on: "label",
                "stored numbers of articles (of a source, of a tag, or read), or copied dates or titles, are wrong",
                advice: "they can be recomputed", isRepairable: true)
        ]
    }

    package func repair() throws { try database.write { try Self.recount($0) } }

    /// Counts everything again.
    ///
    /// - Throws: `DatabaseError`.
    package static func recount(_ transaction: Transaction) throws {
        for table in ["source_size", "source_read", "label_read"] { try transaction.run("DELETE FROM \(table)") }
        try transaction.run("INSERT INTO source_size (source_id, articles, appearances) \(sources)")
        try transaction.run(
            """
            UPDATE article_appearance SET (published_at, title_key) = (
                SELECT a.published_at, a.title_key FROM article AS a WHERE a.id = article_appearance.article_id)
            WHERE article_id IN (SELECT id FROM article)
            """)
        try transaction.run(
            "UPDATE label SET articles = (SELECT count(*) FROM label_by_date WHERE label_id = label.id)")
        try transaction.run("INSERT INTO source_read (user_id, source_id, articles, appearances) \(sourcesRead)")
        try transaction.run("INSERT INTO label_read (user_id, label_id, articles) \(labelsRead)")
    }

    private static let sources = """
        SELECT source_id, sum(is_own), sum(NOT is_own) FROM (
            SELECT source_id, 1 AS is_own FROM article UNION ALL SELECT source_id, 0 FROM article_appearance)
        GROUP BY source_id
        """

    private static let sourcesRead = """
        SELECT user_id, source_id, sum(is_own), sum(NOT is_own) FROM (
            SELECT r.user_id, a.source_id, 1 AS is_own
            FROM article_reader AS r CROSS JOIN article AS a ON a.id = r.article_id
            UNION ALL
            SELECT r.user_id, p.source_id, 0
            FROM article_appearance AS p CROSS JOIN article_reader AS r ON r.article_id = p.article_id)
        GROUP BY user_id, source_id
        """

    private static let labelsRead = """
        SELECT r.user_id, l.label_id, count(*) FROM article_reader AS r
        CROSS JOIN article_label AS l ON l.article_id = r.article_id GROUP BY r.user_id, l.label_id
        """

    /// A statement that returns whether anything that is stored twice differs. A missing count is the same as 0.
    private static let differences: String = {
        let pairs = [
            (
                "SELECT source_id, articles, appearances FROM source_size WHERE articles <> 0 OR appearances <> 0",
                sources
            ),
            (
                "SELECT article_id, published_at, title_key FROM article_appearance",
                """
                SELECT p.article_id, a.published_at, a.title_key
                FROM article_appearance AS p CROSS JOIN article AS a ON a.id = p.article_id
                """
            ),
            (
                "SELECT id, articles FROM label WHERE articles <> 0",
                "SELECT label_id, count(*) FROM label_by_date GROUP BY label_id"
            ),
            (
                """
                SELECT user_id, source_id, articles, appearances FROM source_read
                WHERE articles <> 0 OR appearances <> 0
                """, sourcesRead
            ),
            ("SELECT user_id, label_id, articles FROM label_read WHERE articles <> 0", labelsRead),
        ]
        let tests = pairs.flatMap { kept, counted in
            [(kept, counted), (counted, kept)].map { "EXISTS (SELECT * FROM (\($0)) EXCEPT SELECT * FROM (\($1)))" }
        }
        return "SELECT " + tests.joined(separator: " OR ")
    }()
}

extension Finding.Kind {
    /// A stored count differs from the rows.
    package static let count = Finding.Kind("count")
}
