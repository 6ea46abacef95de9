import Foundation
import PostgreSQL
import Testing

@Suite("Migrations on a server", .withServer)
struct MigratorTests {
    /// Creates a migrator for a schema of its own.
    private func migrator(
        _ migrations: [Migration], schema: String = "s" + UUID().uuidString.prefix(8).lowercased()
    ) async throws -> (migrator: Migrator, pool: ConnectionPool, schema: String) {
        let pool = try Server.pool(parameters: "&options=-c%20search_path%3D\(schema)")
        try await pool.write { try await $0.run([Statement("CREATE SCHEMA IF NOT EXISTS \(schema)")]) }
        return (Migrator(pool, migrations: migrations, lock: 7, clock: { 1_000 }), pool, schema)
    }

    private static let first = Migration(
        version: 15, name: "notes", sql: "CREATE TABLE note (n bigint); INSERT INTO note VALUES (1);")
    private static let second = Migration(version: 16, name: "texts", sql: "ALTER TABLE note ADD COLUMN text text;")

    @Test("Missing migrations are applied in order and recorded, and applied ones are not repeated")
    func order() async throws {
        let (migrator, pool, schema) = try await migrator([Self.first])
        #expect(try await migrator.applied().isEmpty)
        #expect(try await migrator.migrate() == [Self.first])
        let next = try await self.migrator([Self.first, Self.second], schema: schema).migrator
        #expect(try await next.migrate() == [Self.second])
        #expect(try await next.migrate().isEmpty)
        let applied = try await next.applied()
        #expect(applied.map(\.version) == [15, 16])
        #expect(applied.map(\.checksum) == [Self.first.checksum, Self.second.checksum])
        #expect(applied.map(\.appliedAt) == [1_000, 1_000])
        let rows = try await pool.read(["SELECT n, text FROM note"])
        #expect(try rows[0].map { try $0.value(0) as Int } == [1])
    }

    @Test("Migrators that run at the same time apply each migration once")
    func concurrent() async throws {
        let (_, _, schema) = try await migrator([])
        let applied = try await withThrowingTaskGroup(of: [Migration].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await migrator([Self.first, Self.second], schema: schema).migrator.migrate()
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.map(\.version).sorted() == [15, 16])
    }

    @Test("A migration that fails changes nothing and is not recorded")
    func failure() async throws {
        let broken = Migration(version: 16, name: "broken", sql: "CREATE TABLE half (n bigint); SELECT 1 / 0;")
        let (migrator, pool, _) = try await migrator([Self.first, broken])
        let error = await #expect(throws: PostgreSQLError.self) { try await migrator.migrate() }
        #expect(error?.state == "22012")
        #expect(try await migrator.applied().map(\.version) == [15])
        let tables = try await pool.read(["SELECT to_regclass('half') IS NULL"])
        #expect(try tables[0].first?.value(0) as Bool? == true)
    }

    @Test("The schema of a newer program and a changed migration are refused")
    func unusable() async throws {
        let (migrator, _, schema) = try await migrator([Self.first, Self.second])
        try await migrator.migrate()
        let older = try await self.migrator([Self.first], schema: schema).migrator
        await #expect(throws: MigrationError.newerSchema(found: 16, supported: 15)) { try await older.migrate() }
        let changed = Migration(version: 16, name: "texts", sql: "SELECT 1")
        let other = try await self.migrator([Self.first, changed], schema: schema).migrator
        await #expect(throws: MigrationError.changed(version: 16, name: "texts")) { try await other.migrate() }
    }
}
