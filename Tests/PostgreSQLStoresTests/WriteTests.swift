import AuthService
import ArticleStore
import PostgreSQL
import PostgreSQLStores
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("PostgreSQLAccountStore: writes", .withServer)
struct WriteTests {
    private static func create(_ name: String, in accounts: PostgreSQLAccountStore) async throws -> User {
        try await accounts.createUser(
            username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "hash"),
            invitation: nil,
            recording: AuditEvent(.registered, at: Date(timeIntervalSince1970: 1_700_000_000), client: "test"))
    }

    @Test(
        "A write whose answer is lost happens once, whether or not the server received its commit",
        arguments: [true, false])
    func lostAnswer(isDelivered: Bool) async throws {
        let schema = try await TemporarySchema()
        let proxy = try CuttingProxy(
            cutAt: "COMMIT", before: TemporarySchema.folder, isDelivered: isDelivered, times: 1)
        defer { proxy.stop() }
        let accounts = PostgreSQLAccountStore(LibraryServer(try schema.otherPool(through: proxy.folder)))
        let user = try await Self.create("alice", in: accounts)
        let direct = PostgreSQLAccountStore(schema.server)
        #expect(try await direct.users() == [user])
        #expect(try await direct.events(of: user.id, limit: 10).map(\.kind) == [.registered])
        #expect(try await direct.verifyAuditLog() == nil)
        // The first commit may have ended without its standby, so another one must wait for both.
        let later = try await schema.pool.read(["SELECT a.xmin <> w.xmin FROM account AS a, applied_write AS w"])
        #expect(try later[0].map { try $0.value(0) as Bool } == [isDelivered])
    }

    @Test("If every answer is lost, the outcome is unknown")
    func allAnswersLost() async throws {
        let schema = try await TemporarySchema()
        let proxy = try CuttingProxy(cutAt: "COMMIT", before: TemporarySchema.folder, isDelivered: false)
        defer { proxy.stop() }
        let accounts = PostgreSQLAccountStore(LibraryServer(try schema.otherPool(through: proxy.folder)))
        let error = await #expect(throws: StoreError.self) { try await Self.create("alice", in: accounts) }
        #expect(error?.kind == .unknownOutcome)
    }

    @Test("A statement without a key is not sent again if its answer is lost")
    func withoutKey() async throws {
        let schema = try await TemporarySchema()
        let proxy = try CuttingProxy(cutAt: "admit_attempt", before: TemporarySchema.folder)
        defer { proxy.stop() }
        let counter = AttemptCounter(key: [UInt8](repeating: 1, count: 32), rule: .tally(memory: 100))
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let accounts = PostgreSQLAccountStore(LibraryServer(try schema.otherPool(through: proxy.folder)))
        let error = await #expect(throws: StoreError.self) {
            try await accounts.admitAttempt([[counter]], at: now, keeping: 10)
        }
        #expect(error?.kind == .unknownOutcome)
        let direct = PostgreSQLAccountStore(schema.server)
        let attempts = try await direct.admitAttempt([[counter]], at: now, keeping: 10)
        #expect(attempts == [.admitted(failures: [2])])
    }

    @Test("The log of two servers that write at the same time has no gap, and the numbers of users are unique")
    func twoServers() async throws {
        let schema = try await TemporarySchema()
        let stores = [
            PostgreSQLAccountStore(schema.server), PostgreSQLAccountStore(LibraryServer(try schema.otherPool())),
        ]
        let users = try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { try await Self.create("user\(number)", in: stores[number % 2]) }
            }
            return try await group.reduce(into: [User]()) { $0.append($1) }
        }
        #expect(users.map(\.id).sorted() == Array(1...20))
        #expect(users.filter { $0.role == .operator }.count == 1)
        #expect(try await stores[0].verifyAuditLog() == nil)
        #expect(try await stores[0].events(matching: AuditQuery(limit: 100)).map(\.id) == (1...20).reversed())
    }

    @Test(
        "The first fault of the log is reported with its place",
        arguments: [
            ("UPDATE audit SET client = 'x' WHERE id IN (5, 8)", AuditFault.changed(5)),
            ("UPDATE audit SET event = 'nonsense' WHERE id = 7", .changed(7)),
            ("UPDATE audit SET hash = NULL WHERE id = 4", .changed(4)),
            ("DELETE FROM audit WHERE id IN (4, 5)", .missing(4)),
            ("DELETE FROM audit WHERE id > 8", .missing(9)),
            ("DELETE FROM audit_chain", .noChain),
            ("UPDATE audit_chain SET head_id = 9", .changed(10)),
        ])
    func faults(damage: String, fault: AuditFault) async throws {
        let schema = try await TemporarySchema()
        let accounts = PostgreSQLAccountStore(schema.server)
        for number in 1...10 { _ = try await Self.create("user\(number)", in: accounts) }
        try await schema.pool.write([Statement(damage)])
        #expect(try await accounts.verifyAuditLog() == fault)
    }

    @Test("Without the end of the audit log, a write fails and changes nothing")
    func noChain() async throws {
        let schema = try await TemporarySchema()
        try await schema.pool.write(["DELETE FROM audit_chain"])
        let accounts = PostgreSQLAccountStore(schema.server)
        let error = await #expect(throws: StoreError.self) { try await Self.create("alice", in: accounts) }
        #expect(error?.kind == .damaged)
        #expect(try await accounts.users() == [])
    }

    @Test("A text with a NUL character, and one with the escape of such a character, are read back")
    func anyText() async throws {
        let schema = try await TemporarySchema()
        let accounts = PostgreSQLAccountStore(schema.server)
        for text in ["a\0b", "\0", "\u{10FFFD}0", "\u{10FFFD}", "\u{10FFFD}\0\u{10FFFD}1", ""] {
            let event = AuditEvent(.loggedIn, at: Date(timeIntervalSince1970: 0), client: text)
            try await accounts.record([event])
            #expect(try await accounts.events(matching: AuditQuery(limit: 1)).map(\.event) == [event])
        }
    }
}
