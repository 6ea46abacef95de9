public import Essentials

/// The time between one log-in and its end, on one client.
public struct Session: Identifiable, Hashable, Sendable {
    /// What names a session to its user; it proves nothing. 16 hexadecimal digits.
    public struct ID: Hashable, Sendable, LosslessStringConvertible {
        static let length = 16

        /// The digits.
        public let description: String

        /// The id that `text` is, or nil when it is not 16 of `0`–`9` and `a`–`f`.
        public init?(_ text: String) {
            guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isDigit) else { return nil }
            description = text
        }

        init(randomBytes: (Int) -> [UInt8]) {
            let digits = randomBytes(Self.length / 2).flatMap {
                [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]]
            }
            description = String(decoding: digits, as: UTF8.self)
        }

        private static func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }

        private static let digits = Array("0123456789abcdef".utf8)
    }

    /// What names the session.
    public let id: ID
    /// Who is logged in.
    public var user: User
    /// What it is called: what the client said of itself, such as the name of the host, until its user names it.
    public var client: String
    /// From where it was opened, as the service saw it.
    public let origin: Origin
    /// When it began, in whole seconds.
    public let createdAt: Date
    /// When it was last used, in whole seconds; behind by up to `SessionPolicy.touchInterval`.
    public var lastUsedAt: Date
    /// When the password was last given in it, the log-in included, in whole seconds.
    public var confirmedAt: Date
    /// When it ends however much it is used, in whole seconds.
    public let expiresAt: Date
    /// The API token that it stands for; nil for one that began with a log-in.
    public let apiToken: APIToken?

    /// A session, as a repository reads it.
    public init(
        id: ID, user: User, client: String, origin: Origin, createdAt: Date, lastUsedAt: Date, confirmedAt: Date,
        expiresAt: Date, apiToken: APIToken? = nil
    ) {
        self.id = id
        self.user = user
        self.client = client
        self.origin = origin
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.confirmedAt = confirmedAt
        self.expiresAt = expiresAt
        self.apiToken = apiToken
    }
}
