import ArticleStore
package import Database

/// The bookmarks and appearances in the tables `session_place` and `user_appearance`.
package struct SQLiteReadingStateRepository: ReadingStateRepository {
    private let database: LibraryFile

    /// Creates a repository of the reading states in `database`.
    package init(database: Database) { self.database = LibraryFile(database) }

    /// Returns the bookmark of a session. See `ReadingStateRepository`.
    package func bookmark(ofSession session: String) async throws -> String? {
        try database.read { snapshot in
            try snapshot.first("SELECT place FROM session_place WHERE session_id = ?", [.text(session)]) {
                try $0.value(0)
            }
        }
    }

    /// Saves the bookmark of a session. See `ReadingStateRepository`.
    package func saveBookmark(_ bookmark: String, ofSession session: String) async throws {
        // It changes with every page, so do not wait for the disk.
        _ = try await database.write(isDurable: false) { transaction in
            try transaction.run(
                """
                INSERT INTO session_place (session_id, place) SELECT id, ?2 FROM session WHERE id = ?1
                ON CONFLICT DO UPDATE SET place = excluded.place
                """,
                [.text(session), .text(bookmark)])
        }
    }

    /// Returns the preferences of a user. See `ReadingStateRepository`.
    package func preferences(ofUser user: Int64) async throws -> String? {
        try database.read { snapshot in
            try snapshot.first("SELECT appearance FROM user_appearance WHERE user_id = ?", [.integer(user)]) {
                try $0.value(0)
            }
        }
    }

    /// Saves the preferences of a user. See `ReadingStateRepository`.
    package func savePreferences(_ preferences: String, ofUser user: Int64) async throws {
        _ = try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO user_appearance (user_id, appearance) SELECT id, ?2 FROM user WHERE id = ?1
                ON CONFLICT DO UPDATE SET appearance = excluded.appearance
                """,
                [.integer(user), .text(preferences)])
        }
    }
}
