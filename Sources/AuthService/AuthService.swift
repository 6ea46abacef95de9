public import Database
public import Essentials

/// Accounts and sessions: who may come in, and whether they are in.
///
/// ```swift
/// let auth = AuthService(database: database)
/// let user = try await auth.register(username: Username("alice"), password: password, region: Region("DE"))
/// let (session, token) = try await auth.logIn(username: "alice", password: password, client: "laptop")
/// ```
///
/// - **Coming in**: `register(username:password:region:client:)`, `logIn(username:password:client:)`.
/// - **Being in**: `currentSession(token:)`, `sessions(of:by:)`, `changePassword(token:old:new:)`.
/// - **Going out**: `logOut(token:)`, `logOutEverywhere(token:)`, `revoke(_:of:by:)`.
///
/// Every method also throws what its repositories throw, such as `DatabaseError`. Times are stored in whole seconds.
public struct AuthService: Sendable {
    /// Which passwords may be chosen.
    public let passwordPolicy: PasswordPolicy
    /// How long sessions last.
    public let sessionPolicy: SessionPolicy
    /// How failed log-ins slow down the next.
    public let throttlePolicy: ThrottlePolicy
    /// How accounts are looked after.
    public let accountPolicy: AccountPolicy

    let users: any UserRepository
    let sessions: any SessionRepository
    private let throttle: any LogInThrottleRepository
    let tokens: any APITokenRepository
    let audit: any AuditLog
    let hasher: PasswordHasher
    let clock: @Sendable () -> Date
    let randomBytes: @Sendable (Int) -> [UInt8]
    private let pause: @Sendable (Int) async throws -> Void

    /// The service over any repositories.
    ///
    /// - Parameters:
    ///   - users: where accounts are kept.
    ///   - sessions: where sessions are kept.
    ///   - throttle: where failed log-ins are counted.
    ///   - tokens: where API tokens are kept.
    ///   - audit: where is kept what happened.
    ///   - hasher: what a hash costs.
    ///   - passwordPolicy: which passwords may be chosen.
    ///   - sessionPolicy: how long sessions last.
    ///   - throttlePolicy: how failed log-ins slow down the next.
    ///   - accountPolicy: how accounts are looked after.
    ///   - clock: the time; it may jump.
    ///   - randomBytes: as many unpredictable bytes as asked for; nil for those of the system.
    ///   - pause: lets so many seconds pass, for an attempt that is held back.
    public init(
        users: any UserRepository, sessions: any SessionRepository, throttle: any LogInThrottleRepository,
        tokens: any APITokenRepository, audit: any AuditLog, hasher: PasswordHasher = PasswordHasher(),
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.users = users
        self.sessions = sessions
        self.throttle = throttle
        self.tokens = tokens
        self.audit = audit
        self.hasher = hasher
        self.passwordPolicy = passwordPolicy
        self.sessionPolicy = sessionPolicy
        self.throttlePolicy = throttlePolicy
        self.accountPolicy = accountPolicy
        self.clock = clock
        self.randomBytes = randomBytes ?? { Sodium.randomBytes($0) }
        self.pause = pause
    }

    /// The service over the tables of `database`. The other parameters are those of the other initialiser.
    public init(
        database: Database, hasher: PasswordHasher = PasswordHasher(),
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.init(
            users: SQLiteUserRepository(database: database), sessions: SQLiteSessionRepository(database: database),
            throttle: SQLiteLogInThrottleRepository(database: database),
            tokens: SQLiteAPITokenRepository(database: database), audit: SQLiteAuditLog(database: database),
            hasher: hasher, passwordPolicy: passwordPolicy, sessionPolicy: sessionPolicy,
            throttlePolicy: throttlePolicy, accountPolicy: accountPolicy, clock: clock, randomBytes: randomBytes,
            pause: pause)
    }

    /// Whether an account of this name could be made at present, so that somebody who makes one need not choose a
    /// password first. It tells no more than `register` does.
    public func isFree(_ username: Username) async throws -> Bool {
        guard !accountPolicy.reservedNames.contains(username.text) else { return false }
        return try await users.account(named: username) == nil
    }

