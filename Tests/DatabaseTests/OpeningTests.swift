import Database
import Foundation
import TestSupport
import Testing

@Suite("Opening a database")
struct OpeningTests {
    @Test("A foreign file is refused with the reason, and left unchanged byte for byte")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        func refuse(_ expected: DatabaseError, migrating: DatabaseError? = nil, _ comment: Comment) throws {
            let before = try? folder.bytes(of: "test.db")
            #expect(throws: expected, comment) { try Database(path: path, schema: .test) }
            if let migrating {
                #expect(throws: migrating, comment) { try Migrator(path: path, schema: .test).migrate() }
            }
            #expect((try? folder.bytes(of: "test.db")) == before, comment)
            #expect(try folder.names.allSatisfy { $0 == "test.db" }, comment)
        }
        try refuse(.missing(path: path), "no file")

        try Data(repeating: 65, count: 5000).write(to: URL(filePath: path))
        try refuse(.notADatabase(path: path), migrating: .notADatabase(path: path), "text")

        try Data("SQLite format 3\0".utf8).write(to: URL(filePath: path))
        try refuse(.notADatabase(path: path), migrating: .notADatabase(path: path), "a header cut short")

        try FileManager.default.removeItem(atPath: path)
        let other = Schema(applicationID: 77, migrations: Schema.test.migrations)
        _ = try Migrator(path: folder.file("other.db"), schema: other).migrate()
        // A backup is a complete database in one file.
        try Database(path: folder.file("other.db"), schema: other).backUp(to: path)
        for name in try folder.names where name != "test.db" {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try refuse(
            .foreign(path: path, applicationID: 77), migrating: .foreign(path: path, applicationID: 77),
            "another program")

        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try refuse(.notAFile(path: path), migrating: .notAFile(path: path), "a directory")

        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        try refuse(.notAFile(path: path), migrating: .notAFile(path: path), "a pipe")
    }

    @Test(
        "A durable commit waits for the disk, and a commit that is not durable does not, on the same connection")
    func durability() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        _ = try Migrator(path: path, schema: .test).migrate()
        let database = try Database(path: path, schema: .test)
        func synchronous(in transaction: Transaction) throws -> Int? {
            try transaction.first("PRAGMA synchronous") { try $0.value(0) }
        }
        func writeOnThread(isDurable: Bool) throws -> Int? {
            try database.write(isDurable: isDurable) { try synchronous(in: $0) }
        }
        for isDurable in [true, false, true] {
            #expect(try writeOnThread(isDurable: isDurable) == (isDurable ? 2 : 1))
            let inTask = try await database.write(isDurable: !isDurable) { try synchronous(in: $0) }
            #expect(inTask == (isDurable ? 1 : 2))
        }
    }

    @Test("A newer schema is refused by the migrator and by the database")
    func newer() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        _ = try Migrator(path: path, schema: .test.adding("CREATE TABLE more (id INTEGER)")).migrate()
        let expected = DatabaseError.newerSchema(path: path, found: 2, supported: 1)
        #expect(throws: expected) { try Database(path: path, schema: .test) }
        #expect(throws: expected) { try Migrator(path: path, schema: .test).migrate() }
        #expect(throws: expected) { try Migrator(path: path, schema: .test).status() }
    }

    @Test("An older schema is refused by the database until it is migrated")
    func older() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        _ = try Migrator(path: path, schema: .test).migrate()
        let newer = Schema.test.adding("CREATE TABLE more (id INTEGER)")
        #expect(throws: DatabaseError.needsMigration(path: path, found: 1, required: 2)) {
            try Database(path: path, schema: newer)
        }
    }

    @Test("A missing folder is named")
    func missingParent() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("no/such/test.db")
        #expect(throws: DatabaseError.cannotOpen(path: path, reason: "No such file or directory")) {
            try Migrator(path: path, schema: .test).migrate()
        }
    }

    @Test("Every file is readable only by its owner, whatever the umask")
    func modes() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        try database.backUp(to: folder.file("copy.db"))
        #expect(try folder.names == ["copy.db", "test.db", "test.db-lock", "test.db-shm", "test.db-wal"])
        for name in try folder.names { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
    }

    @Test("On a network file system the write-ahead log is not used, and a file with one is converted")
    func network() throws {
        let folder = try TemporaryFolder()
        try folder.database().write { try $0.run("INSERT INTO item (name) VALUES ('local')") }
        let database = try folder.database(Database.Configuration(isOnNetwork: true))
        let mode: String? = try database.read { try $0.first("PRAGMA journal_mode") { try $0.value(0) } }
        #expect(mode == "delete")
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('network')") }
        #expect(try !folder.names.contains("test.db-wal"))
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 2)
    }
}
