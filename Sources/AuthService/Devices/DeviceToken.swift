/// The token by which a device is known as one from which a user has logged in: 32 random bytes in base64url.
///
/// It opens nothing. It lets the device's own failed log-ins be counted by themselves, so that the guesses of others do
/// not keep its user out. So it outlives a session and a change of the password.
public struct DeviceToken: Sendable, Redacted {
    private let secret: RandomSecret

    /// The token that `text` is, or nil when it is none.
    public init?(_ text: String) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    /// A token for a device that has none.
    init(randomBytes: (Int) -> [UInt8]) { secret = RandomSecret(randomBytes: randomBytes) }

    /// The text that the device keeps, in a place that only its user can read.
    public var text: String { secret.text }

    /// The hash that is stored to recognize the device.
    var secretHash: [UInt8] { secret.hash }
}
