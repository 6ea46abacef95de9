public import Text

/// Accounts and sessions: who may log in, and who is logged in.
///
/// ```swift
/// let auth = AuthService(store: stores.accounts)
/// let user = try await auth.register(username: Username("alice"), password: password, region: Region("DE"))
/// let opened = try await auth.logIn(
///     username: "alice", password: password, client: "laptop", from: Origin(address: "192.0.2.7")
/// ).newSession
/// ```
///
/// - **Log in**: `register(username:password:region:client:from:invitation:)`,
///   `logIn(username:password:client:from:device:)`, `completeLogIn(_:code:)`, `resetPassword(code:new:client:from:)`.
/// - **While logged in**: `currentSession(token:)`, `sessions(of:by:)`, `confirm(_:token:)`,
///   `changePassword(token:old:new:)`.
/// - **Log out**: `logOut(token:)`, `logOutEverywhere(token:)`, `revoke(_:of:by:)`.
///
/// Every method also throws the errors of its store, such as `StoreError`. Times are stored in whole seconds.
public struct AuthService: Sendable {
    /// The rules for new passwords.
    public let passwordPolicy: PasswordPolicy
    /// The lifetime of sessions.
    public let sessionPolicy: SessionPolicy
    /// The delays after failed attempts.
    public let throttlePolicy: ThrottlePolicy
    /// The rules for accounts.
    public let accountPolicy: AccountPolicy

    let store: any AccountStore
    let hasher: PasswordHasher
    private let breaches: (any BreachCheck)?
    private let clock: @Sendable () -> Date
    let randomBytes: @Sendable (Int) -> [UInt8]
    private let pause: @Sendable (Int) async throws -> Void

    /// Creates a service on any store.
    ///
    /// - Parameters:
    ///   - store: the store of accounts.
    ///   - hasher: the password hasher.
    ///   - breaches: recognizes passwords from known leaks; nil to skip this check.
    ///   - passwordPolicy: the rules for new passwords.
    ///   - sessionPolicy: the lifetime of sessions.
    ///   - throttlePolicy: the delays after failed attempts.
    ///   - accountPolicy: the rules for accounts.
    ///   - clock: the present time, which may jump.
    ///   - randomBytes: returns the requested number of unpredictable bytes; nil for those of the system.
    ///   - pause: waits for a number of seconds, to delay an attempt.
    public init(
        store: any AccountStore, hasher: PasswordHasher = PasswordHasher(), breaches: (any BreachCheck)? = nil,
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.store = store
        self.hasher = hasher
        self.breaches = breaches
        self.passwordPolicy = passwordPolicy
        self.sessionPolicy = sessionPolicy
        self.throttlePolicy = throttlePolicy
        self.accountPolicy = accountPolicy
        self.clock = clock
        self.randomBytes = randomBytes ?? { Sodium.randomBytes($0) }
        self.pause = pause
    }

    /// Returns whether an account with this name could be created now, so that a user knows before choosing a password.
    /// It reveals no more than `register`, and counts like it.
    ///
    /// - Throws: `AuthError.throttled`.
    public func isFree(_ username: Username, from origin: Origin) async throws -> Bool {
        guard !accountPolicy.reservedNames.contains(username.text) else { return false }
        return try await isFree(username, from: origin).isFree
    }

    /// Returns whether a name is free, and the number of requests from the origin.
    private func isFree(_ username: Username, from origin: Origin) async throws -> (isFree: Bool, asked: Int) {
        let asked = try await admit(throttlePolicy.registrationCounters(from: origin))
        return (try await store.account(named: username) == nil, asked)
    }

