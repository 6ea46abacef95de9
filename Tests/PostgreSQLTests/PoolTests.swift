import Foundation
import PostgreSQL
import Synchronization
import Testing

@Suite("Connection pool", .withServer)
struct PoolTests {
    @Test("A read returns the values of each type")
    func types() async throws {
        let pool = try Server.pool()
        let rows = try await pool.read([
            Statement(
                "SELECT $1::bigint, $2::text, $3::bytea, $4::boolean, $5::float8, $6::bigint, 7::smallint, 8::int",
                [.integer(.min), "Grüße, 世界", .bytes([0, 1, 255]), true, .real(-0.5), .null])
        ])
        let row = try #require(rows.first?.first)
        #expect(try row.value(0) as Int64 == .min)
        #expect(try row.value(1) as String == "Grüße, 世界")
        #expect(try row.value(2) as [UInt8] == [0, 1, 255])
        #expect(try row.value(3) as Bool)
        #expect(try row.value(4) as Double == -0.5)
        #expect(try row.value(5) as Int? == nil)
        #expect(try row.value(6) as Int == 7)
        #expect(try row.value(7) as Int? == 8)
    }

    @Test("Arrays are sent as arrays, also empty ones and with NULL")
    func arrays() async throws {
        let rows = try await Server.pool().read([
            Statement(
                """
                SELECT array_to_string($1::bigint[], ','), array_to_string($2::text[], ',', '-'),
                    array_length($3::bytea[], 1), cardinality($4::text[])
                """,
                [.integers([3, -1]), .optionalTexts(["a,b", nil, ""]), .byteStrings([[], [9]]), .texts([])])
        ])
        let row = try #require(rows.first?.first)
        #expect(try row.value(0) as String == "3,-1")
        #expect(try row.value(1) as String == "a,b,-,")
        #expect(try row.value(2) as Int == 2)
        #expect(try row.value(3) as Int == 0)
    }

    @Test(
        "A value of another type, NULL, or a missing column is an error",
        arguments: ["SELECT 'a'", "SELECT NULL::bigint", "SELECT 1.5::float8", "SELECT"])
    func wrongType(sql: String) async throws {
        let rows = try await Server.pool().read([Statement(sql)])
        let row = try #require(rows.first?.first)
        #expect(throws: PostgreSQLError.unexpectedValue(column: 0, expected: "Int")) { try row.value(0) as Int }
    }

    @Test("The statements of a read see one snapshot")
    func snapshot() async throws {
        let pool = try Server.pool()
        let table = try await Server.table("n bigint", in: pool)
        async let changes: Void = {
            for _ in 0..<50 {
                try await pool.write { try await $0.run([Statement("INSERT INTO \(table) VALUES (1)")]) }
            }
        }()
        for _ in 0..<50 {
            let counts = try await pool.read([
                Statement("SELECT count(*) FROM \(table)"), Statement("SELECT 1, count(*) FROM \(table)"),
            ])
            #expect(try counts[0].first?.value(0) as Int? == counts[1].first?.value(1) as Int?)
        }
        try await changes
    }

    @Test("A read of several statements is one round trip")
    func oneRoundTrip() async throws {
        let count = Atomic(0)
        let pool = try Server.pool(onRoundTrip: { count.add(1, ordering: .relaxed) })
        _ = try await pool.read(["SELECT 1", "SELECT 2", "SELECT 3"])
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("A transaction is stored as a whole, and not at all if its body throws")
    func transaction() async throws {
        struct Stop: Error {}
        let pool = try Server.pool()
        let table = try await Server.table("n bigint", in: pool)
        try await pool.write { transaction in
            transaction.queue([Statement("INSERT INTO \(table) VALUES (1)")])
            let rows = try await transaction.run([Statement("SELECT count(*) FROM \(table)")])
            #expect(try rows[0].first?.value(0) as Int? == 1)
            transaction.queue([Statement("INSERT INTO \(table) VALUES (2)")])
        }
        await #expect(throws: Stop.self) {
            try await pool.write { transaction in
                try await transaction.run([Statement("INSERT INTO \(table) VALUES (3)")])
                throw Stop()
            }
        }
        let rows = try await pool.read([Statement("SELECT n FROM \(table) ORDER BY n")])
        #expect(try rows[0].map { try $0.value(0) as Int } == [1, 2])
    }

    @Test("A transaction whose statements need no results is one round trip")
    func queuedTransaction() async throws {
        let count = Atomic(0)
        let pool = try Server.pool(onRoundTrip: { count.add(1, ordering: .relaxed) })
        let table = try await Server.table("n bigint", in: pool)
        let before = count.load(ordering: .relaxed)
        try await pool.write { $0.queue([Statement("INSERT INTO \(table) VALUES ($1)", [1])]) }
        #expect(count.load(ordering: .relaxed) == before + 1)
        try await pool.write { _ in }
        #expect(count.load(ordering: .relaxed) == before + 1)
    }

