internal import ArticleStore
package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Stores a new token. See `AccountStore`.
    package func createToken(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool {
        let (token, user) = (stored.token, stored.user)
        do {
            return try await database.write { transaction in
                let count: Int? = try transaction.first(
                    "SELECT count(*) FROM api_token WHERE user_id = ?", [.integer(user.id)]
                ) { try $0.value(0) }
                guard count ?? 0 < limit else { throw AuthError.tooManyTokens(limit) }
                let inserted = try transaction.run(
                    """
                    INSERT INTO api_token (id, secret_hash, user_id, name, scope, created_at, expires_at)
                    SELECT ?1, ?2, id, ?3, ?4, ?5, ?6 FROM user
                    WHERE id = ?7 AND password_changed_at = ?8 AND disabled_at IS NULL
                    """,
                    [
                        .text(token.id.description), .blob(stored.secretHash), .text(token.name),
                        .text(token.scope.rawValue), Value(token.createdAt), Value(token.expiresAt),
                        .integer(user.id), Value(user.passwordChangedAt),
                    ])
                if inserted > 0 { try transaction.record(event) }
                return inserted > 0
            }
        } catch let error as StoreError where error.isUniqueViolation {
            throw AuthError.tokenNameTaken(token.name)
        }
    }

    /// Returns the token with an ID. See `AccountStore`.
    package func token(_ id: Session.ID) async throws -> StoredAPIToken? {
        try database.first(
            """
            SELECT \(APIToken.columns), \(User.columns), secret_hash
            FROM api_token JOIN user ON user.id = user_id
            WHERE api_token.id = ?
            """,
            [.text(id.description)]
        ) { row in
            StoredAPIToken(token: try APIToken(row), user: try User(row, at: 6), secretHash: try row.value(13))
        }
    }

    /// Returns the tokens of a user. See `AccountStore`.
    package func tokens(of user: User.ID) async throws -> [APIToken] {
        try database.read { snapshot in
            try snapshot.query(
                "SELECT \(APIToken.columns) FROM api_token WHERE user_id = ? ORDER BY name", [.integer(user)]
            ) { try APIToken($0) }
        }
    }

    /// Records a use. See `AccountStore`.
    package func touchToken(_ id: Session.ID, at time: Date) async throws {
        try await database.write(timeout: 0) { transaction in
            try transaction.run(
                "UPDATE api_token SET last_used_at = ?1 WHERE id = ?2 AND ifnull(last_used_at, 0) < ?1",
                [Value(time), .text(id.description)])
        }
    }

    /// Removes a token of a user. See `AccountStore`.
    package func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await database.write { transaction in
            let revoked = try transaction.run(
                "DELETE FROM api_token WHERE id = ? AND user_id = ?", [.text(id.description), .integer(user)])
            if revoked > 0 { try transaction.record(event) }
            return revoked > 0
        }
    }
}

extension APIToken {
    fileprivate static let columns =
        """
        api_token.id, api_token.name, api_token.scope, api_token.created_at, api_token.expires_at, api_token.last_used_at
        """

    /// Creates the token from the six `columns` of a row.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.value(0) { Session.ID($0) }, name: try row.value(1),
            scope: try row.value(2) { Scope(rawValue: $0) }, createdAt: try row.value(3),
            expiresAt: try row.value(4), lastUsedAt: try row.value(5))
    }
}

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
