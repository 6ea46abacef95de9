package import AuthService
package import Database
package import Text

/// The visits in a SQLite file. See `VisitRepository`.
package struct SQLiteVisitRepository: VisitRepository {
    private let database: LibraryFile

    /// Creates a repository of the visits in `database`.
    package init(database: Database) { self.database = LibraryFile(database) }

    /// Returns a visit. See `VisitRepository`.
    package func visit(_ id: [UInt8]) async throws -> (visit: StoredVisit, version: Int)? {
        try database.read { snapshot in
            try snapshot.first("SELECT owner, holder, content, used_at, version FROM visit WHERE id = ?", [.blob(id)]) {
                row in
                let visit = StoredVisit(
                    id: id, owner: try row.value(0), holder: try row.value(1), content: try row.value(2),
                    usedAt: try row.value(3))
                return (visit, try row.value(4))
            }
        }
    }

    /// Adds a visit. See `VisitRepository`.
    package func add(_ visit: StoredVisit, keeping limit: Int, usedAfter oldest: Date) async throws {
        try await write { transaction in
            try transaction.run("DELETE FROM visit WHERE used_at <= ?", [Value(oldest)])
            try transaction.run(
                """
                INSERT INTO visit (id, owner, holder, content, version, used_at) VALUES (?, ?, ?, ?, 1, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    .blob(visit.id), .blob(visit.owner), .blob(visit.holder), .blob(visit.content),
                    Value(visit.usedAt),
                ])
            let count: Int = try transaction.first("SELECT count(*) FROM visit") { try $0.value(0) } ?? 0
            guard count > limit else { return }
            try transaction.run(
                """
                DELETE FROM visit WHERE id IN (
                    SELECT v.id FROM visit AS v
                    JOIN (SELECT holder, count(*) AS visits FROM visit GROUP BY holder) AS h ON h.holder = v.holder
                    WHERE v.id <> ? ORDER BY h.visits DESC, v.used_at LIMIT ?)
                """, [.blob(visit.id), Value(count - limit)])
        }
    }

    /// Replaces a visit. See `VisitRepository`.
    package func replace(_ visit: StoredVisit, version: Int) async throws -> Bool {
        try await write { transaction in
            try transaction.run(
                """
                UPDATE visit SET owner = ?, holder = ?, content = ?, version = version + 1, used_at = ?
                WHERE id = ? AND version = ?
                """,
                [
                    .blob(visit.owner), .blob(visit.holder), .blob(visit.content), Value(visit.usedAt),
                    .blob(visit.id), Value(version),
                ]) > 0
        }
    }

    /// Records a use. See `VisitRepository`.
    package func touch(_ id: [UInt8], at time: Date) async throws {
        _ = try await write { try $0.run("UPDATE visit SET used_at = ? WHERE id = ?", [Value(time), .blob(id)]) }
    }

    /// Removes a visit. See `VisitRepository`.
    package func remove(_ id: [UInt8]) async throws {
        _ = try await write { try $0.run("DELETE FROM visit WHERE id = ?", [.blob(id)]) }
    }

    /// A visit lasts minutes, so do not wait for the disk.
    private func write<T: Sendable>(_ body: (Transaction) throws -> T) async throws -> T {
        try await database.write(isDurable: false, body)
    }
}
