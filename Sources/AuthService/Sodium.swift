internal import CSodium
internal import Text

/// The functions of libsodium, which is initialized before its first use.
package enum Sodium {
    /// `sodium_init` is idempotent and thread-safe, but must be called before all other functions. A static property is
    /// initialized once. It fails only if the system lacks a source of randomness, and nothing here is secure without
    /// one.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() {
        precondition(isReady, "libsodium could not be initialized: the system has no source of randomness")
    }

    /// Returns bytes from the system's cryptographically secure generator.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// Returns the SHA-256 of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { sha256($0) } }

    /// Returns the SHA-256 of `bytes`: 32 bytes.
    static func sha256(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        prepare()
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes.baseAddress, UInt64(bytes.count))
        return digest
    }

    /// Returns a digest of `bytes` as text, such as for an entity tag: 16 bytes of BLAKE2b in Base64URL. It takes a fraction
    /// of the time of SHA-256.
    package static func digest(_ bytes: [UInt8]) -> String {
        prepare()
        var hash = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return Base64URL.encode(hash)
    }

    /// Returns whether both contain the same bytes. The duration depends only on their number.
    package static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        prepare()
        return first.count == second.count && sodium_memcmp(first, second, first.count) == 0
    }

    /// Derives a key of 32 bytes for a purpose from another key (BLAKE2b). It reveals nothing about the other key.
    package static func key(_ purpose: String, from key: [UInt8]) -> [UInt8] {
        prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        let purpose = Array(purpose.utf8)
        crypto_generichash(&hash, hash.count, purpose, UInt64(purpose.count), key, key.count)
        return hash
    }

    /// Encrypts and authenticates a message with a key of 32 bytes (XSalsa20 and Poly1305).
    package static func seal(_ message: [UInt8], with key: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](repeating: 0, count: message.count + Int(crypto_secretbox_MACBYTES))
        crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key)
        return nonce + box
    }

    /// Decrypts a message; nil if it was not encrypted with this key.
    package static func open(_ sealed: [UInt8], with key: [UInt8]) -> [UInt8]? {
        prepare()
        let (nonce, overhead) = (Int(crypto_secretbox_NONCEBYTES), Int(crypto_secretbox_MACBYTES))
        guard sealed.count >= nonce + overhead else { return nil }
        let box = Array(sealed[nonce...])
        var message = [UInt8](repeating: 0, count: box.count - overhead)
        return crypto_secretbox_open_easy(&message, box, UInt64(box.count), sealed, key) == 0 ? message : nil
    }

    /// Decodes a base64 text of `count` bytes; nil if it is invalid or sets unused bits. The duration is constant.
    ///
    /// - Parameter variant: a constant `sodium_base64_VARIANT_…` of libsodium.
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