    /// Creates an account. It does not log the user in.
    ///
    /// - Parameters:
    ///   - username: the name.
    ///   - password: the password.
    ///   - region: the region where the user lives.
    ///   - client: the client's description, for the audit log.
    ///   - origin: the origin of the request.
    ///   - invitation: the code of an invitation, if any; see `registration()`.
    /// - Throws: `AuthError.weakPassword`, before anything is hashed or written; `throttled`; `usernameTaken`;
    ///   `reservedName`; `registrationClosed`; `invalidCode` if a required invitation is invalid; `outOfMemory`;
    ///   `CancellationError` if the task was canceled before the account was created.
    @discardableResult
    public func register(
        username: Username, password: Password, region: Region, client: String = "", from origin: Origin,
        invitation: String? = nil
    ) async throws -> User {
        try accountPolicy.check(username)
        let code = invitation.flatMap { OneTimeCode($0) }
        switch try await store.registrationPolicy() {
        case .open: break
        case .closed: throw AuthError.registrationClosed
        case .invitation: if code == nil { throw AuthError.invalidCode }
        }
        try passwordPolicy.check(password, username: username)
        // This check only avoids an unnecessary hash. The insertion decides.
        let (isFree, asked) = try await isFree(username, from: origin)
        guard isFree else { throw AuthError.usernameTaken(username) }
        // The total limit counts only accounts that can be created. Requests for a taken name must not lock out honest
        // users.
        _ = try await admit([throttlePolicy.registrationTotal(after: asked)])
        let turn = HashQueue.Turn(asked <= throttlePolicy.newcomerFailures.name ? .newcomer : .other, origin.site.text)
        let hash = try await newHash(of: password, in: turn)
        return try await store.createUser(
            username: username, region: region, passwordHash: hash, invitation: code?.hash,
            recording: AuditEvent(.registered, at: now, client: shortened(client), origin: origin))
    }

    /// Opens a session for a caller who knows the password.
    ///
    /// An unknown name, and that of a disabled user, costs the same work and gives the same error as a wrong password.
    /// The attempt is counted before the password is checked, depending on how well the service knows the caller; see
    /// `ThrottlePolicy`.
    ///
    /// If too many strangers have failed for the name, the password is still checked. A user with a second factor then
    /// proceeds to the code; all other callers are told to wait, whether or not the password is correct.
    ///
    /// - Parameters:
    ///   - username: the name as it was typed. An invalid name is treated like a wrong password.
    ///   - password: the password exactly as it was typed.
    ///   - client: a description of the client for the user's list of sessions, such as the host name.
    ///   - origin: the origin of the request.
    ///   - device: the device token of an earlier login of this user, if any.
    /// - Returns: the new session; `codeNeeded`, for `completeLogIn(_:code:)`, if the user has a second factor.
    /// - Throws: `AuthError.invalidCredentials`, `throttled`, or `outOfMemory`.
    public func logIn(
        username: String, password: Password, client: String, from origin: Origin, device: DeviceToken? = nil
    ) async throws -> LoginResult {
        // Both rules are public, so an immediate answer reveals nothing.
        guard let username = try? Username(username), password.byteCount <= Password.maximumBytes else {
            throw AuthError.invalidCredentials
        }
        let client = shortened(client)
        let standing = try await standing(of: device, username, from: origin)
        let own = throttlePolicy.ownCounters(of: username, from: origin, as: standing)
        let shared = throttlePolicy.sharedCounters(of: username, as: standing)
        let decisions = try await decisions(of: [own, shared])
        let failures = try decisions[0].get()
        // Too many strangers have failed for the name: check the password nevertheless, see above.
        let wait: AuthError? = if case .failure(let error) = decisions[1] { error } else { nil }
        let counters = wait == nil ? own + shared : own
        let account = try await store.account(named: username)
        let isDisabled = account?.user.disabledAt != nil
        // For a disabled user, the password is not checked, so that the duration does not reveal whether it is correct.
        let hash = isDisabled ? hasher.decoy : account?.passwordHash ?? hasher.decoy
        let turn = standing.turn(from: origin)
        let match = try await verify(password, against: hash, counting: counters, in: turn)
        // Look up every user, so that the duration does not reveal whether there is a second factor.
        let hasSecondFactor = try await store.secondFactor(of: account?.user.id ?? 0) != nil
        if let wait, match == nil || isDisabled || !hasSecondFactor { throw wait }
        guard let match, !isDisabled, let account else {
            try await recordFailure(
                isDisabled ? .logInRefused : .logInFailed, failures, user: account?.user.id, client: client,
                from: origin)
            if let account { try await forget(standing.device, of: account.user.id, after: failures) }
            throw AuthError.invalidCredentials
        }
        try await store.recordSuccess(counters)
        // The login must succeed even if the better hash cannot be stored.
        if match == .asTyped || hasher.needsRehash(account.passwordHash) {
            try? await rehash(account, password, client: client, from: origin)
        }
        let now = now
        let pending = PendingLogin(
            id: Session.ID(randomBytes: randomBytes), user: account.user, client: client, origin: origin,
            standing: standing,
            startedAt: now, expiresAt: now.addingTimeInterval(accountPolicy.pendingLifetime))
        if hasSecondFactor {
            try await store.record([
                AuditEvent(.secondFactorAsked, at: now, userID: account.user.id, client: client, origin: origin)
            ])
            return .codeNeeded(pending)
        }
        guard let opened = try await open(pending) else { throw AuthError.invalidCredentials }
        return .loggedIn(opened)
    }

