package import AuthService
internal import PostgreSQL
internal import Text

extension PostgreSQLAccountStore {
    /// Returns the second factor of a user. See `AccountStore`.
    package func secondFactor(of user: User.ID) async throws -> StoredSecondFactor? {
        try await server.first(
            Statement(
                """
                SELECT created_at, (SELECT count(*) FROM recovery_code WHERE recovery_code.user_id = $1), secret,
                    last_step
                FROM second_factor WHERE user_id = $1
                """,
                [.integer(user)])
        ) { row in
            StoredSecondFactor(
                factor: SecondFactor(since: try row.value(0), recoveryCodes: try row.value(1)),
                secret: TOTPSecret(stored: try row.value(2)), lastStep: try row.value(3))
        }
    }

    /// Stores a second factor. See `AccountStore`.
    package func addSecondFactor(
        _ secret: TOTPSecret, step: Int64, recoveryCodes: [[UInt8]], to user: User, recording event: AuditEvent
    ) async throws -> Bool {
        try await audited { transaction in
            let added = try await transaction.run([
                Statement(
                    """
                    INSERT INTO second_factor (user_id, secret, last_step, created_at)
                    SELECT id, $1, $2, $3 FROM account
                    WHERE id = $4 AND password_changed_at = $5 AND disabled_at IS NULL
                    ON CONFLICT (user_id) DO NOTHING
                    """,
                    [
                        .bytes(secret.stored), .integer(step), Value(event.at), .integer(user.id),
                        Value(user.passwordChangedAt),
                    ])
            ])[0].affected
            guard added > 0 else { return false }
            transaction.queue([.inserting(recoveryCodes: recoveryCodes, of: user.id)])
            try await transaction.record(event)
            return true
        }
    }

    /// Records that a code was used. See `AccountStore`.
    package func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool {
        try await server.write([
            Statement(
                "UPDATE second_factor SET last_step = $1 WHERE user_id = $2 AND secret = $3 AND last_step < $1",
                [.integer(step), .integer(user), .bytes(secret.stored)])
        ])[0].affected > 0
    }

    /// Removes a used recovery code. See `AccountStore`.
    package func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool
    {
        try await audited(
            Statement(
                "DELETE FROM recovery_code WHERE user_id = $1 AND code_hash = $2", [.integer(user), .bytes(codeHash)]),
            recording: event) > 0
    }

    /// Replaces the recovery codes. See `AccountStore`.
    package func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent)
        async throws -> Bool
    {
        try await audited { transaction in
            let rows = try await transaction.run([
                Statement("SELECT FROM second_factor WHERE user_id = $1 FOR UPDATE", [.integer(user)]),
                Statement("DELETE FROM recovery_code WHERE user_id = $1", [.integer(user)]),
            ])
            // The recovery codes of a user need a second factor.
            guard !rows[0].isEmpty else { return false }
            transaction.queue([.inserting(recoveryCodes: codeHashes, of: user)])
            try await transaction.record(event)
            return true
        }
    }

    /// Removes a second factor. See `AccountStore`.
    package func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        // The recovery codes are deleted with the row.
        try await audited(
            Statement("DELETE FROM second_factor WHERE user_id = $1", [.integer(user)]), recording: event) > 0
    }
}

extension Statement {
    fileprivate static func inserting(recoveryCodes: [[UInt8]], of user: User.ID) -> Statement {
        Statement(
            "INSERT INTO recovery_code (user_id, code_hash) SELECT $1, unnest($2)",
            [.integer(user), .byteStrings(recoveryCodes)])
    }
}
