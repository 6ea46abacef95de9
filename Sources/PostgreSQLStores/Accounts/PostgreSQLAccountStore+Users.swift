internal import ArticleStore
package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Creates an account. See `AccountStore`.
    package func createUser(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        do {
            return try await audited { transaction in
                let rows = try await transaction.run([
                    "SELECT policy FROM registration",
                    """
                    SELECT 1 + greatest(
                            coalesce((SELECT max(id) FROM account), 0),
                            coalesce((SELECT max(id) FROM deleted_account), 0)),
                        NOT EXISTS (SELECT FROM account)
                    """,
                ])
                guard let facts = rows[1].first else { throw StoreError(.damaged, "The database has no answer") }
                let user = User(
                    id: try facts.value(0), username: username, region: region, createdAt: event.at,
                    passwordChangedAt: event.at, role: try facts.value(1) ? .operator : .reader)
                switch try RegistrationPolicy(rows[0]) {
                case .open: break
                case .closed: throw AuthError.registrationClosed
                case .invitation:
                    let used = try await transaction.run([
                        Statement(
                            "DELETE FROM one_time_code WHERE code_hash = $1 AND user_id IS NULL AND expires_at > $2",
                            [.bytes(invitation ?? []), Value(event.at)])
                    ])[0].affected
                    guard used > 0 else { throw AuthError.invalidCode }
                }
                transaction.queue([
                    Statement(
                        """
                        INSERT INTO account (id, username, region, password_hash, created_at, password_changed_at, role)
                        VALUES ($1, $2, $3, $4, $5, $5, $6)
                        """,
                        [
                            .integer(user.id), .text(username.text), .text(region.code),
                            Value(anyText: passwordHash.encoded), Value(event.at), .text(user.role.rawValue),
                        ])
                ])
                try await transaction.record(event, userID: user.id)
                return user
            }
        } catch let error as StoreError where error.isViolation(of: Self.usernameConstraint) {
            throw AuthError.usernameTaken(username)
        }
    }

    private static let usernameConstraint = "account_username_key"

    /// Returns all users. See `AccountStore`.
    package func users() async throws -> [User] {
        try await server.query(Statement("SELECT \(User.columns) FROM account ORDER BY username")) {
            try User($0, at: 0)
        }
    }

    /// Returns the account with a name. See `AccountStore`.
    package func account(named username: Username) async throws -> StoredUser? {
        try await server.first(
            Statement(
                "SELECT \(User.columns), password_hash FROM account WHERE username = $1", [.text(username.text)])
        ) { row in
            StoredUser(user: try User(row, at: 0), passwordHash: PasswordHash(encoded: try row.anyText(7)))
        }
    }

    /// Replaces the hash of an unchanged password. See `AccountStore`.
    package func rehash(_ account: StoredUser, to passwordHash: PasswordHash, recording event: AuditEvent) async throws
    {
        try await audited(
            Statement(
                "UPDATE account SET password_hash = $1 WHERE id = $2 AND password_hash = $3",
                [
                    Value(anyText: passwordHash.encoded), .integer(account.user.id),
                    Value(anyText: account.passwordHash.encoded),
                ]),
            recording: event)
    }

    /// Sets a new password and opens a session. See `AccountStore`.
    package func changePassword(
        of user: User, to passwordHash: PasswordHash, opening stored: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        do {
            return try await audited { transaction in
                let rows = try await transaction.run(
                    [
                        Statement(
                            """
                            UPDATE account SET password_hash = $1, password_changed_at = $2
                            WHERE id = $3 AND password_changed_at = $4
                            """,
                            [
                                Value(anyText: passwordHash.encoded), Value(stored.session.user.passwordChangedAt),
                                .integer(user.id), Value(user.passwordChangedAt),
                            ])
                    ] + Statement.endingAll(of: user.id) + [.opening(stored)])
                // The error undoes the change.
                guard rows.first?.affected == 1, rows.last?.affected == 1 else { throw NotChanged() }
                try await transaction.record(event)
                return true
            }
        } catch is NotChanged {
            return false
        }
    }

    private struct NotChanged: Error {}

    /// Changes a user. See `AccountStore`.
    package func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        do {
            return try await audited { transaction in
                for (change, event) in changes {
                    let rows = try await transaction.run(Statement.applying(change, to: user, at: event.at))
                    guard rows.first?.affected == 1 else { throw NotChanged() }
                    try await transaction.record(event)
                }
                // An operator can log in, or nobody is left who would need one. The check comes after the change: the
                // error undoes it.
                let isOperated: Bool? = try await transaction.run([
                    """
                    SELECT NOT EXISTS (SELECT FROM account)
                        OR EXISTS (SELECT FROM account WHERE role = 'operator' AND disabled_at IS NULL)
                    """
                ])[0].first?.value(0)
                guard isOperated == true else { throw AuthError.lastOperator }
                return true
            }
        } catch let error as StoreError where error.isViolation(of: Self.usernameConstraint) {
            for case .username(let username) in changes.map(\.change) { throw AuthError.usernameTaken(username) }
            throw error
        } catch is NotChanged {
            return false
        }
    }

    /// Stores a reset code. See `AccountStore`.
    package func addResetCode(
        _ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent
    ) async throws -> Bool {
        try await audited { transaction in
            let issued = try await transaction.run([
                .removingCodes(endedAt: event.at),
                Statement(
                    """
                    INSERT INTO one_time_code (code_hash, user_id, expires_at)
                    SELECT $1, id, $3 FROM account WHERE id = $2
                    ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
                    """,
                    [.bytes(codeHash), .integer(user), Value(end)]),
            ])[1].affected
            if issued > 0 { try await transaction.record(event) }
            return issued > 0
        }
    }

    /// Returns the user of a reset code. See `AccountStore`.
    package func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        try await server.first(
            Statement(
                """
                SELECT \(User.columns) FROM one_time_code JOIN account ON account.id = user_id
                WHERE code_hash = $1 AND expires_at > $2
                """,
                [.bytes(codeHash), Value(time)])
        ) { try User($0, at: 0) }
    }

    /// Sets a new password with a code. See `AccountStore`.
    package func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        do {
            return try await audited { transaction in
                let rows = try await transaction.run(
                    [
                        Statement(
                            "DELETE FROM one_time_code WHERE code_hash = $1 AND user_id = $2 AND expires_at > $3",
                            [.bytes(codeHash), .integer(user.id), Value(event.at)]),
                        Statement(
                            """
                            UPDATE account
                            SET password_hash = $1, password_changed_at = greatest($2, password_changed_at + 1)
                            WHERE id = $3
                            """,
                            [Value(anyText: passwordHash.encoded), Value(event.at), .integer(user.id)]),
                    ] + Statement.endingAll(of: user.id))
                // The error undoes the change.
                guard rows.first?.affected == 1 else { throw NotChanged() }
                try await transaction.record(event)
                return true
            }
        } catch is NotChanged {
            return false
        }
    }

    /// Returns the rule for registration. See `AccountStore`.
    package func registrationPolicy() async throws -> RegistrationPolicy {
        let rows = try await server.read(["SELECT policy FROM registration"])[0]
        return try translating { try RegistrationPolicy(rows) }
    }

    /// Sets the rule for registration. See `AccountStore`.
    package func setRegistrationPolicy(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        try await audited { transaction in
            transaction.queue([Statement("UPDATE registration SET policy = $1", [.text(policy.rawValue)])])
            try await transaction.record(event)
        }
    }

    /// Stores an invitation. See `AccountStore`.
    package func addInvitation(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        try await audited { transaction in
            transaction.queue([
                .removingCodes(endedAt: event.at),
                Statement(
                    "INSERT INTO one_time_code (code_hash, expires_at) VALUES ($1, $2)", [.bytes(codeHash), Value(end)]),
            ])
            try await transaction.record(event)
        }
    }
}

