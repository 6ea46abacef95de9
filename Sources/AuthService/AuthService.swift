public import Database
public import Essentials

/// Accounts and sessions: who may come in, and whether they are in.
///
/// ```swift
/// let auth = AuthService(database: database)
/// let user = try await auth.register(username: Username("alice"), password: password, region: Region("DE"))
/// let (session, token, device) = try await auth.logIn(
///     username: "alice", password: password, client: "laptop", from: Origin(address: "192.0.2.7"))
/// ```
///
/// - **Coming in**: `register(username:password:region:client:from:)`, `logIn(username:password:client:from:device:)`.
/// - **Being in**: `currentSession(token:)`, `sessions(of:)`, `changePassword(token:old:new:)`.
/// - **Going out**: `logOut(token:)`, `logOutEverywhere(token:)`, `revoke(_:of:)`.
///
/// Every method also throws what its repositories throw, such as `DatabaseError`. Times are stored in whole seconds.
public struct AuthService: Sendable {
    /// Which passwords may be chosen.
    public let passwordPolicy: PasswordPolicy
    /// How long sessions last.
    public let sessionPolicy: SessionPolicy
    /// How failed attempts slow down the next.
    public let throttlePolicy: ThrottlePolicy

    private let users: any UserRepository
    private let sessions: any SessionRepository
    private let throttle: any LogInThrottleRepository
    private let devices: any DeviceRepository
    private let audit: any AuditLog
    private let hasher: PasswordHasher
    private let breaches: (any BreachCheck)?
    private let clock: @Sendable () -> Date
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let pause: @Sendable (Int) async throws -> Void

    /// The service over any repositories.
    ///
    /// - Parameters:
    ///   - users: where accounts are kept.
    ///   - sessions: where sessions are kept.
    ///   - throttle: where failed attempts are counted.
    ///   - devices: where is kept from which devices users have logged in.
    ///   - audit: where is kept what happened.
    ///   - hasher: what a hash costs.
    ///   - breaches: what tells passwords that are known from leaks; nil where nothing does.
    ///   - passwordPolicy: which passwords may be chosen.
    ///   - sessionPolicy: how long sessions last.
    ///   - throttlePolicy: how failed attempts slow down the next.
    ///   - clock: the time; it may jump.
    ///   - randomBytes: as many unpredictable bytes as asked for; nil for those of the system.
    ///   - pause: lets so many seconds pass, for an attempt that is held back.
    public init(
        users: any UserRepository, sessions: any SessionRepository, throttle: any LogInThrottleRepository,
        devices: any DeviceRepository, audit: any AuditLog, hasher: PasswordHasher = PasswordHasher(),
        breaches: (any BreachCheck)? = nil, passwordPolicy: PasswordPolicy = PasswordPolicy(),
        sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.users = users
        self.sessions = sessions
        self.throttle = throttle
        self.devices = devices
        self.audit = audit
        self.hasher = hasher
        self.breaches = breaches
        self.passwordPolicy = passwordPolicy
        self.sessionPolicy = sessionPolicy
        self.throttlePolicy = throttlePolicy
        self.clock = clock
        self.randomBytes = randomBytes ?? { Sodium.randomBytes($0) }
        self.pause = pause
    }

    /// The service over the tables of `database`. The other parameters are those of the other initialiser.
    public init(
        database: Database, hasher: PasswordHasher = PasswordHasher(), breaches: (any BreachCheck)? = nil,
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.init(
            users: SQLiteUserRepository(database: database), sessions: SQLiteSessionRepository(database: database),
            throttle: SQLiteLogInThrottleRepository(database: database),
            devices: SQLiteDeviceRepository(database: database), audit: SQLiteAuditLog(database: database),
            hasher: hasher, breaches: breaches, passwordPolicy: passwordPolicy, sessionPolicy: sessionPolicy,
            throttlePolicy: throttlePolicy, clock: clock, randomBytes: randomBytes, pause: pause)
    }

