package import AuthService
internal import Database
internal import Text

extension SQLiteAccountStore {
    /// Returns the second factor of a user. See `AccountStore`.
    package func secondFactor(of user: User.ID) async throws -> StoredSecondFactor? {
        try database.first(
            """
            SELECT created_at, (SELECT count(*) FROM recovery_code WHERE recovery_code.user_id = ?1), secret, last_step
            FROM second_factor WHERE user_id = ?1
            """,
            [.integer(user)]
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
        try await database.write { transaction in
            let added = try transaction.run(
                """
                INSERT INTO second_factor (user_id, secret, last_step, created_at)
                SELECT id, ?1, ?2, ?3 FROM user WHERE id = ?4 AND password_changed_at = ?5 AND disabled_at IS NULL
                ON CONFLICT (user_id) DO NOTHING
                """,
                [
                    .blob(secret.stored), .integer(step), Value(event.at), .integer(user.id),
                    Value(user.passwordChangedAt),
                ])
            guard added > 0 else { return false }
            try transaction.insert(recoveryCodes, of: user.id)
            try transaction.record(event)
            return true
        }
    }

    /// Records that a code was used. See `AccountStore`.
    package func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool {
        try await database.write { transaction in
            try transaction.run(
                "UPDATE second_factor SET last_step = ?1 WHERE user_id = ?2 AND secret = ?3 AND last_step < ?1",
                [.integer(step), .integer(user), .blob(secret.stored)]) > 0
        }
    }

    /// Removes a used recovery code. See `AccountStore`.
    package func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool
    {
        try await database.write { transaction in
            let used = try transaction.run(
                "DELETE FROM recovery_code WHERE user_id = ? AND code_hash = ?", [.integer(user), .blob(codeHash)])
            if used > 0 { try transaction.record(event) }
            return used > 0
        }
    }

    /// Replaces the recovery codes. See `AccountStore`.
    package func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent)
        async throws -> Bool
    {
        try await database.write { transaction in
            let isThere =
                try transaction.first(
                    "SELECT 1 FROM second_factor WHERE user_id = ?", [.integer(user)]
                ) { _ in true } != nil
            guard isThere else { return false }
            try transaction.run("DELETE FROM recovery_code WHERE user_id = ?", [.integer(user)])
            try transaction.insert(codeHashes, of: user)
            try transaction.record(event)
            return true
        }
    }

    /// Removes a second factor. See `AccountStore`.
    package func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await database.write { transaction in
            // The recovery codes are deleted with the row.
            let removed = try transaction.run("DELETE FROM second_factor WHERE user_id = ?", [.integer(user)])
            if removed > 0 { try transaction.record(event) }
            return removed > 0
        }
    }
}

extension Transaction {
    fileprivate func insert(_ recoveryCodes: [[UInt8]], of user: User.ID) throws {
        for code in recoveryCodes {
            try run("INSERT INTO recovery_code (user_id, code_hash) VALUES (?, ?)", [.integer(user), .blob(code)])
        }
    }
}
