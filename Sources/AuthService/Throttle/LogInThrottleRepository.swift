public import Essentials

/// Where failed log-ins are counted, per name, whether or not such a user exists.
public protocol LogInThrottleRepository: Sendable {
    /// Judges an attempt by `policy` and counts it as a failure when it is admitted, in one transaction, so that of
    /// many at once no more are admitted than of as many in turn.
    ///
    /// Counts that `policy` has forgotten are removed, whatever their name.
    ///
    /// - Parameters:
    ///   - nameHash: the SHA-256 of the name: 32 bytes. People type passwords into the name field.
    ///   - now: when the attempt is made.
    ///   - policy: what judges it.
    func admit(_ nameHash: [UInt8], at now: Date, policy: ThrottlePolicy) async throws -> LogInAttempt

    /// Takes back an attempt that was admitted and then could not be carried out: it was no failure, and the next is
    /// admitted as it was.
    func withdraw(_ nameHash: [UInt8], policy: ThrottlePolicy) async throws

    /// Forgets the failures of a name, because one succeeded.
    func reset(_ nameHash: [UInt8]) async throws
}
