package import ArticleStore
internal import PostgreSQL

/// The versions of a library on a server. See `LibraryVersions`.
package struct PostgreSQLLibraryVersions: LibraryVersions {
    private let server: LibraryServer

    /// Creates the versions of the library on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns the present version. See `LibraryVersions`.
    package func current() async throws -> LibraryVersion? {
        // A snapshot names the transactions whose changes it shows. Another server that takes over has another start.
        try await server.first("SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text") {
            LibraryVersion(try $0.value(0))
        }
    }
}
