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
/// - **Coming in**: `register(username:password:region:client:from:invitation:)`,
///   `logIn(username:password:client:from:device:)`, `completeLogIn(_:code:)`, `resetPassword(code:new:client:from:)`.
/// - **Being in**: `currentSession(token:)`, `sessions(of:by:)`, `confirm(_:token:)`, `changePassword(token:old:new:)`.
/// - **Going out**: `logOut(token:)`, `logOutEverywhere(token:)`, `revoke(_:of:by:)`.
///
/// Every method also throws what its repositories throw, such as `DatabaseError`. Times are stored in whole seconds.
public struct AuthService: Sendable {
    /// Which passwords may be chosen.
    public let passwordPolicy: PasswordPolicy
    /// How long sessions last.
    public let sessionPolicy: SessionPolicy
    /// How failed attempts slow down the next.
    public let throttlePolicy: ThrottlePolicy
    /// How accounts are looked after.
    public let accountPolicy: AccountPolicy

    let users: any UserRepository
    let sessions: any SessionRepository
    let throttle: any LogInThrottleRepository
    private let devices: any DeviceRepository
    let tokens: any APITokenRepository
    let secondFactors: any SecondFactorRepository
    let audit: any AuditLog
    let hasher: PasswordHasher
    private let breaches: (any BreachCheck)?
    private let clock: @Sendable () -> Date
    let randomBytes: @Sendable (Int) -> [UInt8]
    private let pause: @Sendable (Int) async throws -> Void

