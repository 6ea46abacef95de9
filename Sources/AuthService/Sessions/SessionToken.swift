internal import CSodium

/// What a client holds to prove that it is logged in: `id.secret`, the session's id and 32 random bytes in base64url.
///
/// Whoever has the text is the user, so it never shows itself: printed, dumped or reflected it is `<redacted>`. Only the
/// SHA-256 of the secret is stored; random bytes need no slow hash.
public struct SessionToken: Sendable {
    /// The session it belongs to; no secret.
    public let sessionID: Session.ID
    /// Whether it is an API token, and not of a log-in. Its text begins with `actl_`, so that programs that look for secrets
    /// in the wrong places know one.
    public let isAPIToken: Bool
    private let secret: [UInt8]

    /// The token that `text` is, or nil when it is none.
    public init?(_ text: String) {
        isAPIToken = text.hasPrefix(Self.prefix)
        let text = isAPIToken ? text.dropFirst(Self.prefix.count) : text[...]
        guard text.utf8.count == Self.length else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Session.ID(String(parts[0])), let secret = Self.decode(String(parts[1]))
        else { return nil }
        sessionID = id
        self.secret = secret
    }

    /// A token for a new session.
    init(randomBytes: (Int) -> [UInt8], isAPIToken: Bool = false) {
        self.isAPIToken = isAPIToken
        sessionID = Session.ID(randomBytes: randomBytes)
        secret = randomBytes(Self.secretBytes)
    }

    /// The text that the client keeps, in a place that only its user can read.
    public var text: String { (isAPIToken ? Self.prefix : "") + "\(sessionID).\(Self.encode(secret))" }

    /// What is stored to recognise the token.
    var secretHash: [UInt8] { Sodium.sha256(secret) }

    private static let prefix = "actl_"
    private static let secretBytes = 32
    private static let secretLength = 43
    private static let length = Session.ID.length + 1 + secretLength

    private static func encode(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// In constant time, and refusing bits that are not used.
    private static func decode(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: secretBytes)
        var count = 0
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        guard
            sodium_base642bin(&bytes, bytes.count, characters, characters.count, nil, &count, nil, variant) == 0,
            count == secretBytes
        else { return nil }
        return bytes
    }

    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
}

extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "<redacted>" }

    /// Never the token.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
