/// The user name and the password for a feed behind Basic authentication (RFC 7617).
package struct FeedLogin: Sendable, Hashable {
    /// The maximum number of bytes of a name or a password.
    private static let limit = 1_024

    package let username: String
    package let password: String

    /// - Throws: ``SubscribeError/invalidLogin(_:)``.
    package init(username: String, password: String) throws(SubscribeError) {
        guard !username.isEmpty, !username.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidLogin("a user name must not be empty and must not contain a colon")
        }
        for text in [username, password] where text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .invalidLogin("a user name or a password must not contain control characters")
        }
        for text in [username, password] where text.utf8.count > Self.limit {
            throw .invalidLogin("a user name or a password has at most \(Self.limit) bytes")
        }
        (self.username, self.password) = (username, password)
    }
}

/// A login with the only place to which it may be sent.
package struct FeedPassword: Sendable, Hashable {
    /// The scheme, the host, and the port, such as `https://example.org:443`.
    package let origin: String
    package let login: FeedLogin

    package init(_ login: FeedLogin, for origin: String) { (self.login, self.origin) = (login, origin) }
}

// Neither a message nor the output of a debugger shows the secret.

extension FeedLogin: CustomStringConvertible, CustomReflectable {
    package var description: String { "a user name and a password" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FeedPassword: CustomStringConvertible, CustomReflectable {
    package var description: String { "a password for \(origin)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
