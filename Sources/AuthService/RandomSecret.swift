internal import CSodium

/// 32 random bytes, and as text their base64url: what a client holds to prove something. Only the SHA-256 is stored; random
/// bytes need no slow hash.
struct RandomSecret: Sendable {
    private let bytes: SecretBytes

    /// How many characters the text has.
    static let length = 43
    private static let count = 32
    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    /// New bytes.
    init(randomBytes: (Int) -> [UInt8]) {
        var bytes = randomBytes(Self.count)
        defer { sodium_memzero(&bytes, bytes.count) }
        self.bytes = SecretBytes(bytes)
    }

    /// The bytes that `text` stands for, or nil when it is no such text. In constant time, and refusing bits that are not
    /// used.
    init?(_ text: some StringProtocol) {
        var isText = false
        bytes = SecretBytes(count: Self.count) { bytes in
            // Read where it lies: a copy would have to be overwritten.
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

    /// A copy that nobody overwrites: for where it is to be kept.
    var text: String {
        bytes.withBytes { bytes in
            var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, Self.variant))
            defer { sodium_memzero(&text, text.count) }
            sodium_bin2base64(&text, text.count, bytes.baseAddress, bytes.count, Self.variant)
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        }
    }

    /// What is stored to recognise it.
    var hash: [UInt8] { bytes.withBytes { Sodium.sha256($0) } }
}
