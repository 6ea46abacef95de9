public import Essentials

/// How accounts are looked after. All times are in seconds.
public struct AccountPolicy: Hashable, Sendable {
    /// How long the code lasts by which who has forgotten a password chooses another.
    public let resetLifetime: TimeInterval

    /// A policy: an hour for a reset, unless told otherwise.
    public init(resetLifetime: TimeInterval = 3_600) {
        self.resetLifetime = resetLifetime
    }
}
