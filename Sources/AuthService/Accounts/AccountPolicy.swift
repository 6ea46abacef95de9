public import Text

/// The rules for accounts. All times are in seconds.
public struct AccountPolicy: Hashable, Sendable {
    /// The lifetime of a code with which a user who has forgotten the password chooses a new one.
    public let resetLifetime: TimeInterval
    /// The lifetime of an invitation.
    public let invitationLifetime: TimeInterval
    /// Names that users cannot choose, because others could take the user for an official.
    public let reservedNames: Set<String>
    /// The maximum lifetime of an API token.
    public let tokenLifetime: TimeInterval
    /// The maximum number of API tokens of a user.
    public let tokens: Int
    /// The time after which events are removed from the log.
    public let logLifetime: TimeInterval
    /// The time after the password in which a code of the second factor is accepted.
    public let pendingLifetime: TimeInterval
    /// The number of recovery codes of a user.
    public let recoveryCodes: Int
    /// The name that an authenticator app shows for the codes.
    public let issuer: String

    /// Creates a policy. The defaults are: one hour for a reset, one week for an invitation, one year and fifty tokens
    /// for API tokens, one year for the log, five minutes for a code, and ten recovery codes.
    public init(
        resetLifetime: TimeInterval = 3_600, invitationLifetime: TimeInterval = 7 * 86_400,
        reservedNames: Set<String> = AccountPolicy.usualReservedNames,
        tokenLifetime: TimeInterval = 366 * 86_400, tokens: Int = 50,
        logLifetime: TimeInterval = 366 * 86_400, pendingLifetime: TimeInterval = 300, recoveryCodes: Int = 10,
        issuer: String = "articlesctl"
    ) {
        self.resetLifetime = resetLifetime
        self.invitationLifetime = invitationLifetime
        self.reservedNames = reservedNames
        self.tokenLifetime = tokenLifetime
        self.tokens = tokens
        self.logLifetime = logLifetime
        self.pendingLifetime = pendingLifetime
        self.recoveryCodes = recoveryCodes
        self.issuer = issuer
    }

    /// Checks a name that a user chooses.
    ///
    /// - Throws: `AuthError.reservedName`.
    public func check(_ username: Username) throws(AuthError) {
        guard !reservedNames.contains(username.text) else { throw .reservedName(username) }
    }

    /// The names of system users, of operators, and those with a fixed meaning in mail and web addresses (RFC 2142).
    public static let usualReservedNames: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "anonymous", "api", "articlesctl", "articlesd",
        "audit", "billing", "bot", "contact", "daemon", "deleted", "editor", "everyone", "guest", "help",
        "hostmaster", "info", "login", "logout", "mailer-daemon", "me", "moderator", "nobody", "noreply", "null",
        "official", "operator", "owner", "postmaster", "reader", "register", "root", "security", "self", "service",
        "signup", "staff", "sudo", "superuser", "support", "sysadmin", "system", "team", "test", "undefined",
        "unknown", "user", "users", "webmaster", "www",
    ]
}

/// The rule for who may register. It is stored with the accounts, and applies to all fronts.
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    /// Anybody.
    case open
    /// People with the code of an invitation.
    case invitation
    /// Nobody.
    case closed
}
