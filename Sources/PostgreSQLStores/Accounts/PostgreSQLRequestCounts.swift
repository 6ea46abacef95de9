package import AuthService
internal import PostgreSQL

/// The requests that all servers have counted. See `RequestCounts`.
package struct PostgreSQLRequestCounts: RequestCounts {
    private let server: LibraryServer

    /// Creates the counts on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    /// Adds the new requests of this server. See `RequestCounts`.
    package func exchange(
        _ new: [RequestCount], in minute: Int, reporting limit: Int
    ) async throws -> [RequestCount] {
        let reached = Statement(
            "SELECT minute, client, count FROM request_count WHERE minute = $1 AND count >= $2",
            [Value(minute), Value(limit)])
        guard !new.isEmpty else { return try await server.query(reached, RequestCount.init) }
        let rows = try await server.write([
            // The table is not in the log, but the commit of another transaction may be.
            "SET LOCAL synchronous_commit = off",
            Statement(
                """
                DELETE FROM request_count
                WHERE (minute, client) IN (
                    SELECT minute, client FROM request_count WHERE minute < $1 - 1 FOR UPDATE SKIP LOCKED)
                """, [Value(minute)]),
            // All servers lock the rows in the same order.
            Statement(
                """
                INSERT INTO request_count (minute, client, count)
                SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS new (minute, client, count)
                ORDER BY minute, client COLLATE "C"
                ON CONFLICT (minute, client) DO UPDATE SET count = request_count.count + excluded.count
                RETURNING minute, client, count
                """,
                [
                    .integers(new.map { Int64($0.minute) }), .texts(new.map(\.client)),
                    .integers(new.map { Int64($0.count) }),
                ]),
            reached,
        ])
        return try translating { try rows.suffix(2).joined().map(RequestCount.init) }
    }
}

extension RequestCount {
    fileprivate init(_ row: Row) throws {
        self.init(client: try row.value(1), minute: try row.value(0), count: try row.value(2))
    }
}
