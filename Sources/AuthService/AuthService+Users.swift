public import Text

/// Management of users by operators.
extension AuthService {
    /// Returns all users, sorted by name.
    ///
    /// - Throws: `AuthError.notLoggedIn`; `notAllowed` if the caller is not an operator.
    public func users(by authority: Authority) async throws -> [User] {
        _ = try await caller(authority, atLeast: .operator, scope: .read)
        return try await store.users()
    }

    /// Returns a user.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `noUser`; `notAllowed` if the caller is not an operator.
    public func user(_ username: Username, by authority: Authority) async throws -> User {
        _ = try await caller(authority, atLeast: .operator, scope: .read)
        return try await known(username)
    }

    /// Changes the role of a user, which also affects open sessions.
    ///
    /// - Returns: whether the user had another role.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`; `lastOperator` if other users would remain without an
    ///   operator.
    @discardableResult
    public func setRole(_ role: Role, of username: Username, by authority: Authority) async throws -> Bool {
        try await change(username, role: role, by: authority).isChanged
    }

    /// Disables a user, whose sessions end immediately, or enables them again. A login of a disabled user fails like
    /// one with a wrong password.
    ///
    /// - Returns: whether the user was not in this state already.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`; `lastOperator` if other users would remain without an
    ///   operator.
    @discardableResult
    public func setDisabled(_ isDisabled: Bool, _ username: Username, by authority: Authority) async throws -> Bool {
        try await change(username, isDisabled: isDisabled, by: authority).isChanged
    }

    /// Combines `setRole` and `setDisabled` in one step. A value that is nil stays unchanged, and a value that the user
    /// has already is not recorded.
    ///
    /// - Returns: the user, and whether anything has changed.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`; `lastOperator` if other users would remain without an
    ///   operator.
    @discardableResult
    public func change(
        _ username: Username, role: Role? = nil, isDisabled: Bool? = nil, by authority: Authority
    ) async throws -> (user: User, isChanged: Bool) {
        let caller = try await caller(authority, atLeast: .operator)
        let (user, now) = (try await known(username), now)
        var changes: [(UserChange, AuditEvent)] = []
        if let role, role != user.role {
            changes.append((.role(role), caller.event(.roleChanged, at: now, to: user.id, detail: role.rawValue)))
        }
        if let isDisabled, isDisabled != (user.disabledAt != nil) {
            let kind: AuditEvent.Kind = isDisabled ? .disabled : .enabled
            changes.append(
                (.disabled(since: isDisabled ? now : nil), caller.event(kind, at: now, to: user.id)))
        }
        if changes.isEmpty { return (user, false) }
        guard try await store.change(changes, of: user.id) else { throw AuthError.noUser(username) }
        return (try await known(username), true)
    }

    /// Ends all sessions of a user, who can log in again. API tokens stay valid.
    ///
    /// - Returns: the number of ended sessions.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`.
    @discardableResult
    public func logOut(_ username: Username, by authority: Authority) async throws -> Int {
        let caller = try await caller(authority, atLeast: .operator)
        let user = try await known(username)
        return try await store.endSessions(
            of: user.id, recording: caller.event(.loggedOutEverywhere, at: now, to: user.id))
    }

    /// Changes the name of a user. Their sessions stay open.
    ///
    /// - Returns: whether it was another name. The same name is not recorded.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`, `usernameTaken`.
    @discardableResult
    public func rename(_ username: Username, to other: Username, by authority: Authority) async throws -> Bool {
        guard username != other else {
            _ = try await caller(authority, atLeast: .operator)
            _ = try await known(username)
            return false
        }
        try await change(.username(other), as: .renamed, of: username, by: authority)
        return true
    }

    /// Deletes an account with its sessions and data, except for the audit log.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`; `lastOperator` if other users would remain without an
    ///   operator.
    public func delete(_ username: Username, by authority: Authority) async throws {
        try await change(.deletion, as: .deleted, of: username, by: authority)
    }

    /// Issues a code with which a user who has forgotten the password can choose a new one, once; see
    /// `resetPassword(code:new:client:from:)`. It replaces a previous code.
    ///
    /// - Returns: the code, and the time when it expires.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`.
    public func issueReset(for username: Username, by authority: Authority) async throws
        -> (code: OneTimeCode, expiresAt: Date)
    {
        let caller = try await caller(authority, atLeast: .operator)
        let user = try await known(username)
        let (code, now) = (OneTimeCode(randomBytes: randomBytes), now)
        let end = now.addingTimeInterval(accountPolicy.resetLifetime)
        let event = caller.event(.resetIssued, at: now, to: user.id)
        guard try await store.addResetCode(code.hash, of: user.id, until: end, recording: event) else {
            throw AuthError.noUser(username)
        }
        return (code, end)
    }

    /// Returns the second factor of a user; nil if there is none.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`.
    public func secondFactor(of username: Username, by authority: Authority) async throws -> SecondFactor? {
        _ = try await caller(authority, atLeast: .operator, scope: .read)
        return try await store.secondFactor(of: known(username).id)?.factor
    }

    /// Removes the second factor of a user who has lost it. From now on, the password alone is enough.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`, `noUser`, `noSecondFactor`.
    public func removeSecondFactor(of username: Username, by authority: Authority) async throws {
        let caller = try await caller(authority, atLeast: .operator)
        let user = try await known(username)
        let event = caller.event(.secondFactorRemoved, at: now, to: user.id)
        guard try await store.removeSecondFactor(of: user.id, recording: event) else {
            throw AuthError.noSecondFactor
        }
    }

    /// Returns the rule for registration.
    public func registration() async throws -> RegistrationPolicy { try await store.registrationPolicy() }

    /// Sets the rule for registration, even before there are users. The present rule is not recorded again.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`.
    public func setRegistration(_ policy: RegistrationPolicy, by authority: Authority) async throws {
        let caller = try await caller(authority, atLeast: .operator)
        guard try await store.registrationPolicy() != policy else { return }
        let event = caller.event(.registrationChanged, at: now, detail: policy.rawValue)
        try await store.setRegistrationPolicy(policy, recording: event)
    }

    /// Issues the code of an invitation, with which a person can create one account.
    ///
    /// - Returns: the code, and the time when it expires.
    /// - Throws: `AuthError.notLoggedIn`, `notAllowed`.
    public func invite(by authority: Authority) async throws -> (code: OneTimeCode, expiresAt: Date) {
        let caller = try await caller(authority, atLeast: .operator)
        let (code, now) = (OneTimeCode(randomBytes: randomBytes), now)
        let end = now.addingTimeInterval(accountPolicy.invitationLifetime)
        try await store.addInvitation(code.hash, until: end, recording: caller.event(.invited, at: now))
        return (code, end)
    }

    private func change(
        _ change: UserChange, as kind: AuditEvent.Kind, of username: Username, by authority: Authority
    ) async throws {
        let caller = try await caller(authority, atLeast: .operator)
        let user = try await known(username)
        let event = caller.event(kind, at: now, to: user.id)
        guard try await store.change(change, of: user.id, recording: event) else { throw AuthError.noUser(username) }
    }

    private func known(_ username: Username) async throws -> User {
        guard let user = try await store.account(named: username)?.user else { throw AuthError.noUser(username) }
        return user
    }
}