    /// Whether an account of this name could be made at present, so that somebody who makes one need not choose a
    /// password first. It tells no more than `register` does, and counts like it.
    ///
    /// - Throws: `AuthError.throttled`.
    public func isFree(_ username: Username, from origin: Origin) async throws -> Bool {
        _ = try await admit(throttlePolicy.registrationCounters(from: origin))
        return try await users.account(named: username) == nil
    }

    /// Makes an account. Nobody is logged in by it.
    ///
    /// - Parameters:
    ///   - username: what the account is called.
    ///   - password: what proves it.
    ///   - region: where the person lives.
    ///   - client: where, for the audit log.
    ///   - origin: where the request comes from.
    /// - Throws: `AuthError.weakPassword`, before anything is hashed or written; `throttled`; `usernameTaken`;
    ///   `outOfMemory`; `CancellationError` when its task was cancelled before the account was made.
    @discardableResult
    public func register(
        username: Username, password: Password, region: Region, client: String = "", from origin: Origin
    ) async throws -> User {
        try passwordPolicy.check(password, username: username)
        // Spares the hash; the insertion alone decides.
        guard try await isFree(username, from: origin) else { throw AuthError.usernameTaken(username) }
        try await checkBreaches(of: password)
        let hash = try await hasher.hash(password)
        try Task.checkCancellation()
        return try await users.insert(
            username: username, region: region, passwordHash: hash,
            recording: AuditEvent(.registered, at: now, client: shortened(client)))
    }

    /// Opens a session for whoever knows the password.
    ///
    /// An unknown name costs the same work and gives the same error as a wrong password. The attempt is counted before
    /// the password is looked at: by its device where the user has logged in from that before, else by its name and
    /// origin.
    ///
    /// - Parameters:
    ///   - username: as it was typed; what can be nobody's name is answered as a wrong password.
    ///   - password: exactly as it was typed.
    ///   - client: where, to tell the user's sessions apart, such as the name of the host.
    ///   - origin: where the request comes from.
    ///   - device: what the device keeps since an earlier log-in of this user, if it does.
    /// - Returns: the session, its token, and what the device is to keep for the next log-in.
    /// - Throws: `AuthError.invalidCredentials`, `throttled`, `blocked` or `outOfMemory`.
    public func logIn(
        username: String, password: Password, client: String, from origin: Origin, device: DeviceToken? = nil
    ) async throws -> (session: Session, token: SessionToken, device: DeviceToken) {
        // Neither can be right, and both rules are public: nothing is given away by answering at once.
        guard let username = try? Username(username), password.byteCount <= Password.maximumBytes else {
            throw AuthError.invalidCredentials
        }
        let client = shortened(client)
        let known = try await known(device, to: username)
        let counters =
            known.map { throttlePolicy.counters(of: $0, knownTo: username) }
            ?? throttlePolicy.counters(of: username, from: origin)
        let failures = try await admit(counters)
        let account = try await users.account(named: username)
        let hash = account?.passwordHash ?? hasher.decoy
        guard let match = try await verify(password, against: hash, counting: counters), let account else {
            try await recordFailure(failures, user: account?.user.id, session: nil, client: client)
            if let known, let account, failures >= throttlePolicy.limit {
                try await devices.forget(known.secretHash, of: account.user.id)
            }
            throw AuthError.invalidCredentials
        }
        let now = now
        try await throttle.succeed(known == nil ? counters : counters + [throttlePolicy.inARow(username)])
        try await sessions.endExpired(at: now, idleSince: now.addingTimeInterval(-sessionPolicy.idleLifetime))
        let (stored, token) = newSession(of: account.user, client: client, from: origin, at: now)
        let event = AuditEvent(
            .loggedIn, at: now, userID: account.user.id, sessionID: token.sessionID, client: client)
        guard try await sessions.open(stored, keeping: sessionPolicy.limit, recording: event) else {
            throw AuthError.invalidCredentials
        }
        // The session is open; what keeps the rest from being written must not cost the user the token.
        let device = known ?? DeviceToken(randomBytes: randomBytes)
        try? await devices.keep(device.secretHash, of: account.user.id, at: now, keeping: throttlePolicy.devices)
        if match == .asTyped || hasher.needsRehash(account.passwordHash) {
            try? await rehash(account, password, client: client, at: now)
        }
        return (stored.session, token, device)
    }

