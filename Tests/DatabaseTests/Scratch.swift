import Database
import Foundation
import TestSupport

/// A directory of its own for one test, removed with the value.
final class Scratch {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// A database with one table `item(id, name UNIQUE, parent REFERENCES item)`, migrated and open.
    func database(_ configuration: Database.Configuration = Database.Configuration()) throws -> Database {
        _ = try Migrator(path: file("test.db"), schema: .test).migrate()
        return try Database(path: file("test.db"), schema: .test, configuration: configuration)
    }

    func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
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

    /// This schema with more steps after its own.
    func adding(_ steps: String...) -> Schema {
        var migrations = migrations
        for sql in steps {
            migrations.append(Migration(version: migrations.count + 1, name: "step\(migrations.count + 1)", sql: sql))
        }
        return Schema(applicationID: applicationID, migrations: migrations)
    }
}
