import ArticleStore
package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Creates an account. See `AccountStore`.
    package func createUser(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        do {
            return try await database.write { transaction in
                let isFirst = try transaction.first("SELECT 1 FROM user") { _ in true } == nil
                let role: Role = isFirst ? .operator : .reader
                switch try transaction.registration {
                case .open: break
                case .closed: throw AuthError.registrationClosed
                case .invitation: try transaction.use(invitation: invitation ?? [], at: event.at)
                }
                try transaction.run(
                    """
                    INSERT INTO user (id, username, region, password_hash, created_at, password_changed_at, role)
                    SELECT 1 + max(
                        ifnull((SELECT max(id) FROM user), 0), ifnull((SELECT max(id) FROM deleted_user), 0)),
                        ?1, ?2, ?3, ?4, ?4, ?5
                    """,
                    [
                        .text(username.text), .text(region.code), .text(passwordHash.encoded), Value(event.at),
                        .text(role.rawValue),
                    ])
                let id = transaction.lastInsertedRowID
                try transaction.record(event, userID: id)
                return User(
                    id: id, username: username, region: region, createdAt: event.at, passwordChangedAt: event.at,
                    role: role)
            }
        } catch let error as StoreError where error.isUniqueViolation {
            throw AuthError.usernameTaken(username)
        }
    }

    /// Returns all users. See `AccountStore`.
    package func users() async throws -> [User] {
        try database.read { snapshot in
            try snapshot.query(
                "SELECT \(User.columns) FROM user ORDER BY username"
            ) { try User($0, at: 0) }
        }
    }

    /// Returns the account with a name. See `AccountStore`.
    package func account(named username: Username) async throws -> StoredUser? {
        try database.read { snapshot in
            try snapshot.first(
                """
                SELECT \(User.columns), password_hash FROM user WHERE username = ?
                """,
                [.text(username.text)]
            ) { row in
                StoredUser(user: try User(row, at: 0), passwordHash: PasswordHash(encoded: try row.value(7)))
            }
        }
    }

    /// Replaces the hash of an unchanged password. See `AccountStore`.
    package func rehash(_ account: StoredUser, to passwordHash: PasswordHash, recording event: AuditEvent) async throws
    {
        try await database.write { transaction in
            let changed = try transaction.run(
                "UPDATE user SET password_hash = ? WHERE id = ? AND password_hash = ?",
                [.text(passwordHash.encoded), .integer(account.user.id), .text(account.passwordHash.encoded)])
            if changed > 0 { try transaction.record(event) }
        }
    }

    /// Sets a new password and opens a session. See `AccountStore`.
    package func changePassword(
        of user: User, to passwordHash: PasswordHash, opening stored: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try await database.write { transaction in
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
            try transaction.endAll(of: user.id)
            guard try transaction.openSession(stored) else { return false }
            try transaction.record(event)
            return true
        }
    }

    /// Changes a user. See `AccountStore`.
    package func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        do {
            return try await database.write { transaction in
                for (change, event) in changes {
                    guard try transaction.apply(change, to: user, at: event.at) else { throw NoUser() }
                    try transaction.record(event)
                }
                // The check comes after the change: the error undoes it.
                guard try transaction.isOperated else { throw AuthError.lastOperator }
                return true
            }
        } catch let error as StoreError where error.isUniqueViolation {
            for case .username(let username) in changes.map(\.change) { throw AuthError.usernameTaken(username) }
            throw error
        } catch is NoUser {
            return false
        }
    }

    private struct NoUser: Error {}

    /// Stores a reset code. See `AccountStore`.
    package func addResetCode(
        _ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent
    ) async throws -> Bool {
        try await database.write { transaction in
            try transaction.removeEndedCodes(at: event.at)
            let issued = try transaction.run(
                """
                INSERT INTO one_time_code (code_hash, user_id, expires_at) SELECT ?1, id, ?3 FROM user WHERE id = ?2
                ON CONFLICT (user_id) DO UPDATE SET code_hash = ?1, expires_at = ?3
                """,
                [.blob(codeHash), .integer(user), Value(end)])
            if issued > 0 { try transaction.record(event) }
            return issued > 0
        }
    }

    /// Returns the user of a reset code. See `AccountStore`.
    package func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        try database.first(
            """
            SELECT \(User.columns) FROM one_time_code JOIN user ON id = user_id
            WHERE code_hash = ? AND expires_at > ?
            """,
            [.blob(codeHash), Value(time)]
        ) { try User($0, at: 0) }
    }

    /// Sets a new password with a code. See `AccountStore`.
    package func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        try await database.write { transaction in
            let id = Value.integer(user.id)
            let used = try transaction.run(
                "DELETE FROM one_time_code WHERE code_hash = ? AND user_id = ? AND expires_at > ?",
                [.blob(codeHash), id, Value(event.at)])
            guard used > 0 else { return false }
            try transaction.run(
                """
                UPDATE user SET password_hash = ?, password_changed_at = max(?, password_changed_at + 1) WHERE id = ?
                """,
                [.text(passwordHash.encoded), Value(event.at), id])
            try transaction.endAll(of: user.id)
            try transaction.record(event)
            return true
        }
    }

    /// Returns the rule for registration. See `AccountStore`.
    package func registrationPolicy() async throws -> RegistrationPolicy { try database.read { try $0.registration } }

    /// Sets the rule for registration. See `AccountStore`.
    package func setRegistrationPolicy(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        try await database.write { transaction in
            try transaction.run("UPDATE registration SET policy = ?", [.text(policy.rawValue)])
            try transaction.record(event)
        }
    }

    /// Stores an invitation. See `AccountStore`.
    package func addInvitation(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        try await database.write { transaction in
            try transaction.removeEndedCodes(at: event.at)
            try transaction.run(
                "INSERT INTO one_time_code (code_hash, expires_at) VALUES (?, ?)", [.blob(codeHash), Value(end)])
            try transaction.record(event)
        }
    }
}