    /// Whether a token is that of a session that is there, whether or not time has ended it: whoever holds it may be told
    /// what was kept for the session. It ends none.
    public func recognises(_ token: SessionToken) async throws -> Bool {
        try await storedSession(token) != nil
    }

    /// The session that a token opens, or nil when it opens none: it is unknown or ended, or the clock stands before its
    /// last use.
    ///
    /// A session that is found to have reached its end is removed, so no later change of the clock revives it.
    public func currentSession(token: SessionToken) async throws -> Session? {
        guard let session = try await storedSession(token) else { return nil }
        let now = now
        switch sessionPolicy.state(of: session, at: now) {
        case .open:
            // A full disk or a busy writer must not keep anyone from reading; the session then ends sooner.
            if sessionPolicy.shouldTouch(session, at: now) { try? await sessions.touch(session.id, at: now) }
            return session
        case .ended:
            // Nor does what cannot be written open it.
            _ = try? await end(session, as: .sessionExpired)
            return nil
        case .clockSetBack:
            return nil
        }
    }

    /// The open sessions of a user, the last used first.
    public func sessions(of user: User.ID) async throws -> [Session] {
        let now = now
        return try await sessions.sessions(of: user).filter { sessionPolicy.state(of: $0, at: now) == .open }
    }

    /// Ends the session of a token; does nothing when there is none.
    public func logOut(token: SessionToken) async throws {
        guard let session = try await storedSession(token) else { return }
        _ = try await end(session, as: .loggedOut)
    }

    /// Ends every session of the user who holds the token, this one included.
    ///
    /// - Returns: how many sessions ended.
    /// - Throws: `AuthError.notSignedIn`.
    @discardableResult
    public func logOutEverywhere(token: SessionToken) async throws -> Int {
        let session = try await signedIn(token)
        let event = AuditEvent(
            .loggedOutEverywhere, at: now, userID: session.user.id, sessionID: session.id, client: session.client)
        return try await sessions.endAll(of: session.user.id, recording: event)
    }

    /// Ends one session of a user.
    ///
    /// - Returns: whether the user had such a session.
    @discardableResult
    public func revoke(_ id: Session.ID, of user: User.ID) async throws -> Bool {
        try await sessions.end(
            id, of: user, recording: AuditEvent(.sessionRevoked, at: now, userID: user, sessionID: id, client: ""))
    }

    /// Gives the user who holds the token another password, ends all their sessions and opens a new one in place of
    /// this, so that the user stays logged in here and nowhere else, and a token that was stolen is worth nothing.
    ///
    /// - Throws: `AuthError.notSignedIn`; `weakPassword`, before anything is hashed or written; `invalidCredentials` when
    ///   `old` is wrong, which is counted for this session alone; `throttled`; `outOfMemory`; `CancellationError` when
    ///   its task was cancelled before the password was changed.
    public func changePassword(token: SessionToken, old: Password, new: Password) async throws
        -> (session: Session, token: SessionToken)
    {
        let session = try await signedIn(token)
        let username = session.user.username
        try passwordPolicy.check(new, username: username)
        guard let account = try await users.account(named: username) else { throw AuthError.notSignedIn }
        try await confirm(old, of: account, in: session)
        try await checkBreaches(of: new)
        let hash = try await hasher.hash(new)
        try Task.checkCancellation()
        let now = now
        let user = User(
            id: account.user.id, username: username, region: account.user.region, createdAt: account.user.createdAt,
            passwordChangedAt: max(now, account.user.passwordChangedAt.addingTimeInterval(1)))
        let (stored, newToken) = newSession(of: user, client: session.client, from: session.origin, at: now)
        let event = AuditEvent(
            .passwordChanged, at: now, userID: user.id, sessionID: newToken.sessionID, client: session.client)
        guard try await users.changePassword(of: account.user, to: hash, opening: stored, recording: event) else {
            throw AuthError.notSignedIn
        }
        // Those were guesses at another password.
        try? await throttle.succeed([throttlePolicy.inARow(username)])
        return (stored.session, newToken)
    }