    /// Opens a session after all proofs were given; nil if the password has changed since or the user was disabled.
    func open(_ logIn: PendingLogin) async throws -> NewSession? {
        let now = now
        try await removeExpired(at: now)
        let (stored, token) = newSession(of: logIn.user, client: logIn.client, from: logIn.origin, at: now)
        let event = event(.loggedIn, in: stored.session)
        guard try await store.openSession(stored, keeping: sessionPolicy.limit, recording: event) else { return nil }
        let device = logIn.standing.device ?? DeviceToken(randomBytes: randomBytes)
        // The session is open. Ignore an error, because otherwise the user would not get the token.
        try? await store.recordLogIn(
            of: logIn.user.id, on: device.secretHash,
            from: throttlePolicy.knownOriginCounter(logIn.origin, of: logIn.user.username), at: now,
            keepingDevices: throttlePolicy.maximumDevicesPerUser, counters: throttlePolicy.maximumCounters)
        return NewSession(session: stored.session, token: token, device: device)
    }

    /// Returns whether a token belongs to a stored session, even an expired one. The holder may then read data that was
    /// stored for the session. It does not end the session.
    public func hasSession(_ token: SessionToken) async throws -> Bool {
        try await storedSession(token) != nil
    }

    /// Returns the session that a token opens, or that an API token stands for. Returns nil if the token is unknown or
    /// has expired, or the clock is before its last use.
    ///
    /// A session that is found to be expired is removed, so that a later change of the clock does not revive it.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - isUse: whether this counts as a use. Otherwise nothing is changed: no use is recorded, and no session is
    ///     removed.
    /// - Throws: the errors of the repositories.
    public func currentSession(token: SessionToken, isUse: Bool = true) async throws -> Session? {
        try await currentSessionWithPreferences(token: token, isUse: isUse)?.session
    }

    /// Returns the session that a token opens, as ``currentSession(token:isUse:)`` does, with the preferences of its user.
    /// See `AccountStore.sessionWithPreferences(_:)`.
    package func currentSessionWithPreferences(
        token: SessionToken, isUse: Bool = true
    ) async throws -> (session: Session, preferences: String??)? {
        if token.isAPIToken { return try await session(byAPIToken: token, isUse: isUse).map { ($0, nil) } }
        guard let (session, preferences) = try await storedSession(token) else { return nil }
        let now = now
        switch sessionPolicy.state(of: session, at: now) {
        case .open:
            // Ignore errors: a full disk or a busy writer must not prevent reading. At worst the session ends sooner.
            if isUse, sessionPolicy.shouldTouch(session, at: now) { try? await store.touchSession(session.id, at: now) }
            return (session, preferences)
        case .ended:
            // The session stays closed even if its removal fails.
            if isUse { _ = try? await end(session, as: .sessionExpired) }
            return nil
        case .clockSetBack:
            return nil
        }
    }

