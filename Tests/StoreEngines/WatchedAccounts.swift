package import AuthService
package import Foundation

/// Accounts whose calls a test can hold, count, or let fail.
package struct WatchedAccounts: AccountStore {
    /// The methods of an account store.
    package enum Call: Sendable {
        case createUser
        case registrationPolicy
        case setRegistrationPolicy
        case addInvitation
        case users
        case account
        case rehash
        case changePassword
        case change
        case addResetCode
        case user
        case resetPassword
        case openSession
        case session
        case sessions
        case touchSession
        case endSession
        case endSessions
        case removeExpired
        case createToken
        case token
        case tokens
        case touchToken
        case revokeToken
        case secondFactor
        case addSecondFactor
        case use
        case replaceRecoveryCodes
        case removeSecondFactor
        case logInHistory
        case admitAttempt
        case recordLogIn
        case removeDevice
        case recordSuccess
        case withdrawAttempt
        case saveFeedSecret
        case removeFeedSecret
        case feedSecretDate
        case record
        case events
        case verifyAuditLog
    }

    private let store: any AccountStore
    private let passwordHash: PasswordHash?
    private let before: @Sendable (Call) async throws -> Void
    private let after: @Sendable (Call) -> Void

    /// Creates a store that forwards each call.
    ///
    /// - Parameters:
    ///   - store: the store that gets the calls.
    ///   - passwordHash: a hash that is stored instead of each new one, such as one that is cheap to check.
    ///   - before: called before each call. If it throws, the call fails.
    ///   - after: called after each call that did not fail.
    package init(
        _ store: any AccountStore, passwordHash: PasswordHash? = nil,
        before: @escaping @Sendable (Call) async throws -> Void = { _ in },
        after: @escaping @Sendable (Call) -> Void = { _ in }
    ) {
        (self.store, self.passwordHash) = (store, passwordHash)
        (self.before, self.after) = (before, after)
    }

    private func watched<T>(_ call: Call, _ body: () async throws -> T) async throws -> T {
        try await before(call)
        let result = try await body()
        after(call)
        return result
    }

    private func stored(_ hash: PasswordHash) -> PasswordHash { passwordHash ?? hash }
}

extension WatchedAccounts {
    package func createUser(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        try await watched(.createUser) {
            try await store.createUser(
                username: username, region: region, passwordHash: stored(passwordHash), invitation: invitation,
                recording: event)
        }
    }

    package func registrationPolicy() async throws -> RegistrationPolicy {
        try await watched(.registrationPolicy) { try await store.registrationPolicy() }
    }

    package func setRegistrationPolicy(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        try await watched(.setRegistrationPolicy) { try await store.setRegistrationPolicy(policy, recording: event) }
    }

    package func addInvitation(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        try await watched(.addInvitation) { try await store.addInvitation(codeHash, until: end, recording: event) }
    }

    package func users() async throws -> [User] {
        try await watched(.users) { try await store.users() }
    }

    package func account(named username: Username) async throws -> StoredUser? {
        try await watched(.account) { try await store.account(named: username) }
    }

    package func rehash(_ account: StoredUser, to passwordHash: PasswordHash, recording event: AuditEvent) async throws
    {
        try await watched(.rehash) { try await store.rehash(account, to: stored(passwordHash), recording: event) }
    }