    /// The time in whole seconds, as it is stored.
    private var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    private func signedIn(_ token: SessionToken) async throws -> Session {
        guard let session = try await currentSession(token: token) else { throw AuthError.notSignedIn }
        return session
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

    private func newSession(of user: User, client: String, from origin: Origin, at now: Date)
        -> (StoredSession, SessionToken)
    {
        let token = SessionToken(randomBytes: randomBytes)
        let session = Session(
            id: token.sessionID, user: user, client: client, origin: origin, createdAt: now, lastUsedAt: now,
            expiresAt: now.addingTimeInterval(sessionPolicy.lifetime))
        return (StoredSession(session: session, secretHash: token.secretHash), token)
    }

    /// The device, where the user has logged in from it before.
    private func known(_ device: DeviceToken?, to username: Username) async throws -> DeviceToken? {
        guard let device else { return nil }
        let since = now.addingTimeInterval(-Double(throttlePolicy.deviceLifetime))
        return try await devices.isKnown(device.secretHash, to: username, since: since) ? device : nil
    }

    /// Makes sure that who acts in a session knows the password. Failures count for the session alone, so that nobody
    /// else's guesses matter in it.
    private func confirm(_ password: Password, of account: Account, in session: Session) async throws {
        guard password.byteCount <= Password.maximumBytes else { throw AuthError.invalidCredentials }
        let counters = throttlePolicy.counters(of: session.id)
        let failures = try await admit(counters)
        guard try await verify(password, against: account.passwordHash, counting: counters) != nil else {
            try await recordFailure(failures, user: session.user.id, session: session.id, client: session.client)
            if failures >= throttlePolicy.limit { _ = try await end(session, as: .sessionRevoked) }
            throw AuthError.invalidCredentials
        }
        try await throttle.succeed(counters)
    }

    /// Counts an attempt and returns how many have failed by the first counter, this one taken as failed. Holds it back as
    /// long as the patience of the policy lasts; it is judged anew after each pause, so that waiting admits no more than
    /// coming back would.
    private func admit(_ counters: [AttemptCounter]) async throws -> Int {
        var patience = throttlePolicy.patience
        while true {
            switch try await throttle.admit(counters, at: now, keeping: throttlePolicy.counters) {
            case .admitted(let failures): return failures.first ?? 0
            case .blocked: throw AuthError.blocked
            case .refused(let seconds):
                guard seconds <= patience else { throw AuthError.throttled(seconds: seconds) }
                patience -= seconds
                try await pause(seconds)
            }
        }
    }

    /// In which form the password is right; nil when it is wrong. Where that cannot be told, the attempt does not count.
    private func verify(_ password: Password, against hash: PasswordHash, counting counters: [AttemptCounter])
        async throws -> PasswordHasher.Match?
    {
        do {
            return try await hasher.match(password, against: hash)
        } catch {
            try? await throttle.withdraw(counters)
            throw error
        }
    }

    private func checkBreaches(of password: Password) async throws {
        if try await breaches?.isBreached(password.composed) == true { throw AuthError.weakPassword(.breached) }
    }

    private func rehash(_ account: Account, _ password: Password, client: String, at now: Date) async throws {
        let event = AuditEvent(.passwordRehashed, at: now, userID: account.user.id, client: client)
        try await users.rehash(account, to: hasher.hash(password), recording: event)
    }

    private func recordFailure(_ failures: Int, user: User.ID?, session: Session.ID?, client: String) async throws {
        let kinds: [AuditEvent.Kind] =
            throttlePolicy.guesses.delay(after: failures) > 0 ? [.logInFailed, .throttled] : [.logInFailed]
        let now = now
        try await audit.record(
            kinds.map { AuditEvent($0, at: now, userID: user, sessionID: session, client: client) })
    }

    /// What is kept of a client's description, which may be anything.
    private func shortened(_ client: String) -> String {
        String(String.UnicodeScalarView(client.unicodeScalars.prefix(200)))
    }
}