    /// Makes an account. Nobody is logged in by it.
    ///
    /// - Parameters:
    ///   - username: what the account is called.
    ///   - password: what proves it.
    ///   - region: where the person lives.
    ///   - client: where, for the audit log.
    ///   - invitation: the code of an invitation, where there is one; see `registration()`.
    /// - Throws: `AuthError.weakPassword`, before anything is hashed or written; `usernameTaken`; `registrationClosed`;
    ///   `invalidCode` where an invitation is needed and this is none, or not any more; `outOfMemory`;
    ///   `CancellationError` when its task was cancelled before the account was made.
    @discardableResult
    public func register(
        username: Username, password: Password, region: Region, client: String = "", invitation: String? = nil
    ) async throws -> User {
        let code = invitation.flatMap { OneTimeCode($0) }
        switch try await users.registration() {
        case .open: break
        case .closed: throw AuthError.registrationClosed
        case .invitation: if code == nil { throw AuthError.invalidCode }
        }
        try passwordPolicy.check(password, username: username)
        // Spares the hash; the insertion alone decides.
        guard try await isFree(username) else { throw AuthError.usernameTaken(username) }
        let hash = try await hasher.hash(password)
        try Task.checkCancellation()
        return try await users.insert(
            username: username, region: region, passwordHash: hash, invitation: code?.hash,
            recording: AuditEvent(.registered, at: now, client: shortened(client)))
    }

    /// Opens a session for whoever knows the password.
    ///
    /// An unknown name costs the same work and gives the same error as a wrong password. The attempt is counted before
    /// the password is looked at.
    ///
    /// - Parameters:
    ///   - username: as it was typed; what can be nobody's name is answered as a wrong password.
    ///   - password: exactly as it was typed.
    ///   - client: where, to tell the user's sessions apart, such as the name of the host.
    /// - Throws: `AuthError.invalidCredentials`, `throttled` or `outOfMemory`.
    public func logIn(username: String, password: Password, client: String) async throws
        -> (session: Session, token: SessionToken)
    {
        // Neither can be right, and both rules are public: nothing is given away by answering at once.
        guard let username = try? Username(username), password.byteCount <= Password.maximumBytes else {
            throw AuthError.invalidCredentials
        }
        let client = shortened(client)
        let failures = try await admit(username)
        let account = try await users.account(named: username)
        guard try await hasher.verify(password, against: account?.passwordHash ?? hasher.decoy), let account else {
            try await recordFailure(failures, user: account?.user.id, session: nil, client: client)
            throw AuthError.invalidCredentials
        }
        let now = now
        // OWASP: whether an account is disabled is not told either. The attempt stays counted, at the same work.
        guard account.user.disabledAt == nil else {
            try await audit.record([AuditEvent(.logInRefused, at: now, userID: account.user.id, client: client)])
            throw AuthError.invalidCredentials
        }
        try await throttle.reset(nameHash(username))
        try await sessions.endExpired(at: now, idleSince: now.addingTimeInterval(-sessionPolicy.idleLifetime))
        try await pruneLog(at: now)
        let (stored, token) = newSession(of: account.user, client: client, at: now)
        let event = AuditEvent(
            .loggedIn, at: now, userID: account.user.id, sessionID: token.sessionID, client: client)
        guard try await sessions.open(stored, recording: event) else { throw AuthError.invalidCredentials }
        // The session is open; what keeps the hash from being replaced must not cost the user the token.
        if hasher.needsRehash(account.passwordHash) { try? await rehash(account, password, client: client, at: now) }
        return (stored.session, token)
    }

    /// The session that a token opens, or nil when it opens none: it is unknown or ended, or the clock stands before its
    /// last use.
    ///
    /// A session that is found to have reached its end is removed, so no later change of the clock revives it.
    public func currentSession(token: SessionToken) async throws -> Session? {
        if token.isAPIToken { return try await session(byAPIToken: token) }
        guard let session = try await storedSession(token) else { return nil }
        let now = now
        switch sessionPolicy.state(of: session, at: now) {
        case .open:
            // A full disk or a busy writer must not keep anyone from reading; the session then ends sooner.
            if sessionPolicy.shouldTouch(session, at: now) { try? await sessions.touch(session.id, at: now) }
            return session
        case .ended:
            _ = try await end(session, as: .sessionExpired)
            return nil
        case .clockSetBack:
            return nil
        }
    }

