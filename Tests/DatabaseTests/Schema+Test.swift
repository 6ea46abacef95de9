import Database
import TestSupport

extension TemporaryFolder {
    /// A database with one table `item(id, name UNIQUE, parent REFERENCES item)`, migrated and open.
    func database(_ configuration: Database.Configuration = Database.Configuration()) throws -> Database {
        _ = try Migrator(path: file("test.db"), schema: .test).migrate()
        return try Database(path: file("test.db"), schema: .test, configuration: configuration)
    }
}

extension Schema {
    static let test = Schema(
        applicationID: 0x7465_7374,
        migrations: [
            Migration(
                version: 1, name: "items",
                sql: """
                    CREATE TABLE item (
                        id INTEGER PRIMARY KEY, name TEXT UNIQUE, parent INTEGER REFERENCES item (id), data BLOB
                    ) STRICT;
                    """)
        ])

    /// Returns this schema with more steps after its own.
    func adding(_ steps: String...) -> Schema {
        var migrations = migrations
        for sql in steps {
            migrations.append(Migration(version: migrations.count + 1, name: "step\(migrations.count + 1)", sql: sql))
        }
        return Schema(applicationID: applicationID, migrations: migrations)
    }
}
