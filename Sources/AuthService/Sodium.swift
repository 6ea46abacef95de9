internal import CSodium

/// libsodium, made ready once before its first use.
package enum Sodium {
    /// `sodium_init` is idempotent and thread-safe, but must come before any other call; a static is initialised once.
    /// It fails only when the system has no source of randomness, and nothing here is safe without one.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() {
        precondition(isReady, "libsodium could not be initialised: the system has no source of randomness")
    }

    /// Bytes from the system's cryptographically secure generator.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// The SHA-256 of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { sha256($0) } }

    /// The SHA-256 of `bytes`: 32 bytes.
    static func sha256(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        prepare()
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes.baseAddress, UInt64(bytes.count))
        return digest
    }

    /// Whether both hold the same bytes, in a time that depends on their number alone.
    package static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        prepare()
        return first.count == second.count && sodium_memcmp(first, second, first.count) == 0
    }

    /// A key for one purpose, made from another key: 32 bytes that tell nothing of it (BLAKE2b).
    package static func key(_ purpose: String, from key: [UInt8]) -> [UInt8] {
        prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        let purpose = Array(purpose.utf8)
        crypto_generichash(&hash, hash.count, purpose, UInt64(purpose.count), key, key.count)
        return hash
    }

    /// Hides a message so that only who holds the key, of 32 bytes, can read it or make another (XSalsa20 and Poly1305).
    package static func seal(_ message: [UInt8], with key: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](repeating: 0, count: message.count + Int(crypto_secretbox_MACBYTES))
        crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key)
        return nonce + box
    }

    /// What was sealed; nil where it was not sealed with this key.
    package static func open(_ sealed: [UInt8], with key: [UInt8]) -> [UInt8]? {
        prepare()
        let (nonce, overhead) = (Int(crypto_secretbox_NONCEBYTES), Int(crypto_secretbox_MACBYTES))
        guard sealed.count >= nonce + overhead else { return nil }
        let box = Array(sealed[nonce...])
        var message = [UInt8](repeating: 0, count: box.count - overhead)
        return crypto_secretbox_open_easy(&message, box, UInt64(box.count), sealed, key) == 0 ? message : nil
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
