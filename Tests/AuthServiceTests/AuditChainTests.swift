import SQLiteStores
import AuthService
import Database
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("SQLiteAccountStore: the chain of hashes")
struct AuditChainTests {
    /// A log of ten records. With `unchained`, the first three are from before the chain.
    private func log(unchained: Bool = false) async throws -> (TemporaryDatabase, SQLiteAccountStore) {
        let storage = try TemporaryDatabase()
        if unchained {
            try await storage.database.write { transaction in
                for id in 1...3 {
                    try transaction.run(
                        "INSERT INTO audit (id, at, event, client) VALUES (?, 0, 'loggedIn', '')", [.integer(Int64(id))]
                    )
                }
                try transaction.run("UPDATE audit_chain SET anchor_id = 3, head_id = 3")
            }
        }
        let log = SQLiteAccountStore(database: storage.database)
        try await log.record((unchained ? 4...10 : 1...10).map { event(.loggedIn, at: Double($0), client: "\($0)") })
        return (storage, log)
    }

    @Test("An unchanged log is valid, also an empty one and one with records from before the chain")
    func whole() async throws {
        for unchained in [false, true] {
            let (storage, log) = try await log(unchained: unchained)
            defer { withExtendedLifetime(storage) {} }
            #expect(try await log.verifyAuditLog() == nil)
        }
        let storage = try TemporaryDatabase()
        defer { withExtendedLifetime(storage) {} }
        #expect(try await SQLiteAccountStore(database: storage.database).verifyAuditLog() == nil)
    }

    @Test(
        "The first fault is reported with its place",
        arguments: [
            ("UPDATE audit SET client = 'x' WHERE id IN (5, 8)", AuditFault.changed(5)),
            ("UPDATE audit SET at = at + 1 WHERE id = 1", .changed(1)),
            ("UPDATE audit SET event = 'nonsense' WHERE id = 7", .changed(7)),
            ("UPDATE audit SET user_id = 3 WHERE id = 10", .changed(10)),
            ("UPDATE audit SET detail = client, client = detail WHERE id = 6", .changed(6)),
            ("UPDATE audit SET actor = 'system:root' WHERE id = 4", .changed(4)),
            ("UPDATE audit SET origin = 'x' WHERE id = 4", .changed(4)),
            ("UPDATE audit SET session_id = '0123456789abcdef' WHERE id = 4", .changed(4)),
            ("UPDATE audit SET hash = NULL WHERE id = 4", .changed(4)),
            ("DELETE FROM audit WHERE id = 1", .missing(1)),
            ("DELETE FROM audit WHERE id IN (4, 5)", .missing(4)),
            ("DELETE FROM audit WHERE id > 8", .missing(9)),
            ("DELETE FROM audit", .missing(1)),
            ("DELETE FROM audit_chain", .noChain),
            ("UPDATE audit_chain SET head_hash = zeroblob(32)", .changed(10)),
            ("UPDATE audit_chain SET head_id = 9", .changed(10)),
            ("DELETE FROM audit WHERE id < 4; UPDATE audit_chain SET anchor_id = 3", .changed(4)),
            ("INSERT INTO audit (at, event, client) VALUES (0, 'loggedIn', '')", .changed(11)),
        ])
    func faults(sql: String, fault: AuditFault) async throws {
        let (storage, log) = try await log()
        try await storage.database.write { try $0.execute(sql) }
        #expect(try await log.verifyAuditLog() == fault)
    }

    @Test("An addition to an origin beyond its maximum length is noticed")
    func longOrigin() async throws {
        let (storage, log) = try await log()
        let origin = Origin(String(repeating: "x", count: 200))
        try await log.record([AuditEvent(.loggedIn, at: time(11), client: "", origin: origin)])
        #expect(try await log.verifyAuditLog() == nil)
        try await storage.database.write { try $0.execute("UPDATE audit SET origin = origin || 'y' WHERE id = 11") }
        #expect(try await log.verifyAuditLog() == .changed(11))
    }

