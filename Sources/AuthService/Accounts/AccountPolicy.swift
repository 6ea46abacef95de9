public import Essentials

/// How accounts are looked after. All times are in seconds.
public struct AccountPolicy: Hashable, Sendable {
    /// How long the code lasts by which who has forgotten a password chooses another.
    public let resetLifetime: TimeInterval
    /// The longest that an API token may last.
    public let tokenLifetime: TimeInterval
    /// How many API tokens a user may have.
    public let tokens: Int

    /// A policy: an hour for a reset, a year and fifty of them for API tokens, unless told otherwise.
    public init(
        resetLifetime: TimeInterval = 3_600, tokenLifetime: TimeInterval = 366 * 86_400, tokens: Int = 50
    ) {
        self.resetLifetime = resetLifetime
        self.tokenLifetime = tokenLifetime
        self.tokens = tokens
    }
}
