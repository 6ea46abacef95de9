import AuthService
import PostgreSQL
import PostgreSQLStores
import StoreEngines
import Testing

@Suite("PostgreSQLRequestCounts", .withServer)
struct RequestCountTests {
    private func count(_ client: String, _ count: Int, in minute: Int = 100) -> RequestCount {
        RequestCount(client: client, minute: minute, count: count)
    }

    @Test("An exchange returns the sums of its clients, and the other clients that have reached the limit")
    func sums() async throws {
        let schema = try await TemporarySchema()
        let (first, second) = (
            PostgreSQLRequestCounts(schema.server), PostgreSQLRequestCounts(LibraryServer(try schema.otherPool()))
        )
        #expect(
            try await Set(first.exchange([count("a", 3), count("b", 4)], in: 100, reporting: 5))
                == [count("a", 3), count("b", 4)])
        #expect(
            try await Set(second.exchange([count("a", 2), count("c", 1)], in: 100, reporting: 5))
                == [count("a", 5), count("c", 1)])
        #expect(try await first.exchange([], in: 100, reporting: 5) == [count("a", 5)])
        #expect(
            try await Set(first.exchange([count("b", 1)], in: 100, reporting: 5)) == [count("a", 5), count("b", 5)])
        // The next minute begins at zero.
        #expect(try await first.exchange([count("a", 1, in: 101)], in: 101, reporting: 5) == [count("a", 1, in: 101)])
    }

    @Test("Counts of past minutes are removed")
    func old() async throws {
        let schema = try await TemporarySchema()
        let counts = PostgreSQLRequestCounts(schema.server)
        for minute in 100...102 { _ = try await counts.exchange([count("a", 1, in: minute)], in: minute, reporting: 5) }
        let minutes = try await schema.pool.read(["SELECT minute FROM request_count ORDER BY minute"])[0]
        #expect(try minutes.map { try $0.value(0) as Int } == [101, 102])
    }

    @Test("Servers that exchange the same clients at once lose no request, and wait for each other in no circle")
    func parallel() async throws {
        let schema = try await TemporarySchema()
        try await withThrowingTaskGroup { group in
            for server in 0..<4 {
                group.addTask {
                    let counts = PostgreSQLRequestCounts(LibraryServer(try schema.otherPool()))
                    let clients = (0..<40).map { "client \($0)" }
                    for _ in 0..<10 {
                        let new = (server % 2 == 0 ? clients : clients.reversed()).map {
                            RequestCount(client: $0, minute: 100, count: 1)
                        }
                        _ = try await counts.exchange(new, in: 100, reporting: 1_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = PostgreSQLRequestCounts(schema.server)
        let sums = try await counts.exchange([], in: 100, reporting: 1)
        #expect(sums.count == 40 && sums.allSatisfy { $0.count == 40 })
    }
}