    package func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try await watched(.changePassword) {
            try await store.changePassword(of: user, to: stored(passwordHash), opening: session, recording: event)
        }
    }

    package func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        try await watched(.change) { try await store.change(changes, of: user) }
    }

    package func addResetCode(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent)
        async throws -> Bool
    {
        try await watched(.addResetCode) {
            try await store.addResetCode(codeHash, of: user, until: end, recording: event)
        }
    }

    package func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        try await watched(.user) { try await store.user(resetting: codeHash, at: time) }
    }

    package func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        try await watched(.resetPassword) {
            try await store.resetPassword(of: user, by: codeHash, to: stored(passwordHash), recording: event)
        }
    }

    package func openSession(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws
        -> Bool
    {
        try await watched(.openSession) { try await store.openSession(stored, keeping: limit, recording: event) }
    }

    package func session(_ id: Session.ID) async throws -> StoredSession? {
        try await watched(.session) { try await store.session(id) }
    }

    package func sessionWithPreferences(
        _ id: Session.ID
    ) async throws -> (session: StoredSession, preferences: String??)? {
        try await watched(.session) { try await store.sessionWithPreferences(id) }
    }

    package func sessions(of user: User.ID) async throws -> [Session] {
        try await watched(.sessions) { try await store.sessions(of: user) }
    }

    package func touchSession(_ id: Session.ID, at time: Date) async throws {
        try await watched(.touchSession) { try await store.touchSession(id, at: time) }
    }

    package func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent)
        async throws -> Bool
    {
        try await watched(.change) { try await store.change(change, of: id, of: user, recording: event) }
    }

    package func endSession(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await watched(.endSession) { try await store.endSession(id, of: user, recording: event) }
    }

    package func endSessions(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        try await watched(.endSessions) { try await store.endSessions(of: user, recording: event) }
    }

    package func removeExpired(
        at time: Date, idleSince: Date, eventsBefore oldest: Date, onceBefore limit: Date, recording event: AuditEvent
    ) async throws {
        try await watched(.removeExpired) {
            try await store.removeExpired(
                at: time, idleSince: idleSince, eventsBefore: oldest, onceBefore: limit, recording: event)
        }
    }

    package func createToken(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool {
        try await watched(.createToken) { try await store.createToken(stored, limit: limit, recording: event) }
    }

    package func token(_ id: Session.ID) async throws -> StoredAPIToken? {
        try await watched(.token) { try await store.token(id) }
    }

    package func tokens(of user: User.ID) async throws -> [APIToken] {
        try await watched(.tokens) { try await store.tokens(of: user) }
    }

    package func touchToken(_ id: Session.ID, at time: Date) async throws {
        try await watched(.touchToken) { try await store.touchToken(id, at: time) }
    }

    package func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await watched(.revokeToken) { try await store.revokeToken(id, of: user, recording: event) }
    }

    package func secondFactor(of user: User.ID) async throws -> StoredSecondFactor? {
        try await watched(.secondFactor) { try await store.secondFactor(of: user) }
    }

    package func addSecondFactor(
        _ secret: TOTPSecret, step: Int64, recoveryCodes: [[UInt8]], to user: User, recording event: AuditEvent
    ) async throws -> Bool {
        try await watched(.addSecondFactor) {
            try await store.addSecondFactor(
                secret, step: step, recoveryCodes: recoveryCodes, to: user, recording: event)
        }
    }

    package func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool {
        try await watched(.use) { try await store.use(step: step, of: user, by: secret) }
    }

    package func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool
    {
        try await watched(.use) { try await store.use(recoveryCode: codeHash, of: user, recording: event) }
    }

    package func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent)
        async throws -> Bool
    {
        try await watched(.replaceRecoveryCodes) {
            try await store.replaceRecoveryCodes(of: user, by: codeHashes, recording: event)
        }
    }

    package func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await watched(.removeSecondFactor) { try await store.removeSecondFactor(of: user, recording: event) }
    }

    package func logInHistory(
        of username: Username, device: [UInt8]?, usedAfter since: Date, counters: [AttemptCounter], at now: Date
    ) async throws -> (isKnownDevice: Bool, counts: [Int]) {
        try await watched(.logInHistory) {
            try await store.logInHistory(of: username, device: device, usedAfter: since, counters: counters, at: now)
        }
    }

    package func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws {
        try await watched(.recordLogIn) {
            try await store.recordLogIn(
                of: user, on: device, from: place, at: time, keepingDevices: devices, counters: counters)
        }
    }

    package func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        try await watched(.removeDevice) { try await store.removeDevice(secretHash, of: user) }
    }

    package func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) async throws
        -> [AttemptDecision]
    {
        try await watched(.admitAttempt) { try await store.admitAttempt(groups, at: now, keeping: limit) }
    }

    package func recordSuccess(_ counters: [AttemptCounter]) async throws {
        try await watched(.recordSuccess) { try await store.recordSuccess(counters) }
    }

    package func withdrawAttempt(_ counters: [AttemptCounter]) async throws {
        try await watched(.withdrawAttempt) { try await store.withdrawAttempt(counters) }
    }

    package func saveFeedSecret(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws {
        try await watched(.saveFeedSecret) { try await store.saveFeedSecret(secretHash, of: user, recording: event) }
    }

    package func removeFeedSecret(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await watched(.removeFeedSecret) { try await store.removeFeedSecret(of: user, recording: event) }
    }

    package func feedSecretDate(of user: User.ID) async throws -> Date? {
        try await watched(.feedSecretDate) { try await store.feedSecretDate(of: user) }
    }

    package func user(withFeedSecret secretHash: [UInt8]) async throws -> User? {
        try await watched(.user) { try await store.user(withFeedSecret: secretHash) }
    }

    package func record(_ events: [AuditEvent]) async throws {
        try await watched(.record) { try await store.record(events) }
    }

    package func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        try await watched(.events) { try await store.events(of: user, limit: limit) }
    }

    package func events(matching query: AuditQuery) async throws -> [AuditRecord] {
        try await watched(.events) { try await store.events(matching: query) }
    }

    package func verifyAuditLog() async throws -> AuditFault? {
        try await watched(.verifyAuditLog) { try await store.verifyAuditLog() }
    }
}
