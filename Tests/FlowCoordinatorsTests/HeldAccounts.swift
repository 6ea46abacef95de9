import AuthService
import Foundation
import Synchronization
import TestSupport

/// Accounts and sessions that can pause at a given call.
final class HeldAccounts: UserRepository, SessionRepository {
    /// A point where a call pauses once, if the test has requested it.
    final class Stop: Sendable {
        /// Open as soon as a call pauses.
        let reached = Latch()
        /// Opening it continues the call.
        let latch = Latch()
        private let isSet = Mutex(false)

        /// Makes the next call pause.
        func set() { isSet.withLock { $0 = true } }

        func pass() async {
            let stops = isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
            guard stops else { return }
            reached.open()
            await latch.wait()
        }
    }

    /// Pauses before a session is opened.
    let opening = Stop()
    /// Pauses before a session is looked up.
    let finding = Stop()
    /// Pauses before a password is changed.
    let changing = Stop()
    /// Open as soon as a session has been ended.
    let ended = Latch()
    /// Whether the registration policy cannot be stored.
    let isFull = Atomic(false)
    private let users: any UserRepository
    private let sessions: any SessionRepository

    init(_ users: any UserRepository, _ sessions: any SessionRepository) {
        self.users = users
        self.sessions = sessions
    }

    func insert(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        try await users.insert(
            username: username, region: region, passwordHash: passwordHash, invitation: invitation,
            recording: event)
    }

    func users() async throws -> [User] { try await users.users() }

    func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        try await users.change(changes, of: user)
    }

    func registration() async throws -> RegistrationPolicy { try await users.registration() }

    func setRegistration(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        try checkSpace()
        try await users.setRegistration(policy, recording: event)
    }

    func invite(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        try checkSpace()
        try await users.invite(codeHash, until: end, recording: event)
    }

    private func checkSpace() throws {
        if isFull.load(ordering: .relaxed) { throw CocoaError(.fileWriteOutOfSpace) }
    }

    func issueReset(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent) async throws
        -> Bool
    {
        try await users.issueReset(codeHash, of: user, until: end, recording: event)
    }

    func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        try await users.user(resetting: codeHash, at: time)
    }

    func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        try await users.resetPassword(of: user, by: codeHash, to: passwordHash, recording: event)
    }

    func account(named username: Username) async throws -> Account? { try await users.account(named: username) }

    func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {
        try await users.rehash(account, to: passwordHash, recording: event)
    }

    func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        await changing.pass()
        return try await users.changePassword(of: user, to: passwordHash, opening: session, recording: event)
    }

    func open(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws -> Bool {
        await opening.pass()
        return try await sessions.open(stored, keeping: limit, recording: event)
    }

    func find(_ id: Session.ID) async throws -> StoredSession? {
        await finding.pass()
        return try await sessions.find(id)
    }

    func sessions(of user: User.ID) async throws -> [Session] { try await sessions.sessions(of: user) }

    func touch(_ id: Session.ID, at time: Date) async throws { try await sessions.touch(id, at: time) }

    func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws
        -> Bool
    {
        try await sessions.change(change, of: id, of: user, recording: event)
    }

    func end(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        let isEnded = try await sessions.end(id, of: user, recording: event)
        ended.open()
        return isEnded
    }

    func endAll(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        try await sessions.endAll(of: user, recording: event)
    }

    func endExpired(at time: Date, idleSince: Date) async throws {
        try await sessions.endExpired(at: time, idleSince: idleSince)
    }
}
