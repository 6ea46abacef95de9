import AuthService
import Synchronization
import TestSupport
import Testing

@Suite("PasswordHasher")
struct PasswordHasherTests {
    private let hasher = PasswordHasher(parameters: .minimum)

    @Test("Parameters below 19 MiB or two passes, or beyond the possible, are refused")
    func floor() throws {
        typealias Parameters = PasswordHasher.Parameters
        #expect(Parameters(memory: (19 << 20) - 1, passes: 10) == nil)
        #expect(Parameters(memory: 1 << 30, passes: 1) == nil)
        #expect(Parameters(memory: -1, passes: -1) == nil)
        #expect(Parameters(memory: .max, passes: 2) == nil)
        #expect(Parameters(memory: 19 << 20, passes: .max) == nil)
        #expect(Parameters(memory: 19 << 20, passes: 2) == .minimum)
        #expect(Parameters(memory: 64 << 20, passes: 3) == .default)
        #expect(PasswordHasher().parameters == .default)
    }

    @Test("A hash is Argon2id with these parameters, and never the same twice")
    func format() async throws {
        let (first, second) = try await (hasher.hash(.good), hasher.hash(.good))
        #expect(first.encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(first != second)
        #expect(!first.encoded.contains("\0"))
    }

    @Test(
        "A password is verified as it was typed, except for the form of an accent",
        arguments: [
            ("velvet", "velvet", true), ("velvet", "Velvet", false), ("velvet", "velvet ", false),
            ("a\0b", "a\0b", true), ("a\0b", "a\0c", false), ("a\0", "a", false), ("\0", "", false), ("", "", true),
            ("\u{E9}", "e\u{301}", true), ("e\u{301}", "\u{E9}", true),
            ("ﬁ", "fi", false), ("ａ", "a", false), ("🦊🌵", "🦊🌵", true), ("ı", "i", false),
            ("'; DROP TABLE user; --", "'; DROP TABLE user; --", true),
        ])
    func verifies(stored: String, typed: String, matches: Bool) async throws {
        let hash = try await hasher.hash(Password(stored))
        #expect(try await hasher.verify(Password(typed), against: hash) == matches)
    }

    @Test(
        "A damaged hash matches no password and needs a new hash",
        arguments: [
            "", "$", "plain", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$", "$argon2id$v=19$m=0,t=0,p=0$AAAA$AAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + String(repeating: "A", count: 42),
            "$argon2id$v=19$m=19456,t=2,p=2$AAAAAAAAAAAAAAAAAAAAAA$" + String(repeating: "A", count: 43),
            "$argon2id$v=19$m=+9456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + String(repeating: "A", count: 43),
            "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAA", String(repeating: "A", count: 127),
            String(repeating: "A", count: 128), String(repeating: "A", count: 1_000_000), "\0\0\0",
        ].map(LongText.init))
    func damaged(encoded: LongText) async throws {
        let hash = PasswordHash(encoded: encoded.text)
        #expect(try await !hasher.verify(.good, against: hash))
        #expect(hasher.needsRehash(hash))
    }

    @Test(
        "Hashes of earlier versions still verify",
        arguments: [
            "$argon2id$v=19$m=19456,t=2,p=1$fNyhm8+sb7QZ4yrd6LTgIw$6BodXek13uNy35kT+72frkJtX596ueAsy4Gk+WBwJ50",
            "$argon2id$v=19$m=65536,t=3,p=1$hHOqS+oQ6bBFCvIgzkLUcg$7ifSmXg9iW+0uqacpBsxvGTTOWRbuuXnhDplWruW9s8",
            "$argon2id$v=19$m=20480,t=5,p=1$FRUqCLgiTniY4PXeQ0fZRA$c6Si33R+nWZoEHFcB57wWknhsrYsLryK9GSiKwey+ig",
        ])
    func kept(encoded: String) async throws {
        let hash = PasswordHash(encoded: encoded)
        #expect(try await hasher.verify(.good, against: hash))
        #expect(try await !hasher.verify(.wrong, against: hash))
    }

    @Test("A hash with other parameters still verifies, and needs a new hash")
    func rehash() async throws {
        let stronger = PasswordHasher(parameters: try #require(.init(memory: 20 << 20, passes: 3)))
        let hash = try await hasher.hash(.good)
        #expect(try await stronger.verify(.good, against: hash))
        #expect(stronger.needsRehash(hash))
        #expect(!hasher.needsRehash(hash))
    }

    @Test("The decoy costs the same as a hash with its parameters, and matches no password")
    func decoy() async throws {
        for hasher in [hasher, PasswordHasher()] {
            // It needs no rehash: libsodium parses it completely and finds the current parameters.
            #expect(!hasher.needsRehash(hasher.decoy))
        }
        #expect(try await hasher.hash(.good).encoded.count == hasher.decoy.encoded.count)
        #expect(try await !hasher.verify(.good, against: hasher.decoy))
        #expect(try await !hasher.verify(Password(""), against: hasher.decoy))
    }

    @Test(
        "A wrong password costs as much as a new hash, and a right one no more than its hash"
    )
    func work() async throws {
        let work = Mutex<[Int]>([])
        let parameters = try #require(PasswordHasher.Parameters(memory: 20 << 20, passes: 3))
        let stronger = PasswordHasher(parameters: parameters) { done in work.withLock { $0.append(done) } }
        let cheap = try await hasher.hash(.good)
        #expect(try await stronger.verify(.good, against: cheap))
        #expect(try await !stronger.verify(.wrong, against: cheap))
        #expect(try await !stronger.verify(.wrong, against: PasswordHash(encoded: "damaged")))
        #expect(try await !stronger.verify(.wrong, against: stronger.decoy))
        // A hash that costs more than new ones keeps its cost.
        let dear = try #require(PasswordHasher.Parameters(memory: 20 << 20, passes: 4))
        #expect(try await !stronger.verify(.wrong, against: PasswordHasher(parameters: dear).hash(.good)))
        #expect(work.withLock { $0 } == [38_912, 38_912, 22_527, 61_440, 61_440, 81_920])
    }

    @Test("Hashing leaves the caller's actor free")
    @MainActor
    func offTheActor() async throws {
        var order: [String] = []
        let hashing = Task { @MainActor [hasher] in
            _ = try await hasher.hash(.good)
            order.append("hash")
        }
        // This task is queued on the actor after the hash: it can come first only if the hash is computed elsewhere.
        let other = Task { @MainActor in order.append("other") }
        await other.value
        try await hashing.value
        #expect(order == ["other", "hash"])
    }
}