    /// Returns the open sessions of a user, the most recently used first. The caller must be the user or an operator.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`; `notAllowed` for other callers.
    public func sessions(of user: User.ID, by authority: Authority) async throws -> [Session] {
        _ = try await caller(authority, about: user)
        return try await openSessions(of: user)
    }

    func openSessions(of user: User.ID) async throws -> [Session] {
        let now = now
        return try await store.sessions(of: user).filter { sessionPolicy.state(of: $0, at: now) == .open }
    }

    /// Ends the session of a token. If there is none, nothing happens.
    ///
    /// - Throws: `AuthError.outOfScope` for an API token, which must be revoked instead.
    public func logOut(token: SessionToken) async throws {
        guard !token.isAPIToken else { throw AuthError.outOfScope }
        guard let session = try await storedSession(token)?.session else { return }
        _ = try await end(session, as: .loggedOut)
    }

    /// Ends all sessions of the token's user, including this one.
    ///
    /// - Returns: the number of ended sessions.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`.
    @discardableResult
    public func logOutEverywhere(token: SessionToken) async throws -> Int {
        let session = try await confirmedSession(for: token)
        return try await store.endSessions(
            of: session.user.id, recording: event(.loggedOutEverywhere, in: session))
    }

    /// Ends one session of a user. The caller must be the user or an operator.
    ///
    /// - Returns: whether the user had this session.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`; `passwordNeeded` for another session than the caller's;
    ///   `notAllowed` for other callers.
    @discardableResult
    public func revoke(_ id: Session.ID, of user: User.ID, by authority: Authority) async throws -> Bool {
        let caller = try await caller(authority, about: user)
        if case .session(let session) = caller, session.id != id { try requireConfirmation(of: session) }
        let event = caller.event(.sessionRevoked, at: now, to: user, detail: id.description)
        return try await store.endSession(id, of: user, recording: event)
    }

    /// Names a session of the user of `token`.
    ///
    /// - Returns: whether the user had this session.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `invalidName`.
    @discardableResult
    public func rename(_ id: Session.ID, to name: String, token: SessionToken) async throws -> Bool {
        guard let name = ShownName.checked(name) else { throw AuthError.invalidName }
        let session = try await interactiveSession(for: token)
        return try await store.change(
            .client(name), of: id, of: session.user.id,
            recording: event(.sessionRenamed, in: session, detail: id.description))
    }

    /// Confirms the password of the token's user. It permits operations that require the password for some time; see
    /// `SessionPolicy.confirmationLifetime`.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`; `wrongPassword`, which is counted for this session only;
    ///   `throttled`; `outOfMemory`.
    public func confirm(_ password: Password, token: SessionToken) async throws {
        let session = try await interactiveSession(for: token)
        _ = try await confirm(password, in: session)
        let isThere = try await store.change(
            .confirmed(at: now), of: session.id, of: session.user.id, recording: event(.passwordConfirmed, in: session))
        guard isThere else { throw AuthError.notLoggedIn }
    }

    /// Changes the password of the token's user, ends all their sessions and API tokens, removes the address of their
    /// feeds, and opens a new session in place of this one. So the user stays logged in only here, and a stolen token
    /// becomes worthless.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`; `weakPassword`, before anything is hashed or written;
    ///   `wrongPassword` if `old` is wrong, which is counted for this session only; `throttled`; `outOfMemory`;
    ///   `CancellationError` if the task was canceled before the password was changed.
    public func changePassword(token: SessionToken, old: Password, new: Password) async throws
        -> (session: Session, token: SessionToken)
    {
        let session = try await interactiveSession(for: token)
        let username = session.user.username
        try passwordPolicy.check(new, username: username)
        let account = try await confirm(old, in: session)
        let hash = try await newHash(of: new, in: turn(in: session))
        let now = now
        let user = User(
            id: account.user.id, username: username, region: account.user.region, createdAt: account.user.createdAt,
            passwordChangedAt: max(now, account.user.passwordChangedAt.addingTimeInterval(1)), role: account.user.role)
        let (stored, newToken) = newSession(of: user, client: session.client, from: session.origin, at: now)
        let event = event(.passwordChanged, in: stored.session)
        guard try await store.changePassword(of: account.user, to: hash, opening: stored, recording: event) else {
            throw AuthError.notLoggedIn
        }
        // These failures counted against the old password; reset them.
        try? await store.recordSuccess(throttlePolicy.codeCounters(of: user.id))
        return (stored.session, newToken)
    }