    @Test("A record removed at the end is noticed even if the log continues")
    func cutEnd() async throws {
        let (storage, log) = try await log()
        try await storage.database.write { try $0.execute("DELETE FROM audit WHERE id > 8") }
        try await log.record([event(.loggedIn)])
        #expect(try await log.verifyAuditLog() == .missing(9))
    }

    @Test("Records from before the chain are pruned like others")
    func pruned() async throws {
        let (storage, log) = try await log(unchained: true)
        defer { withExtendedLifetime(storage) {} }
        func prune(before seconds: Double) async throws {
            try await log.removeExpired(
                at: time(20), idleSince: time(20), eventsBefore: time(seconds), onceBefore: time(seconds),
                recording: event(.logPruned, at: 20))
        }
        try await prune(before: 0)
        #expect(try await log.verifyAuditLog() == nil)
        #expect(try await log.events(matching: AuditQuery()).map(\.id) == [11, 10, 9, 8, 7, 6, 5, 4])
        try await prune(before: 6)
        #expect(try await log.verifyAuditLog() == nil)
        #expect(try await log.events(matching: AuditQuery()).map(\.id) == [12, 11, 10, 9, 8, 7, 6])
    }

    @Test("Events are listed from the end, and those of one user from the end of theirs")
    func plans() async throws {
        let (storage, _) = try await log()
        for (condition, plan) in [
            ("?1 IS NULL", "SCAN audit"), ("user_id = ?1", "SEARCH audit USING INDEX audit_by_user"),
        ] {
            let steps = try storage.database.read { snapshot in
                try snapshot.query(
                    "EXPLAIN QUERY PLAN SELECT client FROM audit WHERE " + condition + " ORDER BY id DESC LIMIT ?2",
                    [.integer(1), .integer(1)]
                ) { try $0.value(3) as String }
            }
            #expect(steps.count == 1 && steps[0].hasPrefix(plan), "\(steps)")
        }
    }

    @Test("An event contains its origin")
    func origins() async throws {
        let world = try World()
        try await world.register("op", from: .away(0))
        await #expect(throws: AuthError.invalidCredentials) {
            try await world.logIn("op", password: .wrong, from: .away(1))
        }
        let token = try await world.logIn("op", from: .away(2)).token
        _ = try await world.auth.changePassword(token: token, old: .good, new: .other)
        let code = try await world.auth.issueReset(for: Username("op"), by: .system(user: "root")).code
        try await world.auth.resetPassword(code: code.text, new: .good, from: .away(3))
        let log = try await world.auth.events(matching: AuditQuery(), by: .system(user: "root")).reversed()
        #expect(
            log.map { [$0.event.kind.rawValue, $0.event.origin.text] } == [
                ["registered", "away 0"], ["logInFailed", "away 1"], ["loggedIn", "away 2"],
                ["passwordChanged", "away 2"], ["resetIssued", ""], ["passwordReset", "away 3"],
            ])
    }

    @Test("A login prunes the log once the oldest record is a day too old")
    func byLogIn() async throws {
        let world = try World()
        try await world.register()
        func count() async throws -> Int {
            try await world.auth.events(matching: AuditQuery(kind: .registered), by: .system(user: "root")).count
        }
        world.clock.advance(by: 366.5 * day)
        _ = try await world.logIn()
        #expect(try await count() == 1)
        world.clock.advance(by: day)
        _ = try await world.logIn()
        #expect(try await count() == 0)
        #expect(try await world.auth.verifyLog(by: .system(user: "root")) == nil)
    }

    @Test("Only an operator reads the log")
    func refused() async throws {
        let world = try World()
        try await world.register("op")
        try await world.register()
        let token = try await world.logIn().token
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await world.auth.events(matching: AuditQuery(), by: .token(token))
        }
        await #expect(throws: AuthError.notAllowed(.operator)) { try await world.auth.verifyLog(by: .token(token)) }
        #expect(try await world.auth.events(matching: AuditQuery(), by: .token(world.logIn("op").token)).count == 5)
    }
}
