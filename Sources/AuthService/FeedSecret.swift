/// The secret in the addresses of a user's feeds. It permits reading the articles that the user may read, and nothing
/// else.
///
/// Only ``text`` reveals it.
public struct FeedSecret: Sendable, Redacted {
    private let secret: RandomSecret

    /// Parses a secret; nil if the text is invalid.
    public init?(_ text: String) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    init(randomBytes: (Int) -> [UInt8]) { secret = RandomSecret(randomBytes: randomBytes) }

    /// The text for an address: 43 characters of base64url.
    public var text: String { secret.text }

    /// The hash that is stored to recognize the secret.
    var hash: [UInt8] { secret.hash }
}
