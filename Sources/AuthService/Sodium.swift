internal import CSodium

/// libsodium, made ready once before its first use.
enum Sodium {
    /// `sodium_init` is idempotent and thread-safe, but must come before any other call; a static is initialised once.
    /// It fails only when the system has no source of randomness, and nothing here is safe without one.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() {
        precondition(isReady, "libsodium could not be initialised: the system has no source of randomness")
    }

    /// Bytes from the system's cryptographically secure generator.
    static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// The SHA-256 of `bytes`: 32 bytes.
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { sha256($0) } }

    /// The SHA-256 of `bytes`: 32 bytes.
    static func sha256(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        prepare()
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes.baseAddress, UInt64(bytes.count))
        return digest
    }

    /// Whether both hold the same bytes, in a time that depends on their number alone.
    static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        prepare()
        return first.count == second.count && sodium_memcmp(first, second, first.count) == 0
    }

    /// The `count` bytes that a text in base64 stands for; nil when it is no such text, or sets bits that are not used. In
    /// constant time.
    ///
    /// - Parameter variant: one of libsodium's `sodium_base64_VARIANT_…`.
    static func decodedBase64(_ text: some Sequence<UInt8>, count: Int, variant: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        let characters = text.map { CChar(bitPattern: $0) }
        guard
            sodium_base642bin(&bytes, count, characters, characters.count, nil, &length, nil, variant) == 0,
            length == count
        else { return nil }
        return bytes
    }
}
