internal import CMessageDigest
internal import CSodium

/// A hash with a key (RFC 2104), by the name of its hash function.
package enum HMAC: String, CaseIterable, Sendable {
    case sha1, sha256, sha384, sha512

    /// Returns the code of a message.
    package func code(of message: [UInt8], key: some Collection<UInt8>) -> [UInt8] {
        var padded = [UInt8](repeating: 0, count: block)
        defer { sodium_memzero(&padded, padded.count) }
        // A longer key is replaced by its hash.
        for (index, byte) in (key.count > block ? self.hash([], Array(key)) : Array(key)).enumerated() {
            padded[index] = byte
        }
        func hash(pad: UInt8, _ rest: [UInt8]) -> [UInt8] {
            var start = padded.map { $0 ^ pad }
            defer { sodium_memzero(&start, start.count) }
            return self.hash(start, rest)
        }
        return hash(pad: 0x5C, hash(pad: 0x36, message))
    }

    /// The number of bytes that the hash function reads at once.
    private var block: Int {
        switch self {
        case .sha1, .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    /// Returns the hash of both texts together.
    private func hash(_ start: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        if self == .sha1 {
            var context = SHA1_CTX()
            defer { sodium_memzero(&context, MemoryLayout<SHA1_CTX>.size) }
            SHA1Init(&context)
            SHA1Update(&context, start, start.count)
            SHA1Update(&context, rest, rest.count)
            SHA1Final(&digest, &context)
            return digest
        }
        var context = SHA2_CTX()
        defer { sodium_memzero(&context, MemoryLayout<SHA2_CTX>.size) }
        switch self {
        case .sha1, .sha256:
            SHA256Init(&context)
            SHA256Update(&context, start, start.count)
            SHA256Update(&context, rest, rest.count)
            SHA256Final(&digest, &context)
        case .sha384:
            SHA384Init(&context)
            SHA384Update(&context, start, start.count)
            SHA384Update(&context, rest, rest.count)
            SHA384Final(&digest, &context)
        case .sha512:
            SHA512Init(&context)
            SHA512Update(&context, start, start.count)
            SHA512Update(&context, rest, rest.count)
            SHA512Final(&digest, &context)
        }
        return digest
    }

    /// The number of bytes of a hash.
    private var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}
