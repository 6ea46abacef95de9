import AuthService
import StoreEngines
import Testing

@Suite("UserRepository contract")
struct UserRepositoryTests {
    @Test("a new account is found by its name, with all that was given", arguments: StoreEngine.allCases)
    func insert(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let hash = PasswordHash(encoded: "a\0b'; DROP TABLE user; --")
        let user = try await stores.users.insert(
            username: Username("alice"), region: Region("JP"), passwordHash: hash,
            recording: event(.registered, at: 7))
        #expect(user.username.text == "alice")
        #expect(user.region.code == "JP")
        #expect(user.createdAt == time(7))
        #expect(user.passwordChangedAt == time(7))
        let account = try await stores.users.account(named: Username("alice"))
        #expect(account == Account(user: user, passwordHash: hash))
        #expect(try await stores.users.account(named: Username("bob")) == nil)
        let events = try await stores.audit.events(of: user.id, limit: 10)
        #expect(events == [event(.registered, at: 7, user: user)])
    }

    @Test("a name is given once, also when many ask for it at the same time", arguments: StoreEngine.allCases)
    func taken(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let name = try Username("alice")
        let results = await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    do throws(any Error) {
                        _ = try await stores.insert("alice")
                        return "made"
                    } catch {
                        return error as? AuthError == .usernameTaken(name) ? "taken" : "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.sorted() == ["made"] + Array(repeating: "taken", count: 15))
        let account = try #require(try await stores.users.account(named: name))
        #expect(try await stores.kinds(of: account.user) == [.registered])
    }

    @Test(
        "a hash is replaced without touching the sessions or the age of the password",
        arguments: StoreEngine.allCases)
    func rehash(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let user = try await stores.insert("alice")
        let other = try await stores.insert("bob")
        try await stores.open(1, of: user)
        let account = try #require(try await stores.users.account(named: user.username))
        let hash = PasswordHash(encoded: "new")
        try await stores.users.rehash(account, to: hash, recording: event(.passwordRehashed, user: user))
        #expect(
            try await stores.users.account(named: user.username) == Account(user: user, passwordHash: hash))
        #expect(try await stores.sessions.sessions(of: user.id).count == 1)
        #expect(try await stores.kinds(of: user) == [.registered, .loggedIn, .passwordRehashed])
        #expect(
            try await stores.users.account(named: other.username)?.passwordHash.encoded == "hash of bob")
    }

    @Test("a hash that is no longer the known one is left alone", arguments: StoreEngine.allCases)
    func rehashTooLate(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let user = try await stores.insert("alice")
        let stale = Account(user: user, passwordHash: PasswordHash(encoded: "another"))
        try await stores.users.rehash(
            stale, to: PasswordHash(encoded: "new"), recording: event(.passwordRehashed, user: user))
        let account = try await stores.users.account(named: user.username)
        #expect(account?.passwordHash.encoded == "hash of alice")
        #expect(try await stores.kinds(of: user) == [.registered])
    }

    @Test(
        "a new password ends all sessions of its user and opens one, and leaves others alone",
        arguments: StoreEngine.allCases)
    func changePassword(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        for number in 1...3 as ClosedRange<UInt8> { try await stores.open(number, of: user) }
        let kept = try await stores.open(9, of: other)
        let changed = user.changed(at: 5)
        let next = try stores.session(4, of: changed, at: 5)
        let isChanged = try await stores.users.changePassword(
            of: user, to: PasswordHash(encoded: "new"), opening: next, recording: event(.passwordChanged, user: user))
        #expect(isChanged)
        #expect(try await stores.sessions.sessions(of: user.id) == [next.session])
        #expect(try await stores.sessions.find(next.session.id) == next)
        #expect(try await stores.sessions.find(kept.session.id) == kept)
        let account = try await stores.users.account(named: user.username)
        #expect(account == Account(user: changed, passwordHash: PasswordHash(encoded: "new")))
        #expect(try await stores.kinds(of: user).last == .passwordChanged)
    }

    @Test(
        "of two changes of one password the second comes too late and changes nothing",
        arguments: StoreEngine.allCases)
    func changePasswordTwice(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let user = try await stores.insert("alice")
        let changed = user.changed(at: 5)
        var results: [Bool] = []
        for number in [1, 2] as [UInt8] {
            results.append(
                try await stores.users.changePassword(
                    of: user, to: PasswordHash(encoded: "new \(number)"),
                    opening: stores.session(number, of: changed, at: 5),
                    recording: event(.passwordChanged, user: user)))
        }
        #expect(results == [true, false])
        let account = try await stores.users.account(named: user.username)
        #expect(account?.passwordHash.encoded == "new 1")
        #expect(try await stores.sessions.sessions(of: user.id).map(\.id.description.last) == ["1"])
        #expect(try await stores.kinds(of: user) == [.registered, .passwordChanged])
    }
}

extension User {
    func changed(at seconds: Double) -> User {
        User(
            id: id, username: username, region: region, createdAt: createdAt, passwordChangedAt: time(seconds))
    }
}
