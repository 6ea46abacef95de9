public import Text

/// A store of the secrets in feed addresses, one per user.
public protocol FeedAddressRepository: Sendable {
    /// Stores the SHA-256 of a secret in place of the previous one, and records the event.
    func put(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws

    /// Removes the secret of a user.
    ///
    /// - Returns: whether there was one. If not, nothing is recorded.
    func removeFeedAddress(of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Returns the creation date of a user's secret; nil if there is none.
    func feedAddressDate(of user: User.ID) async throws -> Date?

    /// Returns the user with a secret; nil if it is unknown.
    func user(withFeedSecret secretHash: [UInt8]) async throws -> User?
}
