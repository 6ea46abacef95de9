internal import CSodium

/// 32 random bytes, written as base64url, with which a client proves something. Only the SHA-256 is stored; random
/// bytes do not need a slow hash.
struct RandomSecret: Sendable {
    private let bytes: SecretBytes

    /// The number of characters of the text.
    static let length = 43
    private static let count = 32
    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    /// Creates new random bytes.
    init(randomBytes: (Int) -> [UInt8]) {
        var bytes = randomBytes(Self.count)
        defer { sodium_memzero(&bytes, bytes.count) }
        self.bytes = SecretBytes(bytes)
    }

    /// Parses a text; nil if it is invalid or sets unused bits. The duration is constant.
    init?(_ text: some StringProtocol) {
        var isText = false
        bytes = SecretBytes(count: Self.count) { bytes in
            // Read the text in place: a copy would have to be overwritten.
            isText =
                text.utf8.withContiguousStorageIfAvailable { Self.decode($0, to: bytes) }
                ?? SecretBytes(text.utf8.prefix(Self.length + 1)).withBytes { Self.decode($0, to: bytes) }
        }
        guard isText else { return nil }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>, to bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        text.withMemoryRebound(to: CChar.self) { text in
            var count = 0
            let status = sodium_base642bin(
                bytes, Self.count, text.baseAddress, text.count, nil, &count, nil, Self.variant)
            return status == 0 && count == Self.count
        }
    }

    /// A copy as text, which is not overwritten. Use it only to store the secret at the client.
    var text: String {
        bytes.withBytes { bytes in
            var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, Self.variant))
            defer { sodium_memzero(&text, text.count) }
            sodium_bin2base64(&text, text.count, bytes.baseAddress, bytes.count, Self.variant)
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        }
    }

    /// The hash that is stored to recognize the secret.
    var hash: [UInt8] { bytes.withBytes { Sodium.sha256($0) } }
}

/// A value that never prints itself: printed, dumped, or reflected, it is `<redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// A placeholder.
    public var description: String { "<redacted>" }

    /// A placeholder.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
