public import Database
import Foundation
import Migrations
import SQLiteStores
public import TestSupport

/// A migrated database with this package's schema, in a folder that is removed with the value.
public final class TemporaryDatabase: Sendable {
    /// The database.
    public let database: Database
    /// The folder of the database, which tests may use.
    public let folder: TemporaryFolder

    /// The file of a new database. Migrating takes as long as most tests, so each database is a copy.
    private static let migrated = Result {
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        _ = try Migrator(path: path, schema: .articlesctl).migrate(backup: false)
        return try folder.bytes(of: "articles.db")
    }

    /// Makes the database.
    public init() throws {
        folder = try TemporaryFolder()
        let path = try folder.write("articles.db", Self.migrated.get())
        // A writer waits for others as long as it takes: the machine may be busy.
        let configuration = Database.Configuration(busyTimeout: 3_600)
        database = try Database(path: path, schema: .articlesctl, configuration: configuration)
        // The copies are different libraries for clients.
        try database.write(isDurable: false) { try $0.renewLibraryCopy() }
    }
}
