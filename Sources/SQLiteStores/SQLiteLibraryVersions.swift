package import ArticleStore
package import Database

/// The versions of a library in a file. See `LibraryVersions`.
package struct SQLiteLibraryVersions: LibraryVersions {
    private let database: Database

    /// Creates the versions of the library in `database`.
    package init(database: Database) { self.database = database }

    /// Returns the present version. See `LibraryVersions`.
    package func current() async throws -> LibraryVersion? {
        try translating { try database.version() }.map { LibraryVersion(String($0)) }
    }
}
