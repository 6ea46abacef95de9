import Database
import Foundation
import Migrations
import TestSupport
import Testing

@Suite("The migrations folder")
struct MigrationsFolderTests {
    @Test("Every file of the folder is embedded, in order and unchanged")
    func embedded() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sql") }.sorted()
        try #require(!files.isEmpty)
        let embedded = Schema.articlesctl.migrations
        #expect(
            embedded.map { migration in
                let digits = String(migration.version)
                return String(repeating: "0", count: 4 - digits.count) + digits + "_\(migration.name).sql"
            } == files)
        for (migration, file) in zip(embedded, files) {
            #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == migration.sql)
        }
    }

    @Test("The schema is complete, and every table is STRICT")
    func whole() throws {
        let folder = try TemporaryFolder()
        _ = try Migrator(path: folder.file("a.db"), schema: .articlesctl).migrate()
        let database = try Database(path: folder.file("a.db"), schema: .articlesctl)
        #expect(try database.integrityProblems() == [])
        let loose: [String] = try database.read {
            try $0.query(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite%'"
            ) {
                try $0.value(0)
            }
        }
        #expect(loose == [])
    }
}
