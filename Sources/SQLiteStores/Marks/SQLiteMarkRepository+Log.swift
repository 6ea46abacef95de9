package import ArticleStore
import Database

extension SQLiteMarkRepository: MarkLog {
    /// Returns the marks that a user changed. See `MarkLog.changes(of:after:limit:)`.
    /// - Throws: `StoreError`.
    package func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let limit = ArticlePage.size(limit)
        return try database.read { snapshot in
            let rows = try snapshot.query(
                """
                SELECT sequence, article_id FROM mark_change WHERE user_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
                """, [Value(user), Value(position), Value(limit + 1)]
            ) { (sequence: try $0.value(0) as Int64, article: try $0.value(1) as Int64) }
            let known = rows.prefix(limit)
            var changes = MarkChanges(position: known.last?.sequence ?? position)
            changes.marks = try MarkRow.marks(of: known.map(\.article), by: user, in: snapshot)
            changes.allRead = try Self.allRead(by: user, in: snapshot).map { .init(upTo: $0.upTo, changed: $0.changed) }
            changes.goesOn = rows.count > limit
            return changes
        }
    }
}