    /// The open sessions of a user, the last used first.
    ///
    /// - Parameter authority: who asks: the user, with a session of theirs, or an operator.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `notAllowed` to anybody else.
    public func sessions(of user: User.ID, by authority: Authority) async throws -> [Session] {
        _ = try await doer(authority, about: user)
        return try await openSessions(of: user)
    }

    func openSessions(of user: User.ID) async throws -> [Session] {
        let now = now
        return try await sessions.sessions(of: user).filter { sessionPolicy.state(of: $0, at: now) == .open }
    }

    /// Ends the session of a token; does nothing when there is none.
    ///
    /// - Throws: `AuthError.outOfScope` where it is an API token, which is revoked instead.
    public func logOut(token: SessionToken) async throws {
        guard !token.isAPIToken else { throw AuthError.outOfScope }
        guard let session = try await storedSession(token) else { return }
        _ = try await end(session, as: .loggedOut)
    }

    /// Ends every session of the user who holds the token, this one included.
    ///
    /// - Returns: how many sessions ended.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`.
    @discardableResult
    public func logOutEverywhere(token: SessionToken) async throws -> Int {
        let session = try await loggedIn(token)
        let event = AuditEvent(
            .loggedOutEverywhere, at: now, userID: session.user.id, sessionID: session.id, client: session.client)
        return try await sessions.endAll(of: session.user.id, recording: event)
    }

    /// Ends one session of a user.
    ///
    /// - Parameter authority: who asks: the user, with a session of theirs, or an operator.
    /// - Returns: whether the user had such a session.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `notAllowed` to anybody else.
    @discardableResult
    public func revoke(_ id: Session.ID, of user: User.ID, by authority: Authority) async throws -> Bool {
        let doer = try await doer(authority, about: user)
        let event = doer.event(.sessionRevoked, at: now, to: user, detail: id.description)
        return try await sessions.end(id, of: user, recording: event)
    }

    /// Gives the user who holds the token another password, ends all their sessions and opens a new one in place of
    /// this, so that the user stays logged in here and nowhere else, and a token that was stolen is worth nothing.
    ///
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `weakPassword`, before anything is hashed or written; `invalidCredentials` when
    ///   `old` is wrong, which counts as a failed log-in; `throttled`; `outOfMemory`; `CancellationError` when its task
    ///   was cancelled before the password was changed.
    public func changePassword(token: SessionToken, old: Password, new: Password) async throws
        -> (session: Session, token: SessionToken)
    {
        let session = try await loggedIn(token)
        let username = session.user.username
        try passwordPolicy.check(new, username: username)
        guard let account = try await users.account(named: username) else { throw AuthError.notSignedIn }
        try await confirm(old, of: account, in: session)
        let hash = try await hasher.hash(new)
        try Task.checkCancellation()
        let now = now
        let user = User(
            id: account.user.id, username: username, region: account.user.region, createdAt: account.user.createdAt,
            passwordChangedAt: max(now, account.user.passwordChangedAt.addingTimeInterval(1)),
            role: account.user.role)
        let (stored, newToken) = newSession(of: user, client: session.client, at: now)
        let event = AuditEvent(
            .passwordChanged, at: now, userID: user.id, sessionID: newToken.sessionID, client: session.client)
        guard try await users.changePassword(of: account.user, to: hash, opening: stored, recording: event) else {
            throw AuthError.notSignedIn
        }
        return (stored.session, newToken)
    }

    /// The time in whole seconds, as it is stored.
    var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    func signedIn(_ token: SessionToken) async throws -> Session {
        guard let session = try await currentSession(token: token) else { throw AuthError.notSignedIn }
        return session
    }