    /// The time in whole seconds, as it is stored.
    var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    func session(for token: SessionToken) async throws -> Session {
        guard let session = try await currentSession(token: token) else { throw AuthError.notLoggedIn }
        return session
    }

    /// Returns the session of a user who has logged in, and refuses API tokens.
    func interactiveSession(for token: SessionToken) async throws -> Session {
        guard !token.isAPIToken else { throw AuthError.outOfScope }
        return try await session(for: token)
    }

    /// Returns the session if its user has confirmed the password recently.
    func confirmedSession(for token: SessionToken) async throws -> Session {
        let session = try await interactiveSession(for: token)
        try requireConfirmation(of: session)
        return session
    }

    private func requireConfirmation(of session: Session) throws {
        guard sessionPolicy.isConfirmed(session, at: now) else { throw AuthError.passwordNeeded }
    }

    /// Returns an event for an action of a user on their own account.
    func event(_ kind: AuditEvent.Kind, in session: Session, detail: String = "") -> AuditEvent {
        Caller.session(session).event(kind, at: now, detail: detail)
    }

    /// Returns the session to which the token belongs, even if it has expired.
    private func storedSession(
        _ token: SessionToken
    ) async throws -> (session: Session, preferences: String??)? {
        guard let (stored, preferences) = try await store.sessionWithPreferences(token.sessionID),
            Sodium.isEqual(stored.secretHash, token.secretHash)
        else { return nil }
        return (stored.session, preferences)
    }

    private func end(_ session: Session, as kind: AuditEvent.Kind) async throws -> Bool {
        try await store.endSession(session.id, of: session.user.id, recording: event(kind, in: session))
    }

    private func newSession(of user: User, client: String, from origin: Origin, at now: Date)
        -> (StoredSession, SessionToken)
    {
        let token = SessionToken(randomBytes: randomBytes)
        let session = Session(
            id: token.sessionID, user: user, client: client, origin: origin, createdAt: now, lastUsedAt: now,
            confirmedAt: now, expiresAt: now.addingTimeInterval(sessionPolicy.lifetime))
        return (StoredSession(session: session, secretHash: token.secretHash), token)
    }

    /// Returns how well the service knows the caller. For a name without an account, the caller is a stranger.
    private func standing(of device: DeviceToken?, _ username: Username, from origin: Origin) async throws -> Standing {
        let (history, now) = (throttlePolicy.history(of: username, from: origin), now)
        let (isKnownDevice, counts) = try await store.logInHistory(
            of: username, device: device?.secretHash,
            usedAfter: now.addingTimeInterval(-Double(throttlePolicy.deviceLifetime)), counters: history.counters,
            at: now)
        if isKnownDevice, let device { return .device(device) }
        return history.standing(counts)
    }

    func turn(in session: Session) -> HashQueue.Turn { HashQueue.Turn(.known, session.user.username.text) }

    /// Checks that the user of a session knows the password, and returns the account. Failures count only for the
    /// session, so that the guesses of others do not affect it.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `wrongPassword`, `throttled`, `outOfMemory`.
    func confirm(_ password: Password, in session: Session) async throws -> StoredUser {
        // Compare the ID too: since the session was looked up, the name may have been given to another user.
        guard let account = try await store.account(named: session.user.username), account.user.id == session.user.id
        else { throw AuthError.notLoggedIn }
        guard password.byteCount <= Password.maximumBytes else { throw AuthError.wrongPassword }
        let counters = throttlePolicy.counters(of: session.id)
        let failures = try await admit(counters)
        guard
            try await verify(
                password, against: account.passwordHash, counting: counters, in: turn(in: session)) != nil
        else {
            try await recordFailure(
                .logInFailed, failures, user: session.user.id, session: session.id, client: session.client,
                from: session.origin)
            if failures >= throttlePolicy.maximumFailuresInARow { _ = try await end(session, as: .sessionRevoked) }
            throw AuthError.wrongPassword
        }
        try await store.recordSuccess(counters)
        return account
    }

