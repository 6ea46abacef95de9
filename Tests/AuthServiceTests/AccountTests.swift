import ArticleStore
import SQLiteStores
import AuthService
import Database
import FoundationEssentials
import TestSupport
import Synchronization
import StoreEngines
import Testing

@Suite("AuthService: accounts")
struct AccountTests {
    @Test("A registered user can log in, with any spelling of the name")
    func registerAndLogIn() async throws {
        let world = try World()
        let user = try await world.register("Alice")
        #expect(user.username.text == "alice")
        #expect(user.region.code == "DE")
        #expect(user.createdAt == world.clock.now)
        for name in ["alice", "ALICE", "ａｌｉｃｅ"] {
            let (session, token) = try await world.logIn(name)
            #expect(session.user == user)
            #expect(session.client == "laptop")
            #expect(try await world.auth.currentSession(token: token) == session)
        }
        #expect(try await world.events(of: user) == [.registered, .loggedIn, .loggedIn, .loggedIn])
    }

    @Test("Times are whole seconds, also before they are read back")
    func wholeSeconds() async throws {
        let world = try World()
        world.clock.advance(by: 0.75)
        let user = try await world.register()
        let (session, token) = try await world.logIn()
        #expect(session.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(session.user == user)
        #expect(try await world.auth.currentSession(token: token) == session)
    }

