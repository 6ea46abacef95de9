internal import CSodium

/// 32 random bytes, and as text their base64url: what a client holds to prove something. Only the SHA-256 is stored; random
/// bytes need no slow hash.
struct RandomSecret: Sendable {
    private let bytes: [UInt8]

    /// How many characters the text has.
    static let length = 43
    private static let count = 32
    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    /// New bytes.
    init(randomBytes: (Int) -> [UInt8]) { bytes = randomBytes(Self.count) }

    /// The bytes that `text` stands for, or nil when it is no such text. In constant time, and refusing bits that are not
    /// used.
    init?(_ text: some StringProtocol) {
        let characters = text.utf8.prefix(Self.length + 1)
        guard let bytes = Sodium.decodedBase64(characters, count: Self.count, variant: Self.variant) else { return nil }
        self.bytes = bytes
    }

    var text: String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, Self.variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, Self.variant)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// What is stored to recognise it.
    var hash: [UInt8] { Sodium.sha256(bytes) }
}
