/// The token with which a client proves that it is logged in: `id.secret`, which is the session's ID and 32 random
/// bytes in base64url.
///
/// A person who knows the text can act as the user. So the text never appears in output: when the token is printed,
/// dumped, or reflected, the result is `<redacted>`. Only the SHA-256 of the secret is stored; random bytes do not need
/// a slow hash.
public struct SessionToken: Sendable, Redacted {
    /// The ID of the session, which is not secret.
    public let sessionID: Session.ID
    /// Whether it is an API token rather than that of a login. The text of an API token begins with `actl_`, so that
    /// secret scanners recognize it.
    public let isAPIToken: Bool
    private let secret: RandomSecret

    /// Parses a token; nil if the text is invalid.
    public init?(_ text: String) {
        isAPIToken = text.hasPrefix(Self.prefix)
        let text = isAPIToken ? text.dropFirst(Self.prefix.count) : text[...]
        guard text.utf8.count == Self.length else { return nil }
        // Neither part contains a dot.
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")), let id = Session.ID(String(text[..<dot])),
            let secret = RandomSecret(text[text.utf8.index(after: dot)...])
        else { return nil }
        sessionID = id
        self.secret = secret
    }

    /// Creates a token for a new session.
    init(randomBytes: (Int) -> [UInt8], isAPIToken: Bool = false) {
        self.isAPIToken = isAPIToken
        sessionID = Session.ID(randomBytes: randomBytes)
        secret = RandomSecret(randomBytes: randomBytes)
    }

    /// The text that the client stores where only its user can read it.
    public var text: String { (isAPIToken ? Self.prefix : "") + "\(sessionID).\(secret.text)" }

    /// The hash that is stored to recognize the token.
    var secretHash: [UInt8] { secret.hash }

    private static let prefix = "actl_"
    private static let length = Session.ID.length + 1 + RandomSecret.length
}

/// The token that identifies a device from which a user has logged in: 32 random bytes in base64url.
///
/// It does not grant access. With it, failed logins of the device are counted separately, so that the guesses of
/// others do not lock out its user. So it outlives a session and a change of the password.
public struct DeviceToken: Sendable, Redacted {
    private let secret: RandomSecret

    /// Parses a token; nil if the text is invalid.
    public init?(_ text: String) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    /// Creates a token for a new device.
    init(randomBytes: (Int) -> [UInt8]) { secret = RandomSecret(randomBytes: randomBytes) }

    /// The text that the device stores where only its user can read it.
    public var text: String { secret.text }

    /// The hash that is stored to recognize the device.
    var secretHash: [UInt8] { secret.hash }
}
