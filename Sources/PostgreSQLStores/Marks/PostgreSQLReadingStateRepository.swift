internal import ArticleStore
internal import PostgreSQL

/// The bookmarks and appearances in the tables `session_place` and `account_appearance`.
package struct PostgreSQLReadingStateRepository: ReadingStateRepository {
    private let server: LibraryServer

    /// Creates a repository of the reading states on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns the bookmark of a session. See `ReadingStateRepository`.
    package func bookmark(ofSession session: String) async throws -> String? {
        try await server.first(
            Statement("SELECT place FROM session_place WHERE session_id = $1", [Value(anyText: session)])
        ) { try $0.anyText(0) }
    }

    /// Saves the bookmark of a session. See `ReadingStateRepository`.
    package func saveBookmark(_ bookmark: String, ofSession session: String) async throws {
        try await server.write([
            // It changes with every page, so do not wait for the disk.
            "SET LOCAL synchronous_commit = off",
            Statement(
                """
                INSERT INTO session_place (session_id, place) SELECT id, $2 FROM session WHERE id = $1
                ON CONFLICT (session_id) DO UPDATE SET place = excluded.place
                """,
                [Value(anyText: session), Value(anyText: bookmark)]),
        ])
    }

    /// Returns the appearance of a user. See `ReadingStateRepository`.
    package func preferences(ofUser user: Int64) async throws -> String? {
        try await server.first(
            Statement("SELECT appearance FROM account_appearance WHERE user_id = $1", [.integer(user)])
        ) { try $0.anyText(0) }
    }

    /// Saves the appearance of a user. See `ReadingStateRepository`.
    package func savePreferences(_ appearance: String, ofUser user: Int64) async throws {
        try await server.write([
            Statement(
                """
                INSERT INTO account_appearance (user_id, appearance) SELECT id, $2 FROM account WHERE id = $1
                ON CONFLICT (user_id) DO UPDATE SET appearance = excluded.appearance
                """,
                [.integer(user), Value(anyText: appearance)])
        ])
    }
}
