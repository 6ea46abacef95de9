import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: second factors")
struct SecondFactorContractTests {
    private let secret = TOTPSecret(stored: Array(1...20))
    private let codes = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]

    private func add(_ secret: TOTPSecret? = nil, to user: User, in stores: Stores) async throws -> Bool {
        try await stores.accounts.addSecondFactor(
            secret ?? self.secret, step: 7, recoveryCodes: codes, to: user,
            recording: event(.secondFactorAdded, at: 3, user: user))
    }

    @Test("A user has the second factor that was stored, and others have none", arguments: StoreEngine.allCases)
    func stored(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        #expect(try await stores.accounts.secondFactor(of: user.id) == nil)
        #expect(try await add(to: user, in: stores))
        #expect(try await !add(TOTPSecret(stored: Array(2...21)), to: user, in: stores))
        let stored = try #require(try await stores.accounts.secondFactor(of: user.id))
        #expect(stored.factor == SecondFactor(since: time(3), recoveryCodes: 2))
        #expect(stored.secret.stored == secret.stored && stored.lastStep == 7)
        #expect(try await stores.accounts.secondFactor(of: other.id) == nil)
        #expect(try await stores.kinds(of: user) == [.registered, .secondFactorAdded])
    }

    @Test(
        "A factor is not stored after the password was changed or the user disabled",
        arguments: StoreEngine.allCases)
    func stale(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        #expect(try await !add(to: user.changed(at: 5), in: stores))
        _ = try await stores.accounts.change(
            .disabled(since: time(1)), of: user.id, recording: event(.disabled, user: user))
        #expect(try await !add(to: user, in: stores))
        #expect(try await stores.accounts.secondFactor(of: user.id) == nil)
    }

    @Test(
        "Only a later step of a code is accepted, and none of another secret", arguments: StoreEngine.allCases)
    func steps(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        try #require(try await add(to: user, in: stores))
        var taken: [Bool] = []
        for step in [6, 7, 9, 9, 8, 10] as [Int64] {
            taken.append(try await stores.accounts.use(step: step, of: user.id, by: secret))
        }
        #expect(taken == [false, false, true, false, false, true])
        let another = TOTPSecret(stored: Array(2...21))
        #expect(try await !stores.accounts.use(step: 20, of: user.id, by: another))
        #expect(try await !stores.accounts.use(step: 20, of: other.id, by: secret))
        #expect(try await stores.accounts.secondFactor(of: user.id)?.lastStep == 10)
    }

    @Test("Of many attempts with the same code at once, one succeeds", arguments: StoreEngine.allCases)
    func race(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        try #require(try await add(to: user, in: stores))
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await stores.accounts.use(step: 8, of: user.id, by: secret) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1)
    }

    @Test("A recovery code is used up, and new codes replace all", arguments: StoreEngine.allCases)
    func recoveryCodes(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        func use(_ code: [UInt8], of user: User) async throws -> Bool {
            try await stores.accounts.use(
                recoveryCode: code, of: user.id, recording: event(.recoveryCodeUsed, user: user))
        }
        func replace(of user: User) async throws -> Bool {
            try await stores.accounts.replaceRecoveryCodes(
                of: user.id, by: [[UInt8](repeating: 3, count: 32)],
                recording: event(.recoveryCodesRenewed, user: user))
        }
        try #require(try await add(to: user, in: stores))
        #expect(try await !use(codes[0], of: other))
        #expect(try await use(codes[0], of: user))
        #expect(try await !use(codes[0], of: user))
        #expect(try await stores.accounts.secondFactor(of: user.id)?.factor.recoveryCodes == 1)
        #expect(try await replace(of: user))
        #expect(try await !replace(of: other))
        #expect(try await !use(codes[1], of: user))
        #expect(try await use([UInt8](repeating: 3, count: 32), of: user))
        #expect(
            try await stores.kinds(of: user) == [
                .registered, .secondFactorAdded, .recoveryCodeUsed, .recoveryCodesRenewed, .recoveryCodeUsed,
            ])
        #expect(try await stores.kinds(of: other) == [.registered])
    }

    @Test("A factor is removed with its recovery codes, and ends with its user", arguments: StoreEngine.allCases)
    func removed(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        func remove() async throws -> Bool {
            try await stores.accounts.removeSecondFactor(
                of: user.id, recording: event(.secondFactorRemoved, user: user))
        }
        #expect(try await !remove())
        try #require(try await add(to: user, in: stores))
        #expect(try await remove())
        #expect(try await stores.accounts.secondFactor(of: user.id) == nil)
        // The codes of a removed factor work for nobody.
        #expect(try await add(to: user, in: stores))
        #expect(
            try await stores.kinds(of: user) == [
                .registered, .secondFactorAdded, .secondFactorRemoved, .secondFactorAdded,
            ])
        _ = try await stores.accounts.change(.deletion, of: user.id, recording: event(.deleted, user: user))
        #expect(try await stores.accounts.secondFactor(of: user.id) == nil)
    }

    @Test("A change of the password does not remove the factor", arguments: StoreEngine.allCases)
    func passwordChange(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        try #require(try await add(to: user, in: stores))
        let changed = try await stores.accounts.changePassword(
            of: user, to: PasswordHash(encoded: "other"), opening: stores.session(1, of: user.changed(at: 5)),
            recording: event(.passwordChanged, user: user))
        #expect(changed)
        #expect(try await stores.accounts.secondFactor(of: user.id)?.factor.recoveryCodes == 2)
    }
}
