package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Stores a secret. See `AccountStore`.
    package func saveFeedSecret(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws {
        try await audited(
            Statement(
                """
                INSERT INTO feed_address (user_id, secret_hash, created_at)
                SELECT id, $1, $2 FROM account WHERE id = $3
                ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at
                """, [.bytes(secretHash), Value(event.at), .integer(user)]),
            recording: event)
    }

    /// Removes a secret. See `AccountStore`.
    package func removeFeedSecret(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await audited(
            Statement("DELETE FROM feed_address WHERE user_id = $1", [.integer(user)]), recording: event) > 0
    }

    /// Returns the creation date of a user's secret. See `AccountStore`.
    package func feedSecretDate(of user: User.ID) async throws -> Date? {
        try await server.first(
            Statement("SELECT created_at FROM feed_address WHERE user_id = $1", [.integer(user)])
        ) { try $0.value(0) }
    }

    /// Returns the user with a secret. See `AccountStore`.
    package func user(withFeedSecret secretHash: [UInt8]) async throws -> User? {
        // The query compares hashes of random bytes, so its duration reveals nothing about the secret.
        try await server.first(
            Statement(
                "SELECT \(User.columns) FROM feed_address JOIN account ON account.id = user_id WHERE secret_hash = $1",
                [.bytes(secretHash)])
        ) { try User($0, at: 0) }
    }
}
