import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: API tokens")
struct APITokenContractTests {
    private func token(_ number: UInt8, _ name: String, of user: User) throws -> StoredAPIToken {
        let id = try #require(
            Session.ID(String(repeating: "0", count: 14) + (number < 16 ? "0" : "") + String(number, radix: 16)))
        return StoredAPIToken(
            token: APIToken(id: id, name: name, scope: .write, createdAt: time(0), expiresAt: time(100)), user: user,
            secretHash: [UInt8](repeating: number, count: 32))
    }

    private func insert(_ stored: StoredAPIToken, limit: Int = 9, in stores: Stores) async throws -> Bool {
        try await stores.accounts.createToken(stored, limit: limit, recording: event(.tokenCreated, user: stored.user))
    }

    @Test(
        "A token is found by its ID with its current user, and tokens are listed by name",
        arguments: StoreEngine.allCases)
    func found(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        let (second, first) = try (token(1, "zeta", of: user), token(2, "alpha 'x'", of: user))
        #expect(try await insert(second, in: stores))
        #expect(try await insert(first, in: stores))
        #expect(try await stores.accounts.token(second.token.id) == second)
        #expect(try await stores.accounts.tokens(of: user.id) == [first.token, second.token])
        _ = try await stores.accounts.change(.role(.editor), of: user.id, recording: event(.roleChanged, user: user))
        #expect(try await stores.accounts.token(first.token.id)?.user.role == .editor)
        #expect(try await stores.kinds(of: user) == [.registered, .tokenCreated, .tokenCreated, .roleChanged])
    }

    @Test("A user has each token name once, and at most the maximum of tokens", arguments: StoreEngine.allCases)
    func limits(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (other, user) = try await (stores.insert("op"), stores.insert("alice"))
        #expect(try await insert(token(1, "one", of: user), in: stores))
        #expect(try await insert(token(2, "one", of: other), in: stores))
        let again = try token(3, "one", of: user)
        await #expect(throws: AuthError.tokenNameTaken("one")) { try await insert(again, in: stores) }
        let more = try token(3, "two", of: user)
        await #expect(throws: AuthError.tooManyTokens(1)) { try await insert(more, limit: 1, in: stores) }
        #expect(try await stores.kinds(of: user) == [.registered, .tokenCreated])
    }

    @Test("A later use is recorded, and an earlier one is not", arguments: StoreEngine.allCases)
    func touched(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let stored = try token(1, "one", of: user)
        _ = try await insert(stored, in: stores)
        for seconds in [5, 3] as [Double] { try await stores.accounts.touchToken(stored.token.id, at: time(seconds)) }
        #expect(try await stores.accounts.tokens(of: user.id).map(\.lastUsedAt) == [time(5)])
    }

    @Test("Only its user revokes a token", arguments: StoreEngine.allCases)
    func revoked(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (other, user) = try await (stores.insert("op"), stores.insert("alice"))
        let stored = try token(1, "one", of: user)
        _ = try await insert(stored, in: stores)
        func revoke(by user: User) async throws -> Bool {
            try await stores.accounts.revokeToken(
                stored.token.id, of: user.id, recording: event(.tokenRevoked, user: user))
        }
        #expect(try await !revoke(by: other))
        #expect(try await stores.accounts.token(stored.token.id) != nil)
        #expect(try await revoke(by: user))
        #expect(try await !revoke(by: user))
        #expect(try await stores.accounts.token(stored.token.id) == nil)
        #expect(try await stores.kinds(of: user) == [.registered, .tokenCreated, .tokenRevoked])
    }

    @Test(
        "A token ends with its user, and with the password under which it was made", arguments: StoreEngine.allCases
    )
    func gone(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user, kept) = try await (stores.insert("op"), stores.insert("alice"), stores.insert("bob"))
        let (own, others) = try (token(1, "one", of: user), token(2, "one", of: kept))
        for stored in [own, others] { _ = try await insert(stored, in: stores) }
        let changed = user.changed(at: 5)
        _ = try await stores.accounts.changePassword(
            of: user, to: PasswordHash(encoded: "new"), opening: stores.session(4, of: changed, at: 5),
            recording: event(.passwordChanged, user: user))
        #expect(try await stores.accounts.token(own.token.id) == nil)
        #expect(try await !insert(own, in: stores))
        #expect(try await stores.accounts.token(others.token.id) == others)
        _ = try await stores.accounts.change(.deletion, of: kept.id, recording: event(.deleted, user: kept))
        #expect(try await stores.accounts.token(others.token.id) == nil)
    }
}
