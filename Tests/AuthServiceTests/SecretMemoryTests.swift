#if os(Linux)
    import AuthService
    import Database
    import SQLiteStores
    import StoreEngines
    import TestSupport
    import Testing

    @Suite("Secrets in memory")
    struct SecretMemoryTests {
        /// A secret that exists nowhere else: the stored copy is masked.
        private struct Needle {
            let masked = (0..<32).map { _ in UInt8.random(in: 0x61...0x7A) ^ Self.mask }
            static let mask: UInt8 = 0x5A

            var bytes: some Collection<UInt8> { masked.lazy.map { $0 ^ Self.mask } }
        }

        private func isInMemory(_ needle: Needle) throws -> Bool {
            try ProcessMemory().holds(needle.masked, masked: Needle.mask)
        }

        @Test("A password is in memory while it is held, and nowhere after it is hashed and verified")
        func password() async throws {
            let world = try World()
            try await world.register()
            let needle = Needle()
            func use() async throws {
                let password = Password(utf8: needle.bytes)
                let hasher = PasswordHasher(parameters: .minimum)
                let hash = try await hasher.hash(password)
                #expect(try await hasher.verify(password, against: hash))
                try await world.storage.database.write {
                    _ = try $0.run("UPDATE user SET password_hash = ?", [.text(hash.encoded)])
                }
                _ = try await world.logIn(password: password)
                #expect(try isInMemory(needle))
            }
            try await use()
            #expect(try !isInMemory(needle))
        }

        @Test("A token is not in memory after its last use")
        func token() async throws {
            let storage = try TemporaryDatabase()
            let needle = Needle()
            func use() async throws {
                let auth = AuthService(
                    store: SQLiteAccountStore(database: storage.database), hasher: PasswordHasher(parameters: .minimum),
                    randomBytes: { Array(needle.bytes.prefix($0)) })
                try await auth.register(
                    username: Username("alice"), password: .good, region: Region("DE"), from: .home)
                let opened = try await auth.logIn(username: "alice", password: .good, client: "", from: .home)
                    .newSession
                #expect(try await auth.currentSession(token: opened.token) != nil)
                #expect(try isInMemory(needle))
            }
            try await use()
            #expect(try !isInMemory(needle))
        }
    }
#endif
