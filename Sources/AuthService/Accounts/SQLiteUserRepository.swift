public import Database

/// Accounts in the table `user`.
public struct SQLiteUserRepository: UserRepository {
    private let database: Database

    /// The accounts of `database`.
    public init(database: Database) { self.database = database }

    /// Makes an account. See `UserRepository`.
    public func insert(username: Username, region: Region, passwordHash: PasswordHash, recording event: AuditEvent)
        async throws -> User
    {
        do {
            return try database.write { transaction in
                try transaction.run(
                    """
                    INSERT INTO user (username, region, password_hash, created_at, password_changed_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    [
                        .text(username.text), .text(region.code), .text(passwordHash.encoded), Value(event.at),
                        Value(event.at),
                    ])
                let id = transaction.lastInsertedRowID
                try transaction.record(event, userID: id)
                return User(
                    id: id, username: username, region: region, createdAt: event.at, passwordChangedAt: event.at)
            }
        } catch let error as DatabaseError where error.isUniqueViolation {
            throw AuthError.usernameTaken(username)
        }
    }

    /// The account with a name. See `UserRepository`.
    public func account(named username: Username) async throws -> Account? {
        try database.read { snapshot in
            try snapshot.first(
                """
                SELECT id, username, region, created_at, password_changed_at, password_hash
                FROM user WHERE username = ?
                """,
                [.text(username.text)]
            ) { row in
                Account(user: try User(row, at: 0), passwordHash: PasswordHash(encoded: try row.value(5)))
            }
        }
    }

    /// Replaces a hash by another of the same password. See `UserRepository`.
    public func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {
        try database.write { transaction in
            let changed = try transaction.run(
                "UPDATE user SET password_hash = ? WHERE id = ? AND password_hash = ?",
                [.text(passwordHash.encoded), .integer(account.user.id), .text(account.passwordHash.encoded)])
            if changed > 0 { try transaction.record(event) }
        }
    }

    /// Gives a user a new password and one new session. See `UserRepository`.
    public func changePassword(
        of user: User, to passwordHash: PasswordHash, opening stored: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try database.write { transaction in
            let changed = try transaction.run(
                """
                UPDATE user SET password_hash = ?, password_changed_at = ?
                WHERE id = ? AND password_changed_at = ?
                """,
                [
                    .text(passwordHash.encoded), Value(stored.session.user.passwordChangedAt), .integer(user.id),
                    Value(user.passwordChangedAt),
                ])
            guard changed > 0 else { return false }
            try transaction.run("DELETE FROM session WHERE user_id = ?", [.integer(user.id)])
            guard try transaction.open(stored) else { return false }
            try transaction.record(event)
            return true
        }
    }
}

extension User {
    /// The user in five columns of a row: id, username, region, created_at, password_changed_at.
    init(_ row: Row, at column: Int) throws {
        self.init(
            id: try row.value(column), username: try row.value(column + 1) { try? Username($0) },
            region: try row.value(column + 2) { try? Region($0) }, createdAt: try row.value(column + 3),
            passwordChangedAt: try row.value(column + 4))
    }
}
