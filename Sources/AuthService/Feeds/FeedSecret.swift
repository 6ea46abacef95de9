/// The secret in the addresses of a user's feeds: it allows reading the articles that the user may read, and nothing else.
///
/// It never shows itself but as its ``text``.
public struct FeedSecret: Sendable, Redacted {
    private let secret: RandomSecret

    /// The secret that `text` is, or nil when it is none.
    public init?(_ text: String) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    init(randomBytes: (Int) -> [UInt8]) { secret = RandomSecret(randomBytes: randomBytes) }

    /// The text for an address: 43 letters of base64url.
    public var text: String { secret.text }

    /// What is stored to recognise it.
    var hash: [UInt8] { secret.hash }
}