extension Queryable {
    /// The rule for registration.
    fileprivate var registration: RegistrationPolicy {
        get throws {
            let policy = try first("SELECT policy FROM registration") {
                try $0.value(0) { RegistrationPolicy(rawValue: $0) }
            }
            return policy ?? .open
        }
    }
}

extension Transaction {
    /// Uses an invitation, which removes it.
    fileprivate func use(invitation: [UInt8], at time: Date) throws {
        let used = try run(
            "DELETE FROM one_time_code WHERE code_hash = ? AND user_id IS NULL AND expires_at > ?",
            [.blob(invitation), Value(time)])
        guard used > 0 else { throw AuthError.invalidCode }
    }

    /// Removes expired codes.
    fileprivate func removeEndedCodes(at time: Date) throws {
        try run("DELETE FROM one_time_code WHERE expires_at <= ?", [Value(time)])
    }

    /// - Returns: whether the user exists.
    fileprivate func apply(_ change: UserChange, to user: User.ID, at time: Date) throws -> Bool {
        let id = Value.integer(user)
        switch change {
        case .role(let role):
            return try run("UPDATE user SET role = ? WHERE id = ?", [.text(role.rawValue), id]) > 0
        case .disabled(let since):
            if since != nil { try run("DELETE FROM session WHERE user_id = ?", [id]) }
            return try run("UPDATE user SET disabled_at = ? WHERE id = ?", [Value(since), id]) > 0
        case .username(let username):
            return try run("UPDATE user SET username = ? WHERE id = ?", [.text(username.text), id]) > 0
        case .region(let region):
            return try run("UPDATE user SET region = ? WHERE id = ?", [.text(region.code), id]) > 0
        case .deletion:
            // The data of the user is deleted with the row.
            guard try run("DELETE FROM user WHERE id = ?", [id]) > 0 else { return false }
            try run("INSERT INTO deleted_user (id, deleted_at) VALUES (?, ?)", [id, Value(time)])
            return true
        }
    }

    /// Ends everything that was opened with the old password, and removes its reset code.
    fileprivate func endAll(of user: User.ID) throws {
        try run("DELETE FROM session WHERE user_id = ?", [.integer(user)])
        try run("DELETE FROM api_token WHERE user_id = ?", [.integer(user)])
        try run("DELETE FROM one_time_code WHERE user_id = ?", [.integer(user)])
        try run("DELETE FROM feed_address WHERE user_id = ?", [.integer(user)])
    }

    /// Whether an operator can log in, or nobody is left who would need one.
    fileprivate var isOperated: Bool {
        get throws {
            try first(
                """
                SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM user)
                    OR EXISTS (SELECT 1 FROM user WHERE role = 'operator' AND disabled_at IS NULL)
                """
            ) { _ in true } ?? false
        }
    }
}

extension User {
    /// The columns for `init(_:at:)` in a statement that reads the table `user`.
    static let columns =
        """
        user.id, user.username, user.region, user.created_at, user.password_changed_at, user.role, user.disabled_at
        """

    /// Creates a user from the seven `columns` of a row, beginning at `column`.
    init(_ row: Row, at column: Int) throws {
        self.init(
            id: try row.value(column), username: try row.value(column + 1) { try? Username($0) },
            region: try row.value(column + 2) { try? Region($0) }, createdAt: try row.value(column + 3),
            passwordChangedAt: try row.value(column + 4), role: try row.value(column + 5) { Role(rawValue: $0) },
            disabledAt: try row.value(column + 6))
    }
}