    /// The session of who has logged in, and is no program with an API token.
    func loggedIn(_ token: SessionToken) async throws -> Session {
        guard !token.isAPIToken else { throw AuthError.outOfScope }
        return try await signedIn(token)
    }

    /// Something that a user does to their own account.
    func event(_ kind: AuditEvent.Kind, in session: Session, detail: String = "") -> AuditEvent {
        AuditEvent(
            kind, at: now, userID: session.user.id, sessionID: session.apiToken == nil ? session.id : nil,
            client: session.client, actor: session.apiToken.map { .token($0.id) } ?? .holder, detail: detail)
    }

    /// The session whose secret the token holds, whatever the time.
    private func storedSession(_ token: SessionToken) async throws -> Session? {
        guard let stored = try await sessions.find(token.sessionID),
            Sodium.isEqual(stored.secretHash, token.secretHash)
        else { return nil }
        return stored.session
    }

    private func end(_ session: Session, as kind: AuditEvent.Kind) async throws -> Bool {
        let event = AuditEvent(kind, at: now, userID: session.user.id, sessionID: session.id, client: session.client)
        return try await sessions.end(session.id, of: session.user.id, recording: event)
    }

    private func newSession(of user: User, client: String, at now: Date) -> (StoredSession, SessionToken) {
        let token = SessionToken(randomBytes: randomBytes)
        let session = Session(
            id: token.sessionID, user: user, client: client, createdAt: now, lastUsedAt: now,
            expiresAt: now.addingTimeInterval(sessionPolicy.lifetime))
        return (StoredSession(session: session, secretHash: token.secretHash), token)
    }

    /// Counts an attempt and returns how many have failed, this one taken as failed. Holds it back as long as the patience
    /// of the policy lasts; it is judged anew after each pause, so that waiting admits no more than coming back would.
    private func admit(_ username: Username) async throws -> Int {
        var patience = throttlePolicy.patience
        while true {
            switch try await throttle.admit(nameHash(username), at: now, policy: throttlePolicy) {
            case .admitted(let failures): return failures
            case .refused(let seconds):
                guard seconds <= patience else { throw AuthError.throttled(seconds: seconds) }
                patience -= seconds
                try await pause(seconds)
            }
        }
    }

    /// Makes sure that who is signed in knows the password.
    ///
    /// - Throws: `AuthError.invalidCredentials` when they do not, which counts as a failed log-in; `throttled`,
    ///   `outOfMemory`.
    func confirm(_ password: Password, of account: Account, in session: Session) async throws {
        guard password.byteCount <= Password.maximumBytes else { throw AuthError.invalidCredentials }
        let failures = try await admit(account.user.username)
        guard try await hasher.verify(password, against: account.passwordHash) else {
            try await recordFailure(failures, user: session.user.id, session: session.id, client: session.client)
            throw AuthError.invalidCredentials
        }
        try await throttle.reset(nameHash(account.user.username))
    }

    /// Forgets failed log-ins to a name: they were guesses at another password. What was done stays done if it fails.
    func forgive(_ username: Username) async { try? await throttle.reset(nameHash(username)) }

    private func rehash(_ account: Account, _ password: Password, client: String, at now: Date) async throws {
        let event = AuditEvent(.passwordRehashed, at: now, userID: account.user.id, client: client)
        try await users.rehash(account, to: hasher.hash(password), recording: event)
    }

    private func recordFailure(_ failures: Int, user: User.ID?, session: Session.ID?, client: String) async throws {
        let kinds: [AuditEvent.Kind] =
            throttlePolicy.delay(after: failures) > 0 ? [.logInFailed, .throttled] : [.logInFailed]
        let now = now
        try await audit.record(
            kinds.map { AuditEvent($0, at: now, userID: user, sessionID: session, client: client) })
    }

    private func nameHash(_ username: Username) -> [UInt8] { Sodium.sha256(Array(username.text.utf8)) }

    /// What is kept of a client's description, which may be anything.
    func shortened(_ client: String) -> String {
        String(String.UnicodeScalarView(client.unicodeScalars.prefix(200)))
    }
}