    @Test(
        "A refused statement is an error with the condition, and the connection stays usable",
        arguments: [
            ("SELEC 1", "42601"), ("SELECT * FROM missing_table", "42P01"), ("SELECT 1 / $1", "22012"),
            ("SELECT pg_sleep(1 / $1)", "22012"),
        ])
    func refused(sql: String, state: String) async throws {
        let pool = try Server.pool(connections: 1)
        let values: [Value] = sql.contains("$1") ? [0] : []
        let failing = Statement(sql, values)
        let before = try await pool.read(["SELECT pg_backend_pid()"])
        for statements in [[failing], ["SELECT 1", failing, "SELECT 2"]] {
            let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(statements) }
            #expect(error?.state == state)
            #expect(error?.isTransient == false)
        }
        let after = try await pool.read(["SELECT pg_backend_pid()"])
        #expect(try before[0].first?.value(0) as Int? == after[0].first?.value(0) as Int?)
    }

    @Test("The error names a violated constraint")
    func constraint() async throws {
        let pool = try Server.pool()
        let table = try await Server.table("n bigint CONSTRAINT positive_n CHECK (n > 0)", in: pool)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { try await $0.run([Statement("INSERT INTO \(table) VALUES (0)")]) }
        }
        guard case .refused(let refusal) = error else { return }
        #expect(refusal.constraint == "positive_n")
    }

    @Test("Statements larger than all buffers are sent and answered")
    func large() async throws {
        let pool = try Server.pool()
        let table = try await Server.table("n bigint, body text", in: pool)
        let body = String(repeating: "0123456789", count: 1_000)
        try await pool.write { transaction in
            // Each statement also returns 10 KB, so that both directions are full at the same time.
            let rows = try await transaction.run(
                (0..<1_000).map { number in
                    Statement("INSERT INTO \(table) VALUES ($1, $2) RETURNING body", [Value(number), .text(body)])
                })
            #expect(rows.count == 1_000)
            #expect(rows.allSatisfy { $0.affected == 1 })
        }
        let size = try await pool.read([Statement("SELECT sum(length(body)) FROM \(table)")])
        #expect(try size[0].first?.value(0) as Int? == 10_000_000)
    }

    @Test("More different statements than a connection keeps prepared still run")
    func manyStatements() async throws {
        let pool = try Server.pool(connections: 1)
        for number in 0..<600 {
            let rows = try await pool.read([Statement("SELECT \(number)::bigint"), "SELECT 'always'"])
            #expect(try rows[0].first?.value(0) as Int? == number)
        }
        let kept = try await pool.read(["SELECT count(*) FROM pg_prepared_statements"])
        let number: Int = try #require(kept[0].first).value(0)
        #expect(number <= 257)
    }

    @Test("A text runs with values of other types")
    func otherTypes() async throws {
        let pool = try Server.pool(connections: 1)
        let sql = "SELECT pg_typeof($1)::text"
        for (value, type) in [(1, "bigint"), ("a", "text"), (1, "bigint")] as [(Value, String)] {
            let rows = try await pool.read([Statement(sql, [value])])
            #expect(try rows[0].first?.value(0) as String? == type)
        }
    }

    @Test("If the server permits fewer connections than the pool, tasks wait for those that exist")
    func fewerConnections() async throws {
        let role = "r" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try await Server.pool().write([Statement("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 2")])
        let pool = try Server.pool(connections: 8, waitingTasks: 40, retries: 0, parameters: "&user=\(role)")
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await pool.write { transaction in
                        try await transaction.run(["SELECT 1"])
                        let rows = try await transaction.run([Statement("SELECT $1::bigint", [Value(number)])])
                        return try #require(rows[0].first).value(0)
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == Set(0..<40))
    }

    @Test("If the server refuses all connections, the error says so at once")
    func noConnection() async throws {
        let role = "r" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try await Server.pool().write([Statement("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")])
        let pool = try Server.pool(connections: 8, waitingTasks: 40, retries: 0, parameters: "&user=\(role)")
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(["SELECT 1"]) }
                    #expect(error?.isAboutConnectionLimit == true)
                }
            }
        }
    }

    @Test("A statement that does not get a lock waits for it once")
    func lockTimeout() async throws {
        let pool = try Server.pool()
        let table = try await Server.table("n bigint", in: pool)
        let other = try Server.pool(lockTimeout: .milliseconds(1))
        let attempts = Atomic(0)
        try await pool.write { transaction in
            try await transaction.run([Statement("LOCK TABLE \(table)")])
            let error = await #expect(throws: PostgreSQLError.self) {
                try await other.write { waiting in
                    attempts.add(1, ordering: .relaxed)
                    try await waiting.run([Statement("SELECT * FROM \(table)")])
                }
            }
            #expect(error?.state == "55P03")
        }
        #expect(attempts.load(ordering: .relaxed) == 1)
    }
}
