package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Stores a secret. See `AccountStore`.
    package func saveFeedSecret(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws {
        try await database.write { transaction in
            let put = try transaction.run(
                """
                INSERT INTO feed_address (user_id, secret_hash, created_at) SELECT id, ?, ? FROM user WHERE id = ?
                ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at
                """, [.blob(secretHash), Value(event.at), .integer(user)])
            if put > 0 { try transaction.record(event) }
        }
    }

    /// Removes a secret. See `AccountStore`.
    package func removeFeedSecret(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.run("DELETE FROM feed_address WHERE user_id = ?", [.integer(user)]) > 0
            if removed { try transaction.record(event) }
            return removed
        }
    }

    /// Returns the creation date of a user's secret. See `AccountStore`.
    package func feedSecretDate(of user: User.ID) async throws -> Date? {
        try database.first("SELECT created_at FROM feed_address WHERE user_id = ?", [.integer(user)]) {
            try $0.value(0)
        }
    }

    /// Returns the user with a secret. See `AccountStore`.
    package func user(withFeedSecret secretHash: [UInt8]) async throws -> User? {
        // The query compares hashes of random bytes, so its duration reveals nothing about the secret.
        try database.first(
            "SELECT \(User.columns) FROM feed_address JOIN user ON user.id = user_id WHERE secret_hash = ?",
            [.blob(secretHash)]
        ) { try User($0, at: 0) }
    }
}
