import Foundation
import Testing

@Suite("The log of events")
struct AuditTests {
    @Test("The log shows actor, event, and result, the latest first, and accepts filters")
    func list() async throws {
        let home = try await Home.prepared()
        try await home.register("bob")
        try await home.logIn("bob", password: Home.otherPassword)
        try await home.logIn("bob")
        try await home.run("export", "--output", "all.jsonl")
        let events = try await home.run("audit", "--user", "bob", "--json").object().objects("events")
        #expect(events.map { $0.string("event") } == ["exported", "loggedIn", "logInFailed", "registered"])
        #expect(events.map { $0.string("outcome") } == ["success", "success", "failure", "success"])
        #expect(
            events.allSatisfy {
                $0.keys == ["at", "by", "client", "detail", "event", "id", "origin", "outcome", "session", "user"]
            })
        #expect(events.first?.string("detail") == "jsonl")
        #expect(events.first?.string("session")?.count == 16)
        #expect(events.first?.integer("user") == 2)

        func count(_ options: String...) async throws -> Int { try await home.run(["audit"] + options).lines.count }
        #expect(try await count("--event", "logInFailed") == 1)
        #expect(try await count("--user", "2", "--limit", "3") == 3)
        #expect(try await count("--since", "2100-01-01") == 0)
        // The log has records, but none that match.
        #expect(try await !home.run("audit", "--since", "2100-01-01").error.contains("empty"))
        #expect(try await count("--until", "2000-01-01") == 0)
        let row = try #require(try await home.run("audit", "--event", "logInFailed").lines.first)
        #expect(row.contains("\tlogInFailed\tfailure\tbob\t"))
    }

    @Test("A deleted user has a number, and an unknown event or user is refused")
    func gone() async throws {
        let home = try await Home.prepared()
        try await home.register("bob")
        try await home.run("users", "delete", "bob", "--yes")
        let rows = try await home.run("audit", "--user", "2").lines
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.contains("\tuser 2\t") })
        #expect(rows.first?.contains("\tsystem:") == true)
        #expect(try await home.run("audit", "--user", "bob").status == 66)
        #expect(try await home.run("audit", "--event", "nonsense").status == 64)
        #expect(try await home.run("audit", "--since", "soon").status == 64)
        #expect(try await home.run("audit", "--limit", "0").status == 64)
    }

    @Test("A changed or removed record is named")
    func verify() async throws {
        let home = try await Home.prepared()
        let whole = try await home.run("audit", "verify")
        #expect(whole.status == 0)
        #expect(whole.status == 0)
        #expect(try await home.run("audit", "verify", "--json").object().bool("whole") == true)
        _ = try await home.sql("UPDATE audit SET client = 'x' WHERE id = 2")
        let cut = try await home.run("audit", "verify")
        #expect(cut.status == 65)
        #expect(cut.error.contains("record 2 "))
    }

    @Test("Only an operator sees the log as a screen")
    func screen() async throws {
        let home = try await Home.prepared()
        try await home.register("bob")
        try await home.logIn("bob")
        #expect(try await home.run("open", "/audit", "--no-input").status == 77)
        let refused = try await home.run("audit", "--event", "accessRefused").lines
        #expect(refused.count == 1 && refused.first?.hasSuffix("\t/audit") == true)
        try await home.logIn("ada")
        #expect(try await home.run("open", "/audit", "--no-input").lines.contains { $0.contains("\tloggedIn\t") })
    }
}