    @Test("A weak password is refused before anything is written")
    func weakPassword() async throws {
        let world = try World()
        for (password, weakness) in [
            ("short", .tooShort(minimum: 15)), ("alice2024!alice", .guessable(.username)),
            ("🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂", .repetition),
            (String(repeating: "x", count: 10_000_000), .tooLong(maximumBytes: 1_024)),
        ] as [(String, PasswordWeakness)] {
            await #expect(throws: AuthError.weakPassword(weakness)) {
                try await world.register("alice", password: Password(password))
            }
        }
        #expect(try world.storage.dump().isEmpty)
    }

    @Test("A name is taken in every spelling")
    func taken() async throws {
        let world = try World()
        try await world.register("alice")
        for name in ["alice", "Alice", "ａｌｉｃｅ"] {
            await #expect(throws: AuthError.usernameTaken(try Username("alice"))) {
                try await world.register(name, password: .other)
            }
        }
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: .other) }
    }

    @Test("Of many who register the same name at once, one succeeds")
    func race() async throws {
        let world = try World()
        let made = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        _ = try await world.register()
                        return "made"
                    } catch AuthError.usernameTaken {
                        return "taken"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.sorted() == ["made"] + Array(repeating: "taken", count: 7))
        #expect(try world.storage.count("SELECT count(*) FROM user") == 1)
    }

    @Test("An unknown name and a wrong password get the same response")
    func alike() async throws {
        let world = try World()
        try await world.register()
        for (name, password) in [("alice", Password.wrong), ("nobody", .good), ("nobody", .wrong)] {
            await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(name, password: password) }
        }
        #expect(try world.storage.count("SELECT count(*) FROM attempt_counter") == 8)
        #expect(try world.storage.count("SELECT count(*) FROM audit WHERE event = 'logInFailed'") == 3)
    }

    @Test("An unknown name and a wrong password cost one hash, also if the account has a cheaper hash")
    func sameWork() async throws {
        let world = try World(parameters: .minimum)
        try await world.register("older")
        let parameters = try #require(PasswordHasher.Parameters(memory: 24 << 20, passes: 3))
        let work = Mutex<[Int]>([])
        let auth = world.service(
            hasher: PasswordHasher(parameters: parameters) { done in work.withLock { $0.append(done) } })
        try await auth.register(username: Username("newer"), password: .good, region: Region("DE"), from: .home)
        var costs: [[Int]] = []
        for name in ["nobody", "newer", "older"] {
            await #expect(throws: AuthError.invalidCredentials) {
                try await auth.logIn(username: name, password: .wrong, client: "", from: .home)
            }
            costs.append(
                work.withLock { done in
                    defer { done = [] }
                    return done
                })
        }
        // In KiB: a hash that is cheaper is followed by a second one for the difference.
        #expect(costs == [[73_728], [73_728], [38_912, 34_815]])
    }

    @Test(
        "Impossible values get the response for a wrong password, at no cost",
        arguments: [
            "", " alice", "'; DROP TABLE user; --", "alıce", "alice\0", String(repeating: "a", count: 10_000_000),
        ].map(LongText.init))
    func impossible(name: LongText) async throws {
        let world = try World()
        try await world.register()
        let before = try world.storage.dump()
        let endless = Password(String(repeating: "x", count: 10_000_000))
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(name.text) }
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: endless) }
        #expect(try world.storage.dump() == before)
    }

    @Test(
        "A password is used exactly as it was typed",
        arguments: [
            ("velvet\0tundra-ostrich", "velvet\0tundra-osprey!"), ("velvet\0tundra-ostrich", "velvet"),
            ("  velvet tundra  ", "velvet tundra"),
            ("VelvetTundraOstrich", "velvettundraostrich"), ("ｖｅｌｖｅｔ tundra ostrich", "velvet tundra ostrich"),
            ("ılık çay ve simit", "ilik çay ve simit"), ("🦊🌵🎻🧊🚜🪁🥝🗿🦉🍋🧵🛶🪕🧩🐙", "🦊🌵🎻🧊🚜🪁🥝🗿🦉🍋🧵🛶🪕🧩"),
        ])
    func exact(right: String, wrong: String) async throws {
        let world = try World()
        try await world.register(password: Password(right))
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: Password(wrong)) }
        #expect(try await world.logIn(password: Password(right)).session.user.username.text == "alice")
    }

    @Test("An accent may be typed with its letter or after it, at any time", arguments: [false, true])
    func accents(isDecomposed: Bool) async throws {
        let world = try World()
        let forms = [Password("caf\u{E9} tundra ostrich"), Password("cafe\u{301} tundra ostrich")]
        try await world.register(password: isDecomposed ? forms[1] : forms[0])
        for form in forms { _ = try await world.logIn(password: form) }
        #expect(try world.storage.count("SELECT count(*) FROM audit WHERE event = 'passwordRehashed'") == 0)
    }

    @Test("A hash of the password as it was typed still works, and is replaced")
    func typedBefore() async throws {
        let world = try World()
        let user = try await world.register()
        let (composed, typed) = (Password("caf\u{E9} tundra ostrich"), Password("cafe\u{301} tundra ostrich"))
        // A hash of the bytes as they were typed.
        let kept = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$0dcKwN6Ks/D5ot81zSleHQ27U4NZjl3QN5kD+LtRWx8"
        try await world.storage.database.write { _ = try $0.run("UPDATE user SET password_hash = ?", [.text(kept)]) }
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: composed) }
        for _ in 0..<2 { _ = try await world.logIn(password: typed) }
        _ = try await world.logIn(password: composed)
        #expect(try await world.events(of: user).filter { $0 == .passwordRehashed }.count == 1)
    }

    @Test("A leaked password is refused")
    func breached() async throws {
        let world = try World()
        let auth = AuthService(
            store: SQLiteAccountStore(database: world.storage.database), hasher: PasswordHasher(parameters: .weakest),
            breaches: Leaks())
        await #expect(throws: AuthError.weakPassword(.breached)) {
            try await auth.register(username: Username("bob"), password: .other, region: Region("DE"), from: .home)
        }
        try await auth.register(username: Username("bob"), password: .good, region: Region("DE"), from: .home)
        let token = try await auth.logIn(username: "bob", password: .good, client: "", from: .home).newSession.token
        await #expect(throws: AuthError.weakPassword(.breached)) {
            try await auth.changePassword(token: token, old: .good, new: .other)
        }
    }

    @Test("A client may have any name, and its first 200 characters are stored")
    func client() async throws {
        let world = try World()
        try await world.register()
        let name = "'); DROP TABLE session; --\0\u{1B}[2J🙂"
        let (session, token) = try await world.logIn(client: name)
        #expect(session.client == name)
        #expect(try await world.auth.currentSession(token: token)?.client == name)
        let long = try await world.logIn(client: String(repeating: "é", count: 5_000_000)).session
        #expect(long.client.unicodeScalars.count == 200)
    }

    @Test("A password is hashed again after the parameters change, without the user noticing")
    func rehash() async throws {
        let world = try World()
        let user = try await world.register()
        let (_, token) = try await world.logIn()
        let stronger = world.service(parameters: try #require(.init(memory: 20 << 20, passes: 3)))
        for _ in 0..<2 {
            _ = try await stronger.logIn(username: "alice", password: .good, client: "laptop", from: .home)
        }
        #expect(try world.storage.dump().contains("$argon2id$v=19$m=20480,t=3,p=1$"))
        #expect(
            try await world.events(of: user) == [.registered, .loggedIn, .passwordRehashed, .loggedIn, .loggedIn])
        #expect(try await stronger.currentSession(token: token)?.user == user)
        await #expect(throws: AuthError.invalidCredentials) {
            try await stronger.logIn(username: "alice", password: .wrong, client: "laptop", from: .home)
        }
    }

    @Test("A password that cannot be hashed again does not keep its user out")
    func rehashFails() async throws {
        let world = try World()
        try await world.register()
        try await world.storage.database.write { transaction in
            try transaction.execute(
                "CREATE TRIGGER full BEFORE UPDATE ON user BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        }
        let stronger = world.service(parameters: try #require(.init(memory: 20 << 20, passes: 3)))
        let opened = try await stronger.logIn(username: "alice", password: .good, client: "laptop", from: .home)
            .newSession
        #expect(try await stronger.currentSession(token: opened.token) == opened.session)
    }

    @Test("Neither a password nor a token is stored, not even in the log")
    func nothingStored() async throws {
        let world = try World()
        try await world.register()
        let (_, token) = try await world.logIn()
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: .wrong) }
        await #expect(throws: AuthError.invalidCredentials) {
            try await world.logIn("velvet-tundra-ostrich", password: .good)
        }
        _ = try await world.auth.changePassword(token: token, old: .good, new: .other)
        let stored = try world.storage.dump()
        for secret in ["velvet", "violet", "maple", String(token.text.suffix(43))] {
            #expect(!stored.contains(secret))
        }
    }

    @Test("An action that cannot be recorded is not done")
    func recordingFails() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        try await world.storage.database.write { transaction in
            try transaction.execute(
                "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        }
        await #expect(throws: StoreError.self) { try await world.register("bob") }
        await #expect(throws: StoreError.self) { try await world.logIn() }
        await #expect(throws: StoreError.self) { try await world.auth.logOut(token: token) }
        await #expect(throws: StoreError.self) { try await world.auth.logOutEverywhere(token: token) }
        await #expect(throws: StoreError.self) {
            try await world.auth.changePassword(token: token, old: .good, new: .other)
        }
        try await world.storage.database.write { try $0.execute("DROP TRIGGER full") }
        #expect(try await world.auth.currentSession(token: token) == session)
        #expect(try await world.auth.sessions(of: session.user.id, by: .system(user: "test")) == [session])
        #expect(try world.storage.count("SELECT count(*) FROM user") == 1)
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: .other) }
    }

    @Test("A damaged row is a database error, not a wrong password")
    func damaged() async throws {
        let world = try World()
        try await world.register()
        try await world.storage.database.write { _ = try $0.run("UPDATE user SET region = 'ZZ'") }
        await #expect(throws: StoreError.self) { try await world.logIn() }
    }

    @Test("An account is not made if the caller is gone before the password is hashed")
    func cancelled() async throws {
        let world = try World()
        let auth = world.auth
        let registration = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await auth.register(
                username: Username("alice"), password: .good, region: Region("DE"), from: .home)
        }
        await #expect(throws: CancellationError.self) { try await registration.value }
        #expect(try await world.auth.isFree(Username("alice"), from: .home))
    }
}
