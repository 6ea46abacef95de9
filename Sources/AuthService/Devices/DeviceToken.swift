/// The token that identifies a device from which a user has logged in: 32 random bytes in base64url.
///
/// It does not grant access. With it, failed log-ins of the device are counted separately, so that the guesses of
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
