public import Text

/// A login on one client, from its start to its end.
public struct Session: Identifiable, Hashable, Sendable {
    /// Identifies a session for its user. It is not a secret. It has 16 hexadecimal digits.
    public struct ID: Hashable, Sendable, LosslessStringConvertible {
        static let length = 16

        /// The 16 hexadecimal digits.
        public let description: String

        /// Parses an ID; nil unless it has 16 characters of `0`–`9` and `a`–`f`.
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

    /// The ID.
    public let id: ID
    /// The user.
    public var user: User
    /// The name: the client's description of itself, such as the host name, until the user renames the session.
    public var client: String
    /// The origin of the login as the service saw it.
    public let origin: Origin
    /// The time of the login, in whole seconds.
    public let createdAt: Date
    /// The time of the last use, in whole seconds. It may be late by up to `SessionPolicy.touchInterval`.
    public var lastUsedAt: Date
    /// The time of the last password confirmation or login, in whole seconds.
    public var confirmedAt: Date
    /// The time when the session expires even if it is used, in whole seconds.
    public let expiresAt: Date
    /// The API token that it stands for; nil for a login.
    public let apiToken: APIToken?

    /// Creates a session from its stored data.
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

extension Session {
    /// Returns whether the session permits operations for which an API token needs this scope, or, if the scope is nil,
    /// operations that require a login.
    public func mayBeUsed(for scope: APIToken.Scope?) -> Bool {
        guard let apiToken else { return true }
        return scope == .read || scope == .write && apiToken.scope == .write
    }
}