extension Statement {
    fileprivate static func removingCodes(endedAt time: Date) -> Statement {
        Statement("DELETE FROM one_time_code WHERE expires_at <= $1", [Value(time)])
    }

    /// The statements of a change. The first one changes a row if the user exists.
    fileprivate static func applying(_ change: UserChange, to user: User.ID, at time: Date) -> [Statement] {
        let id = Value.integer(user)
        switch change {
        case .role(let role):
            return [Statement("UPDATE account SET role = $1 WHERE id = $2", [.text(role.rawValue), id])]
        case .disabled(let since):
            let update = Statement("UPDATE account SET disabled_at = $1::bigint WHERE id = $2", [Value(since), id])
            return since == nil ? [update] : [update, Statement("DELETE FROM session WHERE user_id = $1", [id])]
        case .username(let username):
            return [Statement("UPDATE account SET username = $1 WHERE id = $2", [.text(username.text), id])]
        case .region(let region):
            return [Statement("UPDATE account SET region = $1 WHERE id = $2", [.text(region.code), id])]
        case .deletion:
            // The data of the user is deleted with the row.
            return [
                Statement("DELETE FROM account WHERE id = $1", [id]),
                Statement(
                    "INSERT INTO deleted_account (id, deleted_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    [id, Value(time)]),
            ]
        }
    }

    /// The statements that end everything that was opened with the old password, and remove its reset code.
    fileprivate static func endingAll(of user: User.ID) -> [Statement] {
        [
            "DELETE FROM session WHERE user_id = $1", "DELETE FROM api_token WHERE user_id = $1",
            "DELETE FROM one_time_code WHERE user_id = $1", "DELETE FROM feed_address WHERE user_id = $1",
        ].map { Statement($0, [.integer(user)]) }
    }
}

extension RegistrationPolicy {
    /// Creates the policy from the table `registration`.
    fileprivate init(_ rows: Rows) throws {
        self = try rows.first?.value(0) { RegistrationPolicy(rawValue: $0) } ?? .open
    }
}

extension User {
    /// The columns for `init(_:at:)` in a statement that reads the table `account`.
    static let columns =
        """
        account.id, account.username, account.region, account.created_at, account.password_changed_at, account.role, \
        account.disabled_at
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
