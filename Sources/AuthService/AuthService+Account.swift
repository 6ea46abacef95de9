/// The operations of users on their own accounts.
extension AuthService {
    /// Changes the name of the token's user. Their sessions stay open.
    ///
    /// - Returns: whether it was another name. The same name is not recorded.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`, `usernameTaken`, `reservedName`.
    @discardableResult
    public func rename(to username: Username, token: SessionToken) async throws -> Bool {
        try accountPolicy.check(username)
        let session = try await confirmedSession(for: token)
        guard username != session.user.username else { return false }
        try await change(.username(username), as: .renamed, in: session)
        return true
    }

    /// Changes the region of the token's user.
    ///
    /// - Returns: whether it was another region. The same region is not recorded.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    @discardableResult
    public func changeRegion(to region: Region, token: SessionToken) async throws -> Bool {
        let session = try await interactiveSession(for: token)
        guard region != session.user.region else { return false }
        try await change(.region(region), as: .regionChanged, in: session)
        return true
    }

    /// Deletes the account of the token's user with its sessions and data, except for the audit log.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`; `wrongPassword`, which is counted for this session only;
    ///   `lastOperator` if other users would remain without an operator; `throttled`; `outOfMemory`.
    public func deleteAccount(token: SessionToken, password: Password) async throws {
        let session = try await interactiveSession(for: token)
        _ = try await confirm(password, in: session)
        try await change(.deletion, as: .deleted, in: session)
    }

    /// Returns the data that is stored about the token's user.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    public func records(token: SessionToken) async throws -> AccountRecords {
        let session = try await interactiveSession(for: token)
        return AccountRecords(
            user: session.user, sessions: try await openSessions(of: session.user.id),
            tokens: try await store.tokens(of: session.user.id),
            secondFactor: try await store.secondFactor(of: session.user.id)?.factor,
            events: try await store.events(of: session.user.id, limit: AccountRecords.eventLimit).reversed())
    }

    /// Sets a new password with a code that an operator has issued, and ends all sessions of the user. It does not log
    /// the user in. The code is removed, unless the method throws. Afterwards, the user can log in at once from this
    /// origin, even if strangers are guessing passwords for the name.
    ///
    /// Wrong codes are limited per origin, because each is recorded. A correct code is always accepted: with 140 random
    /// bits, guessing is hopeless.
    ///
    /// - Parameters:
    ///   - code: the code as it was typed.
    ///   - new: the new password.
    ///   - client: the client's description, for the audit log.
    ///   - origin: the origin of the request.
    /// - Throws: `AuthError.throttled`; `invalidCode`; `weakPassword`; `outOfMemory`; `CancellationError` if the task
    ///   was canceled before the password was changed.
    @discardableResult
    public func resetPassword(code: String, new: Password, client: String = "", from origin: Origin) async throws
        -> User
    {
        let client = shortened(client)
        guard let code = OneTimeCode(code),
            let user = try await store.user(resetting: code.hash, at: now)
        else {
            _ = try await admit(throttlePolicy.resetCounters(from: origin))
            try await store.record([AuditEvent(.resetRefused, at: now, client: client, origin: origin)])
            throw AuthError.invalidCode
        }
        try passwordPolicy.check(new, username: user.username)
        let hash = try await newHash(of: new, in: HashQueue.Turn(.known, user.username.text))
        let event = AuditEvent(
            .passwordReset, at: now, userID: user.id, client: client, origin: origin)
        guard try await store.resetPassword(of: user, by: code.hash, to: hash, recording: event) else {
            throw AuthError.invalidCode
        }
        // These failures counted against the old password; reset them.
        let guesses = throttlePolicy.guessCounters(for: user.username, from: origin)
        try? await store.recordSuccess(guesses + throttlePolicy.codeCounters(of: user.id))
        let place = throttlePolicy.knownOriginCounter(origin, of: user.username)
        _ = try? await store.admitAttempt([place], at: now, keeping: throttlePolicy.maximumCounters)
        return user
    }

    private func change(_ change: UserChange, as kind: AuditEvent.Kind, in session: Session) async throws {
        let event = event(kind, in: session)
        guard try await store.change(change, of: session.user.id, recording: event) else {
            throw AuthError.notLoggedIn
        }
    }
}

/// The data that this module stores about a user, as an export for that user.
public struct AccountRecords: Sendable {
    /// The user.
    public let user: User
    /// The sessions of the user, the most recently used first.
    public let sessions: [Session]
    /// The API tokens of the user, by name.
    public let tokens: [APIToken]
    /// The second factor of the user; nil if there is none.
    public let secondFactor: SecondFactor?
    /// The events of the account, oldest first. If there are more than `eventLimit`, these are the latest.
    public let events: [AuditEvent]

    /// The maximum number of events.
    public static let eventLimit = 10_000
}
