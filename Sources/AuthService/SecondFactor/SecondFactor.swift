public import Text

/// A proof of identity in addition to the password: codes of an authenticator, and recovery codes in case it is lost.
public struct SecondFactor: Hashable, Sendable {
    /// The time when it was set up, in whole seconds.
    public let since: Date
    /// The number of remaining recovery codes.
    public let recoveryCodes: Int

    /// Creates a second factor from its stored data.
    public init(since: Date, recoveryCodes: Int) {
        self.since = since
        self.recoveryCodes = recoveryCodes
    }
}
