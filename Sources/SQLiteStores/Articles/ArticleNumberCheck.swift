import ArticleStore
package import Database

/// Finds articles to which another program has given new numbers without changing the references to them. Their texts
/// then have article numbers that do not exist. The checksum of a text tells to which article it belongs.
package struct ArticleNumberCheck: Check {
    private let database: Database

    /// Creates a check of a database with the schema of this package.
    package init(database: Database) { self.database = database }

    /// Returns the findings. For the errors see `Check`.
    package func findings() throws -> [Finding] {
        let count = try database.read { try Self.lost(in: $0).count }
        guard count > 0 else { return [] }
        return [
            Finding(
                .reference, on: "article",
                count == 1
                    ? "the number of 1 article differs from that of its text, so the text is not found"
                    : "the numbers of \(count) articles differ from those of their texts, so the texts are not found",
                advice: "a repair restores the numbers", isRepairable: true)
        ]
    }

    /// Gives each such article its old number, so it is again connected with everything that belongs to it.
    package func repair() throws { try database.write { try Self.repair(in: $0) } }

    static func repair(in transaction: Transaction) throws {
        let lost = try lost(in: transaction)
        guard !lost.isEmpty else { return }
        let references: [(table: String, column: String)] = try transaction.query(
            """
            SELECT t.name, f."from" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
            WHERE t.type = 'table' AND f."table" = 'article'
            """
        ) { (try $0.value(0), try $0.value(1)) }
        for (article, number) in lost {
            let isUsed = try references.contains { table, column in
                try transaction.first("SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT 1", [Value(article)]) { _ in
                    true
                }
                    ?? false
            }
            // If something already refers to the article by its new number (for example, a mark), the article keeps
            // that number, and its text moves to it.
            let change =
                isUsed
                ? "UPDATE article_body SET article_id = ?1 WHERE article_id = ?2"
                : "UPDATE article SET id = ?2 WHERE id = ?1"
            try transaction.run(change, [Value(article), Value(number)])
        }
        try SearchIndex(transaction: transaction).clear()
    }

    /// The maximum number of attempts to match a text with an article. If a program has renumbered all articles in
    /// order, each text matches the next article at once.
    private static let tries = 200_000

    /// Returns the articles without a text for which there is a matching text, and the old number of each.
    private static func lost(in connection: some Queryable) throws -> [(article: Int64, number: Int64)] {
        var articles: [Int64] = try connection.query(
            "SELECT id FROM article WHERE id NOT IN (SELECT article_id FROM article_body) ORDER BY id"
        ) { try $0.value(0) }
        let numbers: [Int64] = try connection.query(
            """
            SELECT article_id FROM article_body
            WHERE article_id NOT IN (SELECT id FROM article) AND checksum IS NOT NULL ORDER BY article_id
            """
        ) { try $0.value(0) }
        var lost: [(article: Int64, number: Int64)] = []
        var (next, rest) = (0, tries)
        for number in numbers where !articles.isEmpty {
            let fitting = try (0..<articles.count).lazy.map { (next + $0) % articles.count }.first { index in
                rest -= 1
                return try rest >= 0 && fits(articles[index], number, in: connection)
            }
            guard let fitting else { continue }
            lost.append((articles.remove(at: fitting), number))
            next = articles.isEmpty ? 0 : fitting % articles.count
        }
        return lost
    }

    private static func fits(_ article: Int64, _ number: Int64, in connection: some Queryable) throws -> Bool {
        try connection.first(ArticleRow.selectWithTextOf, [Value(article), Value(number)]) { row in
            guard let article = try? ArticleRow.article(row) else { return false }
            return try row.value(ArticleRow.nextColumn) as Int64? == ArticleChecksum(article).value
        } ?? false
    }
}
