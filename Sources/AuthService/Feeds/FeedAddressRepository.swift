public import Database
public import Essentials

/// A store of the secrets in the addresses of feeds: one for each user.
public protocol FeedAddressRepository: Sendable {
    /// Keeps the SHA-256 of a secret in the place of the one before, and records it.
    func put(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws

    /// Forgets the secret of a user.
    ///
    /// - Returns: whether there was one; nothing is recorded otherwise.
    func removeFeedAddress(of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Since when a user has their secret; nil without one.
    func feedAddressDate(of user: User.ID) async throws -> Date?

    /// The user with a secret; nil where nobody has it.
    func user(withFeedSecret secretHash: [UInt8]) async throws -> User?
}

/// Secrets in the table `feed_address`.
public struct SQLiteFeedAddressRepository: FeedAddressRepository {
    private let database: Database

    /// The secrets in `database`.
    public init(database: Database) { self.database = database }

    /// Keeps a secret. See `FeedAddressRepository`.
    public func put(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws {
        try await database.write { transaction in
            let put = try transaction.run(
                """
                INSERT INTO feed_address (user_id, secret_hash, created_at) SELECT id, ?, ? FROM user WHERE id = ?
                ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at
                """, [.blob(secretHash), Value(event.at), .integer(user)])
            if put > 0 { try transaction.record(event) }
        }
    }

    /// Forgets a secret. See `FeedAddressRepository`.
    public func removeFeedAddress(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.run("DELETE FROM feed_address WHERE user_id = ?", [.integer(user)]) > 0
            if removed { try transaction.record(event) }
            return removed
        }
    }

    /// Since when a user has their secret. See `FeedAddressRepository`.
    public func feedAddressDate(of user: User.ID) async throws -> Date? {
        try database.first("SELECT created_at FROM feed_address WHERE user_id = ?", [.integer(user)]) {
            try $0.value(0)
        }
    }

    /// The user with a secret. See `FeedAddressRepository`.
    public func user(withFeedSecret secretHash: [UInt8]) async throws -> User? {
        // A hash of random bytes is compared: the time that it takes reveals nothing about them.
        try database.first(
            "SELECT \(User.columns) FROM feed_address JOIN user ON user.id = user_id WHERE secret_hash = ?",
            [.blob(secretHash)]
        ) { try User($0, at: 0) }
    }
}
