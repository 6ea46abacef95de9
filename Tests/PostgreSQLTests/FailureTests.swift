import PostgreSQL
import Synchronization
import TestSupport
import Testing

@Suite("Failures of a server", .withServer)
struct FailureTests {
    @Test("A statement ends at its deadline although the server does not answer, and the next one works")
    func deadline() async throws {
        // The server's own limit is off, as if the server were frozen.
        let pool = try Server.pool(connections: 1, patience: .seconds(10))
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { transaction in
                try await transaction.run(["SET LOCAL statement_timeout = 0", "SELECT pg_sleep(600)"])
            }
        }
        #expect(error == .deadlinePassed)
        #expect(try await pool.read(["SELECT 1"]).count == 1)
    }

    @Test("The server's limit for a statement is shorter than the deadline, and the connection stays usable after it")
    func statementTimeout() async throws {
        let usual = try Server.pool(patience: .seconds(600))
        let limit = try await usual.read(["SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'"])
        #expect(try limit[0].first?.value(0) as Int? == 540_000)

        let pool = try Server.pool(connections: 1, parameters: "&options=-cstatement_timeout%3D200")
        let before = try await pool.read(["SELECT pg_backend_pid()"])
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(["SELECT pg_sleep(600)"]) }
        #expect(error?.state == "57014")
        let after = try await pool.read(["SELECT pg_backend_pid()"])
        #expect(try before[0].first?.value(0) as Int? == after[0].first?.value(0) as Int?)
    }

    @Test("The server ends the statement of a canceled task, if it permits that, and no other")
    func cancellation() async throws {
        let pool = try Server.pool(connections: 1)
        let observer = try Server.pool(connections: 1)
        let running = Statement(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE state = 'active' AND query = 'SELECT pg_sleep(601)' AND pid <> pg_backend_pid()
            """)
        func count() async throws -> Int { try #require(try await observer.read([running])[0].first).value(0) }
        let task = Task { try await pool.read(["SELECT pg_sleep(601)"], isCancellable: true) }
        while try await count() == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while try await count() > 0 { await Task.yield() }
        #expect(try await pool.read(["SELECT 1"]).count == 1)

        let table = try await Server.table("n bigint", in: pool)
        let other = Task {
            while !Task.isCancelled { await Task.yield() }
            try await pool.write([Statement("INSERT INTO \(table) VALUES (1)")])
            return try await pool.read([Statement("SELECT n FROM \(table)")])[0].count
        }
        other.cancel()
        #expect(try await other.value == 1)
    }

    @Test("A read repeats itself if the server closed the connection")
    func closedIdle() async throws {
        let pool = try Server.pool(connections: 1)
        let other = try Server.pool(connections: 1)
        let pid: Int = try #require(try await pool.read(["SELECT pg_backend_pid()"])[0].first).value(0)
        _ = try await other.read([Statement("SELECT pg_terminate_backend($1::int)", [Value(pid)])])
        #expect(try await pool.read(["SELECT 1"]).count == 1)
    }

    @Test("A transaction whose connection ends before the commit is repeated, and stored once")
    func lostBeforeCommit() async throws {
        let pool = try Server.pool(connections: 1)
        let other = try Server.pool(connections: 1)
        let table = try await Server.table("n bigint", in: pool)
        let attempts = Atomic(0)
        try await pool.write { transaction in
            let attempt = attempts.add(1, ordering: .relaxed).newValue
            let rows = try await transaction.run([
                Statement("INSERT INTO \(table) VALUES ($1)", [Value(attempt)]), "SELECT pg_backend_pid()",
            ])
            if attempt == 1 {
                let pid: Int = try #require(rows[1].first).value(0)
                _ = try await other.read([Statement("SELECT pg_terminate_backend($1::int)", [Value(pid)])])
            }
            try await transaction.run(["SELECT 1"])
        }
        let rows = try await pool.read([Statement("SELECT n FROM \(table)")])
        #expect(try rows[0].map { try $0.value(0) as Int } == [2])
    }

    /// Returns a statement that ends its own connection when it is executed for the first time.
    private static func stopOnce(in pool: ConnectionPool) async throws -> Statement {
        let table = try await Server.table("n bigserial", in: pool)
        return Statement(
            """
            SELECT CASE WHEN nextval('\(table)_n_seq') = 1
                THEN pg_terminate_backend(pg_backend_pid())::text || pg_sleep(600)::text ELSE 'again' END
            """)
    }

    @Test("A read that a stopping server ends is repeated")
    func stoppedRead() async throws {
        let pool = try Server.pool(connections: 1)
        let rows = try await pool.read([try await Self.stopOnce(in: pool)])
        #expect(try rows[0].first?.value(0) as String? == "again")
    }

    @Test("A transaction that a stopping server ends before the commit is repeated")
    func stoppedTransaction() async throws {
        let pool = try Server.pool(connections: 1)
        let statement = try await Self.stopOnce(in: pool)
        let rows = try await pool.write { try await $0.run([statement]) }
        #expect(try rows[0].first?.value(0) as String? == "again")
    }

    @Test("After one connection ends, the other idle ones to the same server are not used")
    func idleConnections() async throws {
        let proxy = try CuttingProxy(cutAt: "the end", before: Server.folder, times: 1)
        defer { proxy.stop() }
        let pool = try Server.pool(connections: 2, parameters: "&host=\(proxy.folder)")
        let pid: Statement = "SELECT pg_backend_pid()"
        let pids = try await pool.write { transaction in
            let first: Int = try #require(try await transaction.run([pid])[0].first).value(0)
            let second: Int = try #require(try await pool.read([pid])[0].first).value(0)
            return [first, second]
        }
        let rows = try await pool.read(["SELECT pg_backend_pid(), 'the end'"])
        let later: Int = try #require(rows[0].first).value(0)
        #expect(!pids.contains(later))
    }

    @Test("A host that does not answer does not hide the next one, which is then the first to be asked")
    func silentHost() async throws {
        let silent = try RawServer("")
        defer { silent.stop() }
        let pool = try Server.pool(
            connections: 2, patience: .seconds(3),
            parameters: "&host=127.0.0.1,\(Server.folder)&port=\(silent.port),5432")
        try await pool.write { transaction in
            try await transaction.run(["SELECT 1"])
            let asked = silent.connections
            #expect(asked > 0)
            // This needs a second connection.
            _ = try await pool.read(["SELECT 2"])
            #expect(silent.connections == asked)
        }
    }

    @Test("If no host can be reached, the message has the reason of each")
    func noHost() async throws {
        let pool = try Server.pool(retries: 0, parameters: "&host=/nonexistent/a,/nonexistent/b")
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(["SELECT 1"]) }
        let message = String(describing: error)
        #expect(message.contains("/nonexistent/a/") && message.contains("/nonexistent/b/"))
    }

    @Test("A transaction that another one prevents is repeated")
    func serializationFailure() async throws {
        let pool = try Server.pool()
        let table = try await Server.table("n bigint", in: pool)
        try await pool.write { try await $0.run([Statement("INSERT INTO \(table) VALUES (0)")]) }
        let attempts = Atomic(0)
        try await pool.write { transaction in
            let attempt = attempts.add(1, ordering: .relaxed).newValue
            try await transaction.run([
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", Statement("SELECT n FROM \(table)"),
            ])
            if attempt == 1 {
                try await pool.write { try await $0.run([Statement("UPDATE \(table) SET n = n + 1")]) }
            }
            try await transaction.run([Statement("UPDATE \(table) SET n = n + 10")])
        }
        #expect(attempts.load(ordering: .relaxed) == 2)
        let rows = try await pool.read([Statement("SELECT n FROM \(table)")])
        #expect(try rows[0].first?.value(0) as Int? == 11)
    }

    @Test("A write whose connection ends during the commit has an unknown outcome, and is not repeated")
    func lostDuringCommit() async throws {
        let proxy = try CuttingProxy(cutAt: "COMMIT", before: Server.folder)
        defer { proxy.stop() }
        let pool = try Server.pool(connections: 1, parameters: "&host=\(proxy.folder)")
        let direct = try Server.pool(connections: 1)
        let table = try await Server.table("n bigint", in: direct)
        let attempts = Atomic(0)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { transaction in
                attempts.add(1, ordering: .relaxed)
                try await transaction.run([Statement("INSERT INTO \(table) VALUES (1)")])
            }
        }
        #expect(error?.isOutcomeUnknown == true)
        #expect(attempts.load(ordering: .relaxed) == 1)
    }

    @Test("A full queue and a queue that does not move are both busy")
    func busy() async throws {
        let pool = try Server.pool(connections: 1, waitingTasks: 1, patience: .seconds(10))
        let (isHeld, hold) = AsyncStream.makeStream(of: Void.self)
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await pool.write { transaction in
                // The server would end a transaction that waits this long.
                try await transaction.run(["SET LOCAL idle_in_transaction_session_timeout = 0"])
                hold.finish()
                for await _ in isOver {}
            }
        }
        for await _ in isHeld {}
        let waiting = Task { try await pool.read(["SELECT 2"]) }
        // The first of the two waits until its deadline, the second is refused at once.
        await #expect(throws: PostgreSQLError.busy) { try await pool.read(["SELECT 3"]) }
        await #expect(throws: PostgreSQLError.busy) { try await waiting.value }
        end.finish()
        try await holder.value
        #expect(try await pool.read(["SELECT 4"]).count == 1)
    }

    @Test("Waiting tasks all get the connection")
    func queue() async throws {
        let pool = try Server.pool(connections: 2, waitingTasks: 100)
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let rows = try await pool.read([Statement("SELECT $1::bigint", [Value(number)])])
                    return try #require(rows[0].first).value(0)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == Set(0..<100))
    }

    @Test("A server that is not there is unavailable")
    func missing() async throws {
        let pool = try Server.pool(retries: 0, parameters: "&host=/nonexistent")
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(["SELECT 1"]) }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A server that accepts connections but does not answer is unavailable at the deadline")
    func silent() async throws {
        let proxy = try CuttingProxy(cutAt: nil, before: Server.folder)
        defer { proxy.stop() }
        let pool = try Server.pool(patience: .milliseconds(300), retries: 0, parameters: "&host=\(proxy.folder)")
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.read(["SELECT 1"]) }
        #expect(error?.isTransient == true)
    }
}

@Suite("Addresses of servers")
struct AddressTests {
    @Test(
        "An address with a password is refused",
        arguments: ["postgres://alice:s3cret@db.example/articles", "postgres://db.example/articles?password=s3cret"])
    func password(url: String) throws {
        #expect(throws: PostgreSQLError.passwordInAddress) { try ServerAddress(url) }
    }

    @Test(
        "A text that is not a URL is refused, and the message does not quote it",
        arguments: [
            "articles.db", "postgres://alice:s3cret@host:port:port/", "postgres://host/db?nonsense=s3cret",
            "postgres://[::1", "postgres://alice:s3cret/articles",
        ])
    func malformed(url: String) throws {
        let error = #expect(throws: PostgreSQLError.self) { try ServerAddress(url) }
        #expect(!"\(String(describing: error))".contains("s3cret"))
    }

    @Test(
        "Only URLs with PostgreSQL's scheme are addresses",
        arguments: [
            ("postgres://host/db", true), ("PostgreSQL:///db", true), ("postgres.db", false),
            ("/srv/postgres://x", false),
        ])
    func scheme(text: String, isAddress: Bool) { #expect(ServerAddress.isAddress(text) == isAddress) }
}
