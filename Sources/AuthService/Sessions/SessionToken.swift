/// What a client holds to prove that it is logged in: `id.secret`, the session's id and 32 random bytes in base64url.
///
/// Whoever has the text is the user, so it never shows itself: printed, dumped or reflected it is `<redacted>`. Only the
/// SHA-256 of the secret is stored; random bytes need no slow hash.
public struct SessionToken: Sendable, Redacted {
    /// The session it belongs to; no secret.
    public let sessionID: Session.ID
    /// Whether it is an API token, and not of a log-in. Its text begins with `actl_`, so that programs that look for secrets
    /// in the wrong places know one.
    public let isAPIToken: Bool
    private let secret: RandomSecret

    /// The token that `text` is, or nil when it is none.
    public init?(_ text: String) {
        isAPIToken = text.hasPrefix(Self.prefix)
        let text = isAPIToken ? text.dropFirst(Self.prefix.count) : text[...]
        guard text.utf8.count == Self.length else { return nil }
        // Neither part has a dot in it.
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")), let id = Session.ID(String(text[..<dot])),
            let secret = RandomSecret(text[text.utf8.index(after: dot)...])
        else { return nil }
        sessionID = id
        self.secret = secret
    }

    /// A token for a new session.
    init(randomBytes: (Int) -> [UInt8], isAPIToken: Bool = false) {
        self.isAPIToken = isAPIToken
        sessionID = Session.ID(randomBytes: randomBytes)
        secret = RandomSecret(randomBytes: randomBytes)
    }

    /// The text that the client keeps, in a place that only its user can read.
    public var text: String { (isAPIToken ? Self.prefix : "") + "\(sessionID).\(secret.text)" }

    /// What is stored to recognise the token.
    var secretHash: [UInt8] { secret.hash }

    private static let prefix = "actl_"
    private static let length = Session.ID.length + 1 + RandomSecret.length
}
