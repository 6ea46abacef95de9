import AuthService
import Testing

@Suite("UserRepository contract")
struct UserRepositoryTests {
    @Test("a new account is found by its name, with all that was given", arguments: RepositoryEngine.allCases)
    func insert(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let hash = PasswordHash(encoded: "a\0b'; DROP TABLE user; --")
        let user = try await repositories.users.insert(
            username: Username("alice"), region: Region("JP"), passwordHash: hash,
            recording: event(.registered, at: 7))
        #expect(user.username.text == "alice")
        #expect(user.region.code == "JP")
        #expect(user.createdAt == time(7))
        #expect(user.passwordChangedAt == time(7))
        let account = try await repositories.users.account(named: Username("alice"))
        #expect(account == Account(user: user, passwordHash: hash))
        #expect(try await repositories.users.account(named: Username("bob")) == nil)
        let events = try await repositories.audit.events(of: user.id, limit: 10)
        #expect(events == [event(.registered, at: 7, user: user)])
    }

    @Test("a name is given once, also when many ask for it at the same time", arguments: RepositoryEngine.allCases)
    func taken(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let name = try Username("alice")
        let results = await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    do throws(any Error) {
                        _ = try await repositories.insert("alice")
                        return "made"
                    } catch {
                        return error as? AuthError == .usernameTaken(name) ? "taken" : "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.sorted() == ["made"] + Array(repeating: "taken", count: 15))
        let account = try #require(try await repositories.users.account(named: name))
        #expect(try await repositories.kinds(of: account.user) == [.registered])
    }

    @Test(
        "a hash is replaced without touching the sessions or the age of the password",
        arguments: RepositoryEngine.allCases)
    func rehash(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let other = try await repositories.insert("bob")
        try await repositories.open(1, of: user)
        let account = try #require(try await repositories.users.account(named: user.username))
        let hash = PasswordHash(encoded: "new")
        try await repositories.users.rehash(account, to: hash, recording: event(.passwordRehashed, user: user))
        #expect(
            try await repositories.users.account(named: user.username) == Account(user: user, passwordHash: hash))
        #expect(try await repositories.sessions.sessions(of: user.id).count == 1)
        #expect(try await repositories.kinds(of: user) == [.registered, .loggedIn, .passwordRehashed])
        #expect(
            try await repositories.users.account(named: other.username)?.passwordHash.encoded == "hash of bob")
    }

    @Test("a hash that is no longer the known one is left alone", arguments: RepositoryEngine.allCases)
    func rehashTooLate(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let stale = Account(user: user, passwordHash: PasswordHash(encoded: "another"))
        try await repositories.users.rehash(
            stale, to: PasswordHash(encoded: "new"), recording: event(.passwordRehashed, user: user))
        let account = try await repositories.users.account(named: user.username)
        #expect(account?.passwordHash.encoded == "hash of alice")
        #expect(try await repositories.kinds(of: user) == [.registered])
    }

    @Test(
        "a new password ends all sessions of its user and opens one, and leaves others alone",
        arguments: RepositoryEngine.allCases)
    func changePassword(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let (user, other) = try await (repositories.insert("alice"), repositories.insert("bob"))
        for number in 1...3 as ClosedRange<UInt8> { try await repositories.open(number, of: user) }
        let kept = try await repositories.open(9, of: other)
        let changed = user.changed(at: 5)
        let next = try repositories.session(4, of: changed, at: 5)
        let isChanged = try await repositories.users.changePassword(
            of: user, to: PasswordHash(encoded: "new"), opening: next, recording: event(.passwordChanged, user: user))
        #expect(isChanged)
        #expect(try await repositories.sessions.sessions(of: user.id) == [next.session])
        #expect(try await repositories.sessions.find(next.session.id) == next)
        #expect(try await repositories.sessions.find(kept.session.id) == kept)
        let account = try await repositories.users.account(named: user.username)
        #expect(account == Account(user: changed, passwordHash: PasswordHash(encoded: "new")))
        #expect(try await repositories.kinds(of: user).last == .passwordChanged)
    }

    @Test(
        "of two changes of one password the second comes too late and changes nothing",
        arguments: RepositoryEngine.allCases)
    func changePasswordTwice(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let changed = user.changed(at: 5)
        var results: [Bool] = []
        for number in [1, 2] as [UInt8] {
            results.append(
                try await repositories.users.changePassword(
                    of: user, to: PasswordHash(encoded: "new \(number)"),
                    opening: repositories.session(number, of: changed, at: 5),
                    recording: event(.passwordChanged, user: user)))
        }
        #expect(results == [true, false])
        let account = try await repositories.users.account(named: user.username)
        #expect(account?.passwordHash.encoded == "new 1")
        #expect(try await repositories.sessions.sessions(of: user.id).map(\.id.description.last) == ["1"])
        #expect(try await repositories.kinds(of: user) == [.registered, .passwordChanged])
    }
}

extension User {
    func changed(at seconds: Double) -> User {
        User(
            id: id, username: username, region: region, createdAt: createdAt, passwordChangedAt: time(seconds))
    }
}
