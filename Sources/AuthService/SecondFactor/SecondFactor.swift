public import Essentials

/// What a user proves a log-in with besides the password: codes of an authenticator, and codes for the day it is lost.
public struct SecondFactor: Hashable, Sendable {
    /// Since when, in whole seconds.
    public let since: Date
    /// How many recovery codes are left.
    public let recoveryCodes: Int

    /// A second factor, as a repository reads it.
    public init(since: Date, recoveryCodes: Int) {
        self.since = since
        self.recoveryCodes = recoveryCodes
    }
}
