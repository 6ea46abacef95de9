package import AuthService
internal import PostgreSQL
package import Text

/// The visits on a PostgreSQL server. See `VisitRepository`.
package struct PostgreSQLVisitRepository: VisitRepository {
    private let server: LibraryServer

    /// Creates a repository of the visits on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Returns a visit. See `VisitRepository`.
    package func visit(_ id: [UInt8]) async throws -> (visit: StoredVisit, version: Int)? {
        try await server.first(
            Statement("SELECT owner, holder, content, used_at, version FROM visit WHERE id = $1", [.bytes(id)])
        ) { row in
            let visit = StoredVisit(
                id: id, owner: try row.value(0), holder: try row.value(1), content: try row.value(2),
                usedAt: try row.value(3))
            return (visit, try row.value(4))
        }
    }

    /// Adds a visit. See `VisitRepository`.
    package func add(_ visit: StoredVisit, keeping limit: Int, usedAfter oldest: Date) async throws {
        // Skip the rows that another server removes at the same time: waiting for each other could end in a deadlock.
        try await write([
            Statement(
                "DELETE FROM visit WHERE id IN (SELECT id FROM visit WHERE used_at <= $1 FOR UPDATE SKIP LOCKED)",
                [Value(oldest)]),
            Statement(
                """
                INSERT INTO visit (id, owner, holder, content, version, used_at) VALUES ($1, $2, $3, $4, 1, $5)
                ON CONFLICT (id) DO NOTHING
                """,
                [
                    .bytes(visit.id), .bytes(visit.owner), .bytes(visit.holder), .bytes(visit.content),
                    Value(visit.usedAt),
                ]),
            Statement(
                """
                DELETE FROM visit WHERE id IN (
                    SELECT v.id FROM visit AS v
                    JOIN (SELECT holder, count(*) AS visits FROM visit GROUP BY holder) AS h ON h.holder = v.holder
                    WHERE v.id <> $1 ORDER BY h.visits DESC, v.used_at
                    LIMIT greatest(0, (SELECT count(*) FROM visit) - $2::bigint) FOR UPDATE OF v SKIP LOCKED)
                """, [.bytes(visit.id), Value(limit)]),
        ])
    }

    /// Replaces a visit. See `VisitRepository`.
    package func replace(_ visit: StoredVisit, version: Int) async throws -> Bool {
        try await write([
            Statement(
                """
                UPDATE visit SET owner = $1, holder = $2, content = $3, version = version + 1, used_at = $4
                WHERE id = $5 AND version = $6
                """,
                [
                    .bytes(visit.owner), .bytes(visit.holder), .bytes(visit.content), Value(visit.usedAt),
                    .bytes(visit.id), Value(version),
                ])
        ])[0].affected > 0
    }

    /// Records a use. See `VisitRepository`.
    package func touch(_ id: [UInt8], at time: Date) async throws {
        try await write([Statement("UPDATE visit SET used_at = $1 WHERE id = $2", [Value(time), .bytes(id)])])
    }

    /// Removes a visit. See `VisitRepository`.
    package func remove(_ id: [UInt8]) async throws {
        try await write([Statement("DELETE FROM visit WHERE id = $1", [.bytes(id)])])
    }

    /// A visit lasts minutes, so do not wait for the disk.
    @discardableResult
    private func write(_ statements: [Statement]) async throws -> [Rows] {
        Array(try await server.write(["SET LOCAL synchronous_commit = off"] + statements).dropFirst())
    }
}
