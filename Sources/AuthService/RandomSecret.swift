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
        let characters = SecretBytes(text.utf8.prefix(Self.length + 1))
        var count = 0
        var isText = false
        bytes = SecretBytes(count: Self.count) { bytes in
            isText = characters.withCharacters { start, length in
                sodium_base642bin(bytes, Self.count, start, length, nil, &count, nil, Self.variant) == 0
            }
        }
        guard isText, count == Self.count else { return nil }
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
