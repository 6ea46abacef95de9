import Database
import Foundation
import TestSupport
import Testing

@Suite("Migrator")
struct MigratorTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    func migrator(_ folder: TemporaryFolder, _ schema: Schema) -> Migrator {
        let now = now
        return Migrator(path: folder.file("test.db"), schema: schema, clock: { now })
    }

    @Test("A new database gets every step, and a second run does nothing")
    func fresh() throws {
        let folder = try TemporaryFolder()
        let schema = Schema.test.adding("CREATE TABLE more (id INTEGER) STRICT")
        #expect(try migrator(folder, schema).status().map(\.state) == [.pending, .pending])
        let first = try migrator(folder, schema).migrate()
        #expect(first.applied.map(\.version) == [1, 2] && first.backupPath == nil)
        #expect(try migrator(folder, schema).migrate().applied.isEmpty)
        let applied = Migrator.Step.State.applied(at: now, isUnchanged: true)
        #expect(try migrator(folder, schema).status().map(\.state) == [applied, applied])
    }

    @Test("The status creates no file")
    func statusOfNothing() throws {
        let folder = try TemporaryFolder()
        #expect(try migrator(folder, .test).status().map(\.state) == [.pending])
        #expect(try folder.names.isEmpty)
    }

    @Test("Before a database with content is changed, a backup is made that opens at the old version")
    func backup() throws {
        let folder = try TemporaryFolder()
        try folder.database().write { try $0.run("INSERT INTO item (name) VALUES ('kept')") }
        let outcome = try migrator(folder, .test.adding("DELETE FROM item")).migrate()
        let backup = try #require(outcome.backupPath)
        #expect(backup == folder.file("test.db.v1-20231114T221320Z.backup"))
        let restored = try Database(path: backup, schema: .test)
        #expect(try restored.read { try $0.first("SELECT name FROM item") { try $0.value(0) } } == "kept")
    }

    @Test("No backup is made if none is wanted, nor if there is nothing to do")
    func noBackup() throws {
        let folder = try TemporaryFolder()
        _ = try folder.database()
        #expect(try migrator(folder, .test).migrate().backupPath == nil)
        let outcome = try migrator(folder, .test.adding("CREATE TABLE more (id INTEGER)")).migrate(backup: false)
        #expect(outcome.backupPath == nil && outcome.applied.count == 1)
        #expect(try folder.names.filter { $0.hasSuffix(".backup") }.isEmpty)
    }

    @Test(
        "A failed step is rolled back completely, and the steps before it stay",
        arguments: [
            "CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1)",
            "CREATE TABLE half (id INTEGER); SELECT",
            "CREATE TABLE half (id INTEGER); INSERT INTO item (name, parent) VALUES ('orphan', 99)",
        ])
    func failure(_ sql: String) throws {
        let folder = try TemporaryFolder()
        let schema = Schema.test.adding("CREATE TABLE good (id INTEGER)", sql)
        #expect(throws: DatabaseError.self) { try migrator(folder, schema).migrate() }
        #expect(try migrator(folder, schema).status().filter { $0.state == .pending }.map(\.migration.version) == [3])
        let database = try Database(
            path: folder.file("test.db"), schema: .test.adding("CREATE TABLE good (id INTEGER)"))
        let tables: [String] = try database.read {
            try $0.query("SELECT name FROM sqlite_schema WHERE name IN ('good', 'half')") { try $0.value(0) }
        }
        #expect(tables == ["good"])
    }

    @Test("A table that others refer to can be rebuilt")
    func rebuild() throws {
        let folder = try TemporaryFolder()
        try folder.database().write { transaction in
            try transaction.run("INSERT INTO item (id, name) VALUES (1, 'parent')")
            try transaction.run("INSERT INTO item (id, name, parent) VALUES (2, 'child', 1)")
        }
        let schema = Schema.test.adding(
            """
            CREATE TABLE item_new (id INTEGER PRIMARY KEY, name TEXT, parent INTEGER REFERENCES item (id)) STRICT;
            INSERT INTO item_new SELECT id, name, parent FROM item;
            DROP TABLE item;
            ALTER TABLE item_new RENAME TO item;
            """)
        _ = try migrator(folder, schema).migrate()
        let database = try Database(path: folder.file("test.db"), schema: schema)
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 2)
        #expect(try database.integrityProblems() == [])
    }

    @Test("A step that was changed after it was applied is found, and no further step is applied")
    func changed() throws {
        let folder = try TemporaryFolder()
        _ = try migrator(folder, .test.adding("CREATE TABLE one (id INTEGER)")).migrate()
        let changed = Schema.test.adding("CREATE TABLE other (id INTEGER)", "CREATE TABLE three (id INTEGER)")
        #expect(
            throws: DatabaseError.migrationChanged(path: folder.file("test.db"), version: 2, name: "step2")
        ) { try migrator(folder, changed).migrate() }
        #expect(
            try migrator(folder, changed).status().map(\.state) == [
                .applied(at: now, isUnchanged: true), .applied(at: now, isUnchanged: false), .pending,
            ])
    }

    @Test("A database with a step that was changed after it was applied does not open, and the error names the step")
    func changedOpening() throws {
        let folder = try TemporaryFolder()
        _ = try migrator(folder, .test.adding("CREATE TABLE one (id INTEGER)")).migrate()
        #expect(
            throws: DatabaseError.migrationChanged(path: folder.file("test.db"), version: 2, name: "step2")
        ) { try Database(path: folder.file("test.db"), schema: .test.adding("CREATE TABLE other (id INTEGER)")) }
    }

    @Test(
        "A file with this program's mark and without a schema record is refused, with the reason",
        arguments: [
            "DROP TABLE schema_migration", "DROP TABLE schema_migration; PRAGMA user_version = 0",
            "DROP TABLE schema_migration; DROP TABLE item",
        ])
    func noRecord(_ sql: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        try folder.database().write { try $0.execute(sql) }
        let expected = DatabaseError.unknownSchema(path: path)
        #expect(throws: expected) { try Database(path: path, schema: .test) }
        #expect(throws: expected) { try migrator(folder, .test).status() }
        #expect(throws: expected) { try migrator(folder, .test).migrate() }
    }

    @Test("Each try within a second makes its own backup")
    func backupsOfASecond() throws {
        let folder = try TemporaryFolder()
        try folder.database().write { try $0.run("INSERT INTO item (name) VALUES ('kept')") }
        for _ in 1...3 {
            #expect(throws: DatabaseError.self) {
                try migrator(folder, .test.adding("INSERT INTO nowhere VALUES (1)")).migrate()
            }
        }
        let start = "test.db.v1-20231114T221320Z"
        #expect(
            try folder.names.filter { $0.hasSuffix(".backup") } == [
                "\(start)-2.backup", "\(start)-3.backup", "\(start).backup",
            ])
    }

    @Test("A database without content is not backed up")
    func nothingToBackUp() throws {
        let folder = try TemporaryFolder()
        let first = Schema.test.adding("CREATE TABLE \"odd \"\"name\" (id INTEGER PRIMARY KEY AUTOINCREMENT)")
        _ = try migrator(folder, first).migrate()
        let second = first.adding("CREATE TABLE more (id INTEGER)")
        #expect(try migrator(folder, second).migrate().backupPath == nil)
        try Database(path: folder.file("test.db"), schema: second).write {
            try $0.run("INSERT INTO \"odd \"\"name\" DEFAULT VALUES")
        }
        #expect(try migrator(folder, second.adding("SELECT 1")).migrate().backupPath != nil)
    }

    @Test("Of many migrators at once, one applies each step")
    func concurrency() async throws {
        let folder = try TemporaryFolder()
        let schema = Schema.test.adding("CREATE TABLE a (id INTEGER)", "CREATE TABLE b (id INTEGER)")
        let migrator = migrator(folder, schema)
        let applied = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try migrator.migrate().applied.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(applied.sorted() == [0, 0, 0, 0, 0, 0, 0, 3])
    }

    @Test("An interrupted creation is continued")
    func emptyFile() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.file("test.db")))
        #expect(throws: DatabaseError.needsMigration(path: folder.file("test.db"), found: 0, required: 1)) {
            try Database(path: folder.file("test.db"), schema: .test)
        }
        #expect(try migrator(folder, .test).migrate().applied.count == 1)
    }
}