    /// The service over any repositories.
    ///
    /// - Parameters:
    ///   - users: where accounts are kept.
    ///   - sessions: where sessions are kept.
    ///   - throttle: where failed attempts are counted.
    ///   - devices: where is kept from which devices users have logged in.
    ///   - tokens: where API tokens are kept.
    ///   - secondFactors: where second factors are kept.
    ///   - audit: where is kept what happened.
    ///   - hasher: what a hash costs.
    ///   - breaches: what tells passwords that are known from leaks; nil where nothing does.
    ///   - passwordPolicy: which passwords may be chosen.
    ///   - sessionPolicy: how long sessions last.
    ///   - throttlePolicy: how failed attempts slow down the next.
    ///   - accountPolicy: how accounts are looked after.
    ///   - clock: the time; it may jump.
    ///   - randomBytes: as many unpredictable bytes as asked for; nil for those of the system.
    ///   - pause: lets so many seconds pass, for an attempt that is held back.
    public init(
        users: any UserRepository, sessions: any SessionRepository, throttle: any LogInThrottleRepository,
        devices: any DeviceRepository, tokens: any APITokenRepository, secondFactors: any SecondFactorRepository,
        audit: any AuditLog, hasher: PasswordHasher = PasswordHasher(), breaches: (any BreachCheck)? = nil,
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.users = users
        self.sessions = sessions
        self.throttle = throttle
        self.devices = devices
        self.tokens = tokens
        self.secondFactors = secondFactors
        self.audit = audit
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

    /// The service over the tables of `database`. The other parameters are those of the other initialiser.
    public init(
        database: Database, hasher: PasswordHasher = PasswordHasher(), breaches: (any BreachCheck)? = nil,
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.init(
            users: SQLiteUserRepository(database: database), sessions: SQLiteSessionRepository(database: database),
            throttle: SQLiteLogInThrottleRepository(database: database),
            devices: SQLiteDeviceRepository(database: database), tokens: SQLiteAPITokenRepository(database: database),
            secondFactors: SQLiteSecondFactorRepository(database: database), audit: SQLiteAuditLog(database: database),
            hasher: hasher, breaches: breaches,
            passwordPolicy: passwordPolicy, sessionPolicy: sessionPolicy, throttlePolicy: throttlePolicy,
            accountPolicy: accountPolicy, clock: clock, randomBytes: randomBytes, pause: pause)
    }

    /// Whether an account of this name could be made at present, so that somebody who makes one need not choose a
    /// password first. It tells no more than `register` does, and counts like it.
    ///
    /// - Throws: `AuthError.throttled`.
    public func isFree(_ username: Username, from origin: Origin) async throws -> Bool {
        guard !accountPolicy.reservedNames.contains(username.text) else { return false }
        return try await isFree(username, from: origin).isFree
    }

    /// Whether a name is free, and how often the origin has asked.
    private func isFree(_ username: Username, from origin: Origin) async throws -> (isFree: Bool, asked: Int) {
        let asked = try await admit(throttlePolicy.registrationCounters(from: origin))
        return (try await users.account(named: username) == nil, asked)
    }

    /// Makes an account. Nobody is logged in by it.
    ///
    /// - Parameters:
    ///   - username: what the account is called.
    ///   - password: what proves it.
    ///   - region: where the person lives.
    ///   - client: where, for the audit log.
    ///   - origin: where the request comes from.
    ///   - invitation: the code of an invitation, where there is one; see `registration()`.
    /// - Throws: `AuthError.weakPassword`, before anything is hashed or written; `throttled`; `usernameTaken`; `reservedName`;
    ///   `registrationClosed`; `invalidCode` where an invitation is needed and this is none, or not any more;
    ///   `outOfMemory`; `CancellationError` when its task was cancelled before the account was made.
    @discardableResult
    public func register(
        username: Username, password: Password, region: Region, client: String = "", from origin: Origin,
        invitation: String? = nil
    ) async throws -> User {
        try accountPolicy.check(username)
        let code = invitation.flatMap { OneTimeCode($0) }
        switch try await users.registration() {
        case .open: break
        case .closed: throw AuthError.registrationClosed
        case .invitation: if code == nil { throw AuthError.invalidCode }
        }
        try passwordPolicy.check(password, username: username)
        // Spares the hash; the insertion alone decides.
        let (isFree, asked) = try await isFree(username, from: origin)
        guard isFree else { throw AuthError.usernameTaken(username) }
        // Only accounts count in total: requests for a taken name must not keep honest users out.
        _ = try await admit([throttlePolicy.registrationTotal(after: asked)])
        let turn = HashQueue.Turn(asked <= throttlePolicy.trials.name ? .newcomer : .other, origin.site.text)
        let hash = try await newHash(of: password, in: turn)
        return try await users.insert(
            username: username, region: region, passwordHash: hash, invitation: code?.hash,
            recording: AuditEvent(.registered, at: now, client: shortened(client), origin: origin))
    }

    /// Opens a session for whoever knows the password.
    ///
    /// An unknown name, and that of a user who is disabled, costs the same work and gives the same error as a wrong
    /// password. The attempt is counted before the password is checked, by the standing of the caller; see `ThrottlePolicy`.
    ///
    /// If too many strangers have failed for the name, the password is still checked: a user with a second factor gets to the
    /// code at once, and everybody else is told to wait, whether or not the password is right.
    ///
    /// - Parameters:
    ///   - username: as it was typed; what can be nobody's name is answered as a wrong password.
    ///   - password: exactly as it was typed.
    ///   - client: where, to tell the user's sessions apart, such as the name of the host.
    ///   - origin: where the request comes from.
    ///   - device: what the device keeps since an earlier log-in of this user, if it does.
    /// - Returns: the session, its token, and what the device is to keep for the next log-in.
    /// - Throws: `AuthError.invalidCredentials`, `throttled` or `outOfMemory`; `secondFactorNeeded`, for
    ///   `completeLogIn(_:code:)`, where the password is right and the user has a second factor.
    public func logIn(
        username: String, password: Password, client: String, from origin: Origin, device: DeviceToken? = nil
    ) async throws -> (session: Session, token: SessionToken, device: DeviceToken) {
        // Neither can be right, and both rules are public: nothing is given away by answering at once.
        guard let username = try? Username(username), password.byteCount <= Password.maximumBytes else {
            throw AuthError.invalidCredentials
        }
        let client = shortened(client)
        let standing = try await standing(of: device, username, from: origin)
        let known = standing.device
        var counters = throttlePolicy.ownCounters(of: username, from: origin, as: standing)
        let failures = try await admit(counters)
        let shared = throttlePolicy.sharedCounters(of: username, as: standing)
        var wait: AuthError?
        do {
            _ = try await admit(shared)
            counters += shared
        } catch let error as AuthError {
            wait = error
        }
        let account = try await users.account(named: username)
        let isDisabled = account?.user.disabledAt != nil
        // Of who is disabled the password is not looked at, so that how long it takes cannot tell whether it is right.
        let hash = isDisabled ? hasher.decoy : account?.passwordHash ?? hasher.decoy
        let turn = standing.turn(from: origin)
        let match = try await verify(password, against: hash, counting: counters, in: turn)
        // Every user is looked up, so that how long it takes cannot tell whether there is a second factor.
        let hasSecondFactor = try await secondFactors.secondFactor(of: account?.user.id ?? 0) != nil
        if let wait, match == nil || isDisabled || !hasSecondFactor { throw wait }
        guard let match, !isDisabled, let account else {
            try await recordFailure(
                isDisabled ? .logInRefused : .logInFailed, failures, user: account?.user.id, client: client,
                from: origin)
            if let account { try await forget(known, of: account.user.id, after: failures) }
            throw AuthError.invalidCredentials
        }
        try await throttle.succeed(counters)
        // If a better hash cannot be written, the log-in must succeed all the same.
        if match == .asTyped || hasher.needsRehash(account.passwordHash) {
            try? await rehash(account, password, client: client, from: origin)
        }
        let now = now
        let pending = PendingLogIn(
            id: Session.ID(randomBytes: randomBytes), user: account.user, client: client, origin: origin,
            standing: standing,
            startedAt: now, expiresAt: now.addingTimeInterval(accountPolicy.pendingLifetime))
        if hasSecondFactor {
            try await audit.record([
                AuditEvent(.secondFactorAsked, at: now, userID: account.user.id, client: client, origin: origin)
            ])
            throw AuthError.secondFactorNeeded(pending)
        }
        guard let opened = try await open(pending) else { throw AuthError.invalidCredentials }
        return opened
    }

    /// Opens a session for who has proven all that is asked for; nil where the password has changed since, or the user was
    /// disabled.
    func open(_ logIn: PendingLogIn) async throws -> (session: Session, token: SessionToken, device: DeviceToken)? {
        let now = now
        try await sessions.endExpired(at: now, idleSince: now.addingTimeInterval(-sessionPolicy.idleLifetime))
        try await pruneLog(at: now)
        let (stored, token) = newSession(of: logIn.user, client: logIn.client, from: logIn.origin, at: now)
        let event = event(.loggedIn, in: stored.session)
        guard try await sessions.open(stored, keeping: sessionPolicy.limit, recording: event) else { return nil }
        // The session is open; what keeps the rest from being written must not cost the user the token.
        await recordPlace(logIn.origin, of: logIn.user.username)
        let device = logIn.standing.device ?? DeviceToken(randomBytes: randomBytes)
        try? await devices.keep(device.secretHash, of: logIn.user.id, at: now, keeping: throttlePolicy.devices)
        return (stored.session, token, device)
    }

    /// Whether a token is that of a session that is there, whether or not time has ended it: whoever holds it may be told
    /// what was kept for the session. It ends none.
    public func recognises(_ token: SessionToken) async throws -> Bool {
        try await storedSession(token) != nil
    }

    /// The session that a token opens, or that an API token stands for; nil when it opens none: it is unknown or ended, or
    /// the clock stands before its last use.
    ///
    /// A session that is found to have reached its end is removed, so no later change of the clock revives it.
    ///
    /// - Parameters:
    ///   - token: what is held of the session.
    ///   - isUse: whether it counts as a use. A mere look-up changes nothing: it neither records a use nor removes a session.
    /// - Throws: what the repositories throw.
    public func currentSession(token: SessionToken, isUse: Bool = true) async throws -> Session? {
        if token.isAPIToken { return try await session(byAPIToken: token, isUse: isUse) }
        guard let session = try await storedSession(token) else { return nil }
        let now = now
        switch sessionPolicy.state(of: session, at: now) {
        case .open:
            // A full disk or a busy writer must not keep anyone from reading; the session then ends sooner.
            if isUse, sessionPolicy.shouldTouch(session, at: now) { try? await sessions.touch(session.id, at: now) }
            return session
        case .ended:
            // Nor does what cannot be written open it.
            if isUse { _ = try? await end(session, as: .sessionExpired) }
            return nil
        case .clockSetBack:
            return nil
        }
    }

    /// The open sessions of a user, the last used first: for the user, with a session of theirs, and for operators.
    ///
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
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`, `passwordNeeded`.
    @discardableResult
    public func logOutEverywhere(token: SessionToken) async throws -> Int {
        let session = try await confirmed(token)
        return try await sessions.endAll(
            of: session.user.id, recording: event(.loggedOutEverywhere, in: session))
    }

    /// Ends one session of a user: for the user, with a session of theirs, and for operators.
    ///
    /// - Returns: whether the user had such a session.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `passwordNeeded` for another session than the one that asks;
    ///   `notAllowed` to anybody else.
    @discardableResult
    public func revoke(_ id: Session.ID, of user: User.ID, by authority: Authority) async throws -> Bool {
        let doer = try await doer(authority, about: user)
        if case .session(let session) = doer, session.id != id { try requireConfirmation(of: session) }
        let event = doer.event(.sessionRevoked, at: now, to: user, detail: id.description)
        return try await sessions.end(id, of: user, recording: event)
    }

    /// Gives a session of the user who holds `token` a name, to know it by.
    ///
    /// - Returns: whether the user had such a session.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`, `invalidName`.
    @discardableResult
    public func rename(_ id: Session.ID, to name: String, token: SessionToken) async throws -> Bool {
        guard let name = ShownName.checked(name) else { throw AuthError.invalidName }
        let session = try await loggedIn(token)
        return try await sessions.change(
            .client(name), of: id, of: session.user.id,
            recording: event(.sessionRenamed, in: session, detail: id.description))
    }

    /// Takes the password of the user who holds the token once more, so that for a while that can be done which takes it; see
    /// `SessionPolicy.confirmationLifetime`.
    ///
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `wrongPassword`, which is counted for this
    ///   session alone; `throttled`; `outOfMemory`.
    public func confirm(_ password: Password, token: SessionToken) async throws {
        let session = try await loggedIn(token)
        _ = try await confirm(password, in: session)
        let isThere = try await sessions.change(
            .confirmed(at: now), of: session.id, of: session.user.id, recording: event(.passwordConfirmed, in: session))
        guard isThere else { throw AuthError.notSignedIn }
    }

    /// Gives the user who holds the token another password, ends all their sessions and opens a new one in place of
    /// this, so that the user stays logged in here and nowhere else, and a token that was stolen is worth nothing.
    ///
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`; `weakPassword`, before anything is hashed or written;
    ///   `wrongPassword` when `old` is, which is counted for this session alone; `throttled`; `outOfMemory`;
    ///   `CancellationError` when its task was cancelled before the password was changed.
    public func changePassword(token: SessionToken, old: Password, new: Password) async throws
        -> (session: Session, token: SessionToken)
    {
        let session = try await loggedIn(token)
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
        guard try await users.changePassword(of: account.user, to: hash, opening: stored, recording: event) else {
            throw AuthError.notSignedIn
        }
        // These failures counted against the old password.
        try? await throttle.succeed(throttlePolicy.codeCounters(of: user.id))
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

    /// The session of a person who has logged in, as opposed to a program with an API token.
    func loggedIn(_ token: SessionToken) async throws -> Session {
        guard !token.isAPIToken else { throw AuthError.outOfScope }
        return try await signedIn(token)
    }

    /// The session of who has given the password a short while ago.
    func confirmed(_ token: SessionToken) async throws -> Session {
        let session = try await loggedIn(token)
        try requireConfirmation(of: session)
        return session
    }

    private func requireConfirmation(of session: Session) throws {
        guard sessionPolicy.isConfirmed(session, at: now) else { throw AuthError.passwordNeeded }
    }

    /// Something that a user does to their own account.
    func event(_ kind: AuditEvent.Kind, in session: Session, detail: String = "") -> AuditEvent {
        Doer.session(session).event(kind, at: now, detail: detail)
    }

    /// The session whose secret the token holds, whatever the time.
    private func storedSession(_ token: SessionToken) async throws -> Session? {
        guard let stored = try await sessions.find(token.sessionID),
            Sodium.isEqual(stored.secretHash, token.secretHash)
        else { return nil }
        return stored.session
    }

    private func end(_ session: Session, as kind: AuditEvent.Kind) async throws -> Bool {
        try await sessions.end(session.id, of: session.user.id, recording: event(kind, in: session))
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

    /// How well the service knows the caller. The answer for a name without an account is that of a stranger.
    private func standing(of device: DeviceToken?, _ username: Username, from origin: Origin) async throws -> Standing {
        if let device = try await known(device, to: username) { return .device(device) }
        let history = throttlePolicy.history(of: username, from: origin)
        return history.standing(try await throttle.counts(of: history.counters, at: now))
    }

    /// Records that a user has proven who they are from an origin. The user is let in even if this cannot be stored.
    func recordPlace(_ origin: Origin, of username: Username) async {
        let place = throttlePolicy.place(origin, of: username)
        _ = try? await throttle.admit([place], at: now, keeping: throttlePolicy.counters)
    }

    func turn(in session: Session) -> HashQueue.Turn { HashQueue.Turn(.known, session.user.username.text) }

    /// The device, where the user has logged in from it before.
    private func known(_ device: DeviceToken?, to username: Username) async throws -> DeviceToken? {
        guard let device else { return nil }
        let since = now.addingTimeInterval(-Double(throttlePolicy.deviceLifetime))
        return try await devices.isKnown(device.secretHash, to: username, since: since) ? device : nil
    }

    /// Makes sure that who acts in a session knows the password, and returns their account. Failures count for the session
    /// alone, so that nobody else's guesses matter in it.
    ///
    /// - Throws: `AuthError.notSignedIn`, `wrongPassword`, `throttled`, `outOfMemory`.
    func confirm(_ password: Password, in session: Session) async throws -> Account {
        // By the id, too: since the session was looked up, the name may have become somebody else's.
        guard let account = try await users.account(named: session.user.username), account.user.id == session.user.id
        else { throw AuthError.notSignedIn }
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
            if failures >= throttlePolicy.limit { _ = try await end(session, as: .sessionRevoked) }
            throw AuthError.wrongPassword
        }
        try await throttle.succeed(counters)
        return account
    }

    /// Counts an attempt and returns how many have failed by the first counter, this one taken as failed. Holds it back as
    /// long as the patience of the policy lasts. It is checked again after each pause, so that waiting admits no more than
    /// coming back would.
    func admit(_ counters: [AttemptCounter]) async throws -> Int {
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

    /// The form in which the password is right; nil if it is wrong. If an error prevents the check, the attempt does not count.
    private func verify(
        _ password: Password, against hash: PasswordHash, counting counters: [AttemptCounter], in turn: HashQueue.Turn
    ) async throws -> PasswordHasher.Match? {
        do {
            return try await hasher.match(password, against: hash, in: turn)
        } catch {
            try? await throttle.withdraw(counters)
            throw error
        }
    }

    /// The hash of a password that is being chosen.
    ///
    /// - Throws: `AuthError.weakPassword` where it is known from a leak, `outOfMemory`; `CancellationError`.
    func newHash(of password: Password, in turn: HashQueue.Turn) async throws -> PasswordHash {
        if try await breaches?.isBreached(password.composed) == true { throw AuthError.weakPassword(.breached) }
        let hash = try await hasher.hash(password, in: turn)
        try Task.checkCancellation()
        return hash
    }

    private func rehash(_ account: Account, _ password: Password, client: String, from origin: Origin) async throws {
        let event = AuditEvent(.passwordRehashed, at: now, userID: account.user.id, client: client, origin: origin)
        try await users.rehash(account, to: hasher.hash(password), recording: event)
    }

    /// Forgets a device from which a secret was guessed too often: from then on it is a stranger's.
    func forget(_ device: DeviceToken?, of user: User.ID, after failures: Int) async throws {
        guard let device, failures >= throttlePolicy.limit else { return }
        try await devices.forget(device.secretHash, of: user)
    }

    func recordFailure(
        _ kind: AuditEvent.Kind, _ failures: Int, user: User.ID?, session: Session.ID? = nil, client: String,
        from origin: Origin
    ) async throws {
        let kinds = throttlePolicy.guesses.delay(after: failures) > 0 ? [kind, .throttled] : [kind]
        let now = now
        try await audit.record(
            kinds.map {
                AuditEvent($0, at: now, userID: user, sessionID: session, client: client, origin: origin)
            })
    }

    /// The part of a client's description that is stored. The description may be any text.
    func shortened(_ client: String) -> String {
        String(String.UnicodeScalarView(client.unicodeScalars.prefix(200)))
    }
}
