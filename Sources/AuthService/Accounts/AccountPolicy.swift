public import Essentials

/// How accounts are looked after. All times are in seconds.
public struct AccountPolicy: Hashable, Sendable {
    /// How long the code lasts by which who has forgotten a password chooses another.
    public let resetLifetime: TimeInterval
    /// How long an invitation lasts.
    public let invitationLifetime: TimeInterval
    /// Names that nobody can choose, because people would take their holder for more than a user.
    public let reservedNames: Set<String>
    /// The longest that an API token may last.
    public let tokenLifetime: TimeInterval
    /// How many API tokens a user may have.
    public let tokens: Int
    /// How long the log keeps what happened.
    public let logLifetime: TimeInterval
    /// How long after the password a code of the second factor is taken.
    public let pendingLifetime: TimeInterval
    /// How many recovery codes a user is given.
    public let recoveryCodes: Int
    /// The name that an authenticator shows for its codes.
    public let issuer: String

    /// A policy: an hour for a reset, a week for an invitation, a year and fifty of them for API tokens, a year for the log,
    /// five minutes for a code, and ten recovery codes, unless told otherwise.
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

    /// Names of the system, of those who run it, and of addresses that mail and the web give a meaning to (RFC 2142).
    public static let usualReservedNames: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "anonymous", "api", "articlesctl", "articlesd",
        "audit", "billing", "bot", "contact", "daemon", "deleted", "editor", "everyone", "guest", "help",
        "hostmaster", "info", "login", "logout", "mailer-daemon", "me", "moderator", "nobody", "noreply", "null",
        "official", "operator", "owner", "postmaster", "reader", "register", "root", "security", "self", "service",
        "signup", "staff", "sudo", "superuser", "support", "sysadmin", "system", "team", "test", "undefined",
        "unknown", "user", "users", "webmaster", "www",
    ]
}
