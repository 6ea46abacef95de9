internal import ArticleStore
package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Stores a new token. See `AccountStore`.
    package func createToken(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool {
        let (token, user) = (stored.token, stored.user)
        do {
            return try await audited { transaction in
                // The error undoes the insertion.
                let rows = try await transaction.run([
                    Statement("SELECT count(*) FROM api_token WHERE user_id = $1", [.integer(user.id)]),
                    Statement(
                        """
                        INSERT INTO api_token (id, secret_hash, user_id, name, scope, created_at, expires_at)
                        SELECT $1, $2, id, $3, $4, $5, $6 FROM account
                        WHERE id = $7 AND password_changed_at = $8 AND disabled_at IS NULL
                            AND (SELECT count(*) FROM api_token WHERE user_id = $7) < $9
                        """,
                        [
                            .text(token.id.description), .bytes(stored.secretHash), Value(anyText: token.name),
                            .text(token.scope.rawValue), Value(token.createdAt), Value(token.expiresAt),
                            .integer(user.id), Value(user.passwordChangedAt), Value(limit),
                        ]),
                ])
                guard try rows[0].first?.value(0) ?? 0 < limit else { throw AuthError.tooManyTokens(limit) }
                let isInserted = rows[1].affected > 0
                if isInserted { try await transaction.record(event) }
                return isInserted
            }
        } catch let error as StoreError where error.isViolation(of: "api_token_user_id_name_key") {
            throw AuthError.tokenNameTaken(token.name)
        }
    }

    /// Returns the token with an ID. See `AccountStore`.
    package func token(_ id: Session.ID) async throws -> StoredAPIToken? {
        try await server.first(
            Statement(
                """
                SELECT \(APIToken.columns), \(User.columns), secret_hash
                FROM api_token JOIN account ON account.id = user_id
                WHERE api_token.id = $1
                """,
                [.text(id.description)])
        ) { row in
            StoredAPIToken(token: try APIToken(row), user: try User(row, at: 6), secretHash: try row.value(13))
        }
    }

    /// Returns the tokens of a user. See `AccountStore`.
    package func tokens(of user: User.ID) async throws -> [APIToken] {
        try await server.query(
            Statement("SELECT \(APIToken.columns) FROM api_token WHERE user_id = $1 ORDER BY name", [.integer(user)])
        ) { try APIToken($0) }
    }

    /// Records a use. See `AccountStore`.
    package func touchToken(_ id: Session.ID, at time: Date) async throws {
        try await server.write([
            Statement(
                "UPDATE api_token SET last_used_at = $1 WHERE id = $2 AND coalesce(last_used_at, 0) < $1",
                [Value(time), .text(id.description)])
        ])
    }

    /// Removes a token of a user. See `AccountStore`.
    package func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await audited(
            Statement(
                "DELETE FROM api_token WHERE id = $1 AND user_id = $2", [.text(id.description), .integer(user)]),
            recording: event) > 0
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
            id: try row.value(0) { Session.ID($0) }, name: try row.anyText(1),
            scope: try row.value(2) { Scope(rawValue: $0) }, createdAt: try row.value(3),
            expiresAt: try row.value(4), lastUsedAt: try row.value(5))
    }
}

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