    /// Counts an attempt as failed, and returns the number of failures of the first counter. If necessary, it delays
    /// the attempt within the patience of the policy. It checks the counters again after each pause, so that waiting
    /// admits no more attempts than coming back later.
    ///
    /// - Throws: `AuthError.throttled`, `blocked`.
    func admit(_ counters: [AttemptCounter]) async throws -> Int {
        try await decisions(of: [counters])[0].get()
    }

    /// Decides an attempt for groups of counters as `admit(_:)` does for one. Each group has its own patience.
    ///
    /// - Returns: the decision of each group, up to the first that refuses the attempt.
    private func decisions(of groups: [[AttemptCounter]]) async throws -> [Result<Int, AuthError>] {
        var decisions: [Result<Int, AuthError>] = []
        var patience = throttlePolicy.patience
        while decisions.count < groups.count {
            let undecided = Array(groups[decisions.count...])
            for attempt in try await store.admitAttempt(undecided, at: now, keeping: throttlePolicy.maximumCounters) {
                switch attempt {
                case .admitted(let failures):
                    decisions.append(.success(failures.first ?? 0))
                    patience = throttlePolicy.patience
                case .blocked:
                    return decisions + [.failure(.blocked)]
                case .refused(let seconds):
                    guard seconds <= patience else { return decisions + [.failure(.throttled(seconds: seconds))] }
                    patience -= seconds
                    try await pause(seconds)
                }
            }
        }
        return decisions
    }

    /// Returns the form in which the password is correct; nil if it is wrong. If an error prevents the check, the
    /// attempt does not count.
    private func verify(
        _ password: Password, against hash: PasswordHash, counting counters: [AttemptCounter], in turn: HashQueue.Turn
    ) async throws -> PasswordHasher.Match? {
        do {
            return try await hasher.match(password, against: hash, in: turn)
        } catch {
            try? await store.withdrawAttempt(counters)
            throw error
        }
    }

    /// Returns the hash of a new password.
    ///
    /// - Throws: `AuthError.weakPassword` if it is known from a leak; `outOfMemory`; `CancellationError`.
    func newHash(of password: Password, in turn: HashQueue.Turn) async throws -> PasswordHash {
        if try await breaches?.isBreached(password.composed) == true { throw AuthError.weakPassword(.breached) }
        let hash = try await hasher.hash(password, in: turn)
        try Task.checkCancellation()
        return hash
    }

    private func rehash(_ account: StoredUser, _ password: Password, client: String, from origin: Origin) async throws {
        let event = AuditEvent(.passwordRehashed, at: now, userID: account.user.id, client: client, origin: origin)
        try await store.rehash(account, to: hasher.hash(password), recording: event)
    }

    /// Forgets a device with too many wrong guesses. From then on it counts as a stranger's.
    func forget(_ device: DeviceToken?, of user: User.ID, after failures: Int) async throws {
        guard let device, failures >= throttlePolicy.maximumFailuresInARow else { return }
        try await store.removeDevice(device.secretHash, of: user)
    }

    func recordFailure(
        _ kind: AuditEvent.Kind, _ failures: Int, user: User.ID?, session: Session.ID? = nil, client: String,
        from origin: Origin
    ) async throws {
        let kinds = throttlePolicy.perNameAndOrigin.delay(after: failures) > 0 ? [kind, .throttled] : [kind]
        let now = now
        try await store.record(
            kinds.map {
                AuditEvent($0, at: now, userID: user, sessionID: session, client: client, origin: origin)
            })
    }

    /// Returns the part of a client's description to store. The description may be any text.
    func shortened(_ client: String) -> String {
        String(String.UnicodeScalarView(client.unicodeScalars.prefix(200)))
    }
}
