public import Essentials

/// How accounts are looked after. All times are in seconds.
public struct AccountPolicy: Hashable, Sendable {
    /// How long the code lasts by which who has forgotten a password chooses another.
    public let resetLifetime: TimeInterval
    /// The longest that an API token may last.
    public let tokenLifetime: TimeInterval
    /// How many API tokens a user may have.
    public let tokens: Int
    /// How long the log keeps what happened.
    public let logLifetime: TimeInterval

    /// A policy: an hour for a reset, a year and fifty of them for API tokens, a year for the log, unless told otherwise.
    public init(
        resetLifetime: TimeInterval = 3_600, tokenLifetime: TimeInterval = 366 * 86_400, tokens: Int = 50,
        logLifetime: TimeInterval = 366 * 86_400
    ) {
        self.resetLifetime = resetLifetime
        self.tokenLifetime = tokenLifetime
        self.tokens = tokens
        self.logLifetime = logLifetime
    }
}
