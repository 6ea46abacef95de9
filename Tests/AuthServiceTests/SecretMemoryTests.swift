#if os(Linux)
    import AuthService
    import Database
    import FoundationEssentials
    import Glibc
    import StoreEngines
    import Testing

    @Suite("Secrets in memory")
    struct SecretMemoryTests {
        /// Some secret that is nowhere else: what is kept of it is masked.
        private struct Needle {
            let masked = (0..<32).map { _ in UInt8.random(in: 0x61...0x7A) ^ Self.mask }
            static let mask: UInt8 = 0x5A

            var bytes: some Collection<UInt8> { masked.lazy.map { $0 ^ Self.mask } }
        }

        /// Whether the memory of this process holds it.
        private func isInMemory(_ needle: Needle) throws -> Bool {
            let (size, length) = (1 << 20, needle.masked.count)
            // What is read and what is looked for is found too, and does not count.
            let pieces = UnsafeMutableRawPointer.allocate(byteCount: size + length, alignment: 4_096)
            defer {
                memset(pieces, 0, size + length)
                pieces.deallocate()
            }
            let wanted = pieces + size
            UnsafeMutableRawBufferPointer(start: wanted, count: length).copyBytes(from: needle.bytes)
            let first = Int32(wanted.load(as: UInt8.self))
            let own = UInt(bitPattern: pieces)..<UInt(bitPattern: pieces + size + length)
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            try #require(memory >= 0)
            defer { close(memory) }
            for line in try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n") {
                let parts = line.split(separator: " ")
                guard parts.count > 1, parts[1].hasPrefix("rw") else { continue }
                let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                var address = ends[0]
                while address < ends[1] {
                    let count = pread(memory, pieces, min(size, Int(ends[1] - address)), off_t(address))
                    // A whole piece is followed by its own end, where it may begin; a page that cannot be read is left out.
                    defer { address += UInt(count == size ? size - length : max(count, 4_096)) }
                    var offset = 0
                    while count - offset >= length,
                        let hit = memchr(pieces + offset, first, count - offset - length + 1)
                    {
                        offset = hit - pieces + 1
                        if memcmp(hit, wanted, length) == 0, !own.contains(address + UInt(offset - 1)) { return true }
                    }
                }
            }
            return false
        }

        @Test("a password is in memory while it is held, and nowhere after it was hashed and proved")
        func password() async throws {
            let world = try World()
            try await world.register()
            let needle = Needle()
            func use() async throws {
                let password = Password(utf8: needle.bytes)
                let hasher = PasswordHasher(parameters: .minimum)
                let hash = try await hasher.hash(password)
                #expect(try await hasher.verify(password, against: hash))
                try world.storage.database.write {
                    _ = try $0.run("UPDATE user SET password_hash = ?", [.text(hash.encoded)])
                }
                _ = try await world.logIn(password: password)
                // What is mapped while the list of it is read may be missing from it.
                #expect(try (1...5).contains { _ in try isInMemory(needle) })
            }
            try await use()
            #expect(try !isInMemory(needle))
        }

        @Test("nor is a token, after the last that was done with it")
        func token() async throws {
            let storage = try TemporaryDatabase()
            let needle = Needle()
            func use() async throws {
                let auth = AuthService(
                    database: storage.database, hasher: PasswordHasher(parameters: .minimum),
                    randomBytes: { Array(needle.bytes.prefix($0)) })
                try await auth.register(
                    username: Username("alice"), password: .good, region: Region("DE"), from: .home)
                let opened = try await auth.logIn(username: "alice", password: .good, client: "", from: .home)
                #expect(try await auth.currentSession(token: opened.token) != nil)
                // What is mapped while the list of it is read may be missing from it.
                #expect(try (1...5).contains { _ in try isInMemory(needle) })
            }
            try await use()
            #expect(try !isInMemory(needle))
        }
    }
#endif
