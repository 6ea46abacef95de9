import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: users")
struct UserContractTests {
    @Test("A new account is found by its name, with all its properties", arguments: StoreEngine.allCases)
    func insert(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let hash = PasswordHash(encoded: "a\0b'; DROP TABLE user; --")
        let user = try await stores.accounts.createUser(
            username: Username("alice"), region: Region("JP"), passwordHash: hash, invitation: nil,
            recording: event(.registered, at: 7))
        #expect(user.username.text == "alice")
        #expect(user.region.code == "JP")
        #expect(user.createdAt == time(7))
        #expect(user.passwordChangedAt == time(7))
        let account = try await stores.accounts.account(named: Username("alice"))
        #expect(account == StoredUser(user: user, passwordHash: hash))
        #expect(try await stores.accounts.account(named: Username("bob")) == nil)
        let events = try await stores.accounts.events(of: user.id, limit: 10)
        #expect(events == [event(.registered, at: 7, user: user)])
    }

    @Test("A name is given once, even if many request it at the same time", arguments: StoreEngine.allCases)
    func taken(engine: StoreEngine) async throws {
        let stores = try await engine.open()
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
        let account = try #require(try await stores.accounts.account(named: name))
        #expect(try await stores.kinds(of: account.user) == [.registered])
    }

    @Test(
        "A hash is replaced without changing the sessions or the age of the password",
        arguments: StoreEngine.allCases)
    func rehash(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let other = try await stores.insert("bob")
        try await stores.open(1, of: user)
        let account = try #require(try await stores.accounts.account(named: user.username))
        let hash = PasswordHash(encoded: "new")
        try await stores.accounts.rehash(account, to: hash, recording: event(.passwordRehashed, user: user))
        #expect(
            try await stores.accounts.account(named: user.username) == StoredUser(user: user, passwordHash: hash))
        #expect(try await stores.accounts.sessions(of: user.id).count == 1)
        #expect(try await stores.kinds(of: user) == [.registered, .loggedIn, .passwordRehashed])
        #expect(
            try await stores.accounts.account(named: other.username)?.passwordHash.encoded == "hash of bob")
    }

    @Test("A hash that is no longer the known one is not replaced", arguments: StoreEngine.allCases)
    func rehashTooLate(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let stale = StoredUser(user: user, passwordHash: PasswordHash(encoded: "another"))
        try await stores.accounts.rehash(
            stale, to: PasswordHash(encoded: "new"), recording: event(.passwordRehashed, user: user))
        let account = try await stores.accounts.account(named: user.username)
        #expect(account?.passwordHash.encoded == "hash of alice")
        #expect(try await stores.kinds(of: user) == [.registered])
    }

    @Test(
        "A new password ends all sessions of its user and opens one, and does not affect others",
        arguments: StoreEngine.allCases)
    func changePassword(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        for number in 1...3 as ClosedRange<UInt8> { try await stores.open(number, of: user) }
        let kept = try await stores.open(9, of: other)
        let code = [UInt8](repeating: 7, count: 32)
        let isIssued = try await stores.accounts.addResetCode(
            code, of: user.id, until: time(100), recording: event(.resetIssued, user: user))
        try #require(isIssued)
        let changed = user.changed(at: 5)
        let next = try stores.session(4, of: changed, at: 5)
        let isChanged = try await stores.accounts.changePassword(
            of: user, to: PasswordHash(encoded: "new"), opening: next, recording: event(.passwordChanged, user: user))
        #expect(isChanged)
        #expect(try await stores.accounts.user(resetting: code, at: time(5)) == nil)
        #expect(try await stores.accounts.sessions(of: user.id) == [next.session])
        #expect(try await stores.accounts.session(next.session.id) == next)
        #expect(try await stores.accounts.session(kept.session.id) == kept)
        let account = try await stores.accounts.account(named: user.username)
        #expect(account == StoredUser(user: changed, passwordHash: PasswordHash(encoded: "new")))
        #expect(try await stores.kinds(of: user).last == .passwordChanged)
    }

    @Test(
        "Of two changes of one password the second is too late and changes nothing",
        arguments: StoreEngine.allCases)
    func changePasswordTwice(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let changed = user.changed(at: 5)
        var results: [Bool] = []
        for number in [1, 2] as [UInt8] {
            results.append(
                try await stores.accounts.changePassword(
                    of: user, to: PasswordHash(encoded: "new \(number)"),
                    opening: stores.session(number, of: changed, at: 5),
                    recording: event(.passwordChanged, user: user)))
        }
        #expect(results == [true, false])
        let account = try await stores.accounts.account(named: user.username)
        #expect(account?.passwordHash.encoded == "new 1")
        #expect(try await stores.accounts.sessions(of: user.id).map(\.id.description.last) == ["1"])
        #expect(try await stores.kinds(of: user) == [.registered, .passwordChanged])
    }

    @Test("The first user is an operator, every other one a reader", arguments: StoreEngine.allCases)
    func roles(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for name in ["bob", "alice", "carol"] { _ = try await stores.insert(name) }
        let users = try await stores.accounts.users()
        #expect(users.map(\.username.text) == ["alice", "bob", "carol"])
        #expect(users.map(\.role) == [.reader, .operator, .reader])
        #expect(users.allSatisfy { $0.disabledAt == nil })
    }

    @Test("A change of a user is visible by the name and in the sessions", arguments: StoreEngine.allCases)
    func change(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        let open = try await stores.open(1, of: user)
        let changes: [UserChange] = try [.role(.editor), .region(Region("JP")), .username(Username("bob"))]
        for change in changes {
            let isChanged = try await stores.accounts.change(
                change, of: user.id, recording: event(.roleChanged, at: 3, user: user))
            #expect(isChanged)
        }
        let changed = try #require(try await stores.accounts.account(named: Username("bob")))
        #expect(changed.user.id == user.id)
        #expect(changed.user.role == .editor)
        #expect(changed.user.region.code == "JP")
        #expect(changed.passwordHash.encoded == "hash of alice")
        #expect(try await stores.accounts.account(named: user.username) == nil)
        #expect(try await stores.accounts.session(open.session.id)?.session.user == changed.user)
        #expect(try await stores.accounts.sessions(of: user.id).map(\.user) == [changed.user])
        #expect(try await stores.kinds(of: user).suffix(3) == [.roleChanged, .roleChanged, .roleChanged])
    }

    @Test("A name of another user is refused, and nothing is recorded", arguments: StoreEngine.allCases)
    func nameTaken(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        await #expect(throws: AuthError.usernameTaken(other.username)) {
            try await stores.accounts.change(
                .username(other.username), of: user.id, recording: event(.roleChanged, user: user))
        }
        #expect(try await stores.kinds(of: user) == [.registered])
    }

    @Test(
        "Several changes are made together or not at all, and checked by their result",
        arguments: StoreEngine.allCases)
    func changes(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        func apply(_ changes: [UserChange], to user: User) async throws -> Bool {
            try await stores.accounts.change(changes.map { ($0, event(.roleChanged, user: user)) }, of: user.id)
        }
        await #expect(throws: AuthError.usernameTaken(user.username)) {
            try await apply([.region(Region("JP")), .username(user.username)], to: other)
        }
        await #expect(throws: AuthError.lastOperator) {
            try await apply([.region(Region("JP")), .role(.reader)], to: user)
        }
        #expect(try await stores.accounts.users() == [user, other])
        #expect(try await stores.kinds(of: user) == [.registered])
        #expect(try await stores.kinds(of: other) == [.registered])
        #expect(try await apply([.role(.reader), .role(.operator), .region(Region("JP"))], to: user))
        #expect(try await stores.accounts.account(named: user.username)?.user.region.code == "JP")
        #expect(try await stores.kinds(of: user).count == 4)
    }

    @Test("A disabled user has no session and gets none, until they are enabled", arguments: StoreEngine.allCases)
    func disabled(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        try await stores.open(1, of: user)
        _ = try await stores.accounts.change(
            .disabled(since: time(5)), of: user.id, recording: event(.roleChanged, user: user))
        #expect(try await stores.accounts.sessions(of: user.id).isEmpty)
        #expect(try await stores.accounts.account(named: user.username)?.user.disabledAt == time(5))
        let late = try stores.session(2, of: user)
        #expect(try await !stores.accounts.openSession(late, keeping: 100, recording: event(.loggedIn, user: user)))
        _ = try await stores.accounts.change(
            .disabled(since: nil), of: user.id, recording: event(.roleChanged, user: user))
        #expect(try await stores.accounts.openSession(late, keeping: 100, recording: event(.loggedIn, user: user)))
    }

    @Test(
        "Deleting a user deletes all their data except the log, and nobody gets the number again",
        arguments: StoreEngine.allCases)
    func deletion(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        let session = try await stores.open(1, of: user).session
        let secret = [UInt8](repeating: 3, count: 32)
        let token = APIToken(
            id: session.id, name: "backup", scope: .read, createdAt: time(0), expiresAt: time(100))
        let isMade = try await stores.accounts.createToken(
            StoredAPIToken(token: token, user: user, secretHash: secret), limit: 1,
            recording: event(.tokenCreated, user: user))
        try #require(isMade)
        let place = AttemptCounter(key: secret, rule: .tally(memory: 1_000))
        try await stores.accounts.recordLogIn(
            of: user.id, on: secret, from: place, at: time(0), keepingDevices: 1, counters: 100)
        #expect(try await stores.accounts.change(.deletion, of: user.id, recording: event(.roleChanged, user: user)))
        #expect(try await stores.accounts.account(named: user.username) == nil)
        #expect(try await stores.accounts.session(session.id) == nil)
        #expect(try await stores.accounts.token(token.id) == nil)
        #expect(try await stores.accounts.tokens(of: user.id).isEmpty)
        #expect(try await stores.kinds(of: user) == [.registered, .loggedIn, .tokenCreated, .roleChanged])
        #expect(try await !stores.accounts.change(.deletion, of: user.id, recording: event(.roleChanged, user: user)))
        #expect(try await stores.insert("alice").id > user.id)
        let history = try await stores.accounts.logInHistory(
            of: user.username, device: secret, usedAfter: time(-1), counters: [place], at: time(0))
        #expect(history == (false, [1]))
    }

    @Test(
        "The last operator who can log in stays an operator as long as there are others",
        arguments: StoreEngine.allCases, [UserChange.role(.editor), .disabled(since: time(1)), .deletion])
    func lastOperator(engine: StoreEngine, change: UserChange) async throws {
        let stores = try await engine.open()
        let (first, second) = try await (stores.insert("alice"), stores.insert("bob"))
        func apply(_ change: UserChange, to user: User) async throws {
            _ = try await stores.accounts.change(change, of: user.id, recording: event(.roleChanged, user: user))
        }
        await #expect(throws: AuthError.lastOperator) { try await apply(change, to: first) }
        #expect(try await stores.accounts.account(named: first.username)?.user == first)
        #expect(try await stores.kinds(of: first) == [.registered])
        try await apply(.role(.operator), to: second)
        try await apply(change, to: first)
        await #expect(throws: AuthError.lastOperator) { try await apply(.role(.reader), to: second) }
    }

    @Test("A code gives its user a new password, once, and ends all sessions", arguments: StoreEngine.allCases)
    func reset(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (other, user) = try await (stores.insert("op"), stores.insert("alice"))
        try await stores.open(1, of: user)
        let kept = try await stores.open(2, of: other)
        let code = [UInt8](repeating: 7, count: 32)
        #expect(
            try await stores.accounts.addResetCode(
                code, of: user.id, until: time(100), recording: event(.resetIssued, user: user)))
        #expect(try await stores.accounts.user(resetting: code, at: time(99)) == user)
        #expect(try await stores.accounts.user(resetting: code, at: time(100)) == nil)
        let hash = PasswordHash(encoded: "new")
        func reset(_ seconds: Double, of user: User) async throws -> Bool {
            try await stores.accounts.resetPassword(
                of: user, by: code, to: hash, recording: event(.passwordReset, at: seconds, user: user))
        }
        #expect(try await !reset(100, of: user))
        #expect(try await !reset(1, of: other))
        #expect(try await reset(0, of: user))
        #expect(try await !reset(0, of: user))
        let account = try #require(try await stores.accounts.account(named: user.username))
        #expect(account.passwordHash == hash)
        #expect(account.user.passwordChangedAt == time(1))
        #expect(try await stores.accounts.sessions(of: user.id).isEmpty)
        #expect(try await stores.accounts.session(kept.session.id) == kept)
        #expect(try await stores.kinds(of: user) == [.registered, .loggedIn, .resetIssued, .passwordReset])
    }

    @Test("A second code replaces the first, and ends with its user", arguments: StoreEngine.allCases)
    func resetAgain(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (_, user) = try await (stores.insert("op"), stores.insert("alice"))
        let codes = [1, 2].map { [UInt8](repeating: $0, count: 32) }
        for code in codes {
            _ = try await stores.accounts.addResetCode(
                code, of: user.id, until: time(100), recording: event(.resetIssued, user: user))
        }
        #expect(try await stores.accounts.user(resetting: codes[0], at: time(1)) == nil)
        #expect(try await stores.accounts.user(resetting: codes[1], at: time(1)) == user)
        _ = try await stores.accounts.change(.deletion, of: user.id, recording: event(.deleted, user: user))
        #expect(try await stores.accounts.user(resetting: codes[1], at: time(1)) == nil)
        #expect(
            try await !stores.accounts.addResetCode(
                codes[0], of: user.id, until: time(100), recording: event(.resetIssued, user: user)))
    }

    @Test("The policy decides who may make an account, also the first", arguments: StoreEngine.allCases)
    func registration(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let users = stores.accounts
        func register(_ name: String, _ invitation: UInt8? = nil, at seconds: Double = 0) async throws {
            _ = try await users.createUser(
                username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "x"),
                invitation: invitation.map { [UInt8](repeating: $0, count: 32) },
                recording: event(.registered, at: seconds))
        }
        #expect(try await users.registrationPolicy() == .open)
        try await users.setRegistrationPolicy(.closed, recording: event(.registrationChanged))
        #expect(try await users.registrationPolicy() == .closed)
        await #expect(throws: AuthError.registrationClosed) { try await register("op") }
        try await users.setRegistrationPolicy(.open, recording: event(.registrationChanged))
        try await register("op")
        try await users.setRegistrationPolicy(.closed, recording: event(.registrationChanged))
        await #expect(throws: AuthError.registrationClosed) { try await register("alice", 1) }

        try await users.setRegistrationPolicy(.invitation, recording: event(.registrationChanged))
        for code in [1, 2, 3] as [UInt8] {
            try await users.addInvitation(
                [UInt8](repeating: code, count: 32), until: time(100), recording: event(.invited))
        }
        await #expect(throws: AuthError.invalidCode) { try await register("alice") }
        await #expect(throws: AuthError.invalidCode) { try await register("alice", 4) }
        await #expect(throws: AuthError.invalidCode) { try await register("alice", 1, at: 100) }
        try await register("alice", 1, at: 99)
        await #expect(throws: AuthError.invalidCode) { try await register("bob", 1) }
        // A taken name does not use up the invitation.
        await #expect(throws: AuthError.usernameTaken(try Username("alice"))) { try await register("alice", 2) }
        try await register("bob", 2)

        try await users.setRegistrationPolicy(.open, recording: event(.registrationChanged))
        try await register("carol")
        #expect(try await users.users().map(\.username.text) == ["alice", "bob", "carol", "op"])
    }

    @Test("An invitation resets no password, and a reset code makes no account", arguments: StoreEngine.allCases)
    func purposes(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let (invitation, reset) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        try await stores.accounts.setRegistrationPolicy(.invitation, recording: event(.registrationChanged))
        try await stores.accounts.addInvitation(invitation, until: time(100), recording: event(.invited))
        _ = try await stores.accounts.addResetCode(
            reset, of: user.id, until: time(100), recording: event(.resetIssued, user: user))
        #expect(try await stores.accounts.user(resetting: invitation, at: time(1)) == nil)
        #expect(
            try await !stores.accounts.resetPassword(
                of: user, by: invitation, to: PasswordHash(encoded: "x"), recording: event(.passwordReset)))
        await #expect(throws: AuthError.invalidCode) {
            _ = try await stores.accounts.createUser(
                username: Username("bob"), region: Region("DE"), passwordHash: PasswordHash(encoded: "x"),
                invitation: reset, recording: event(.registered))
        }
    }

    @Test("The only user may be deleted, and the next is the first again", arguments: StoreEngine.allCases)
    func onlyUser(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        #expect(try await stores.accounts.change(.deletion, of: user.id, recording: event(.roleChanged, user: user)))
        #expect(try await stores.insert("bob").role == .operator)
    }
}

extension User {
    func changed(at seconds: Double) -> User {
        User(
            id: id, username: username, region: region, createdAt: createdAt, passwordChangedAt: time(seconds),
            role: role)
    }
}
