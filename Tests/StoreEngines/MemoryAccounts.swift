import AuthService
import Foundation
import Synchronization

/// Accounts, their sessions and what belongs to either, in memory: values behind a lock.
public final class MemoryAccounts: Sendable {
    /// Why a change is refused, as by a constraint of a database.
    enum Refusal: Error {
        case sessionIsThere
        case bookmarkIsTooLong
    }

    struct UserRow {
        var account: Account
        var appearance: String?
        /// When each was last used, by the hash of its secret.
        var devices: [[UInt8]: Date] = [:]
        var secondFactor: SecondFactorRow?
        var feedAddress: (secretHash: [UInt8], since: Date)?
    }

    struct SessionRow {
        var stored: StoredSession
        var bookmark: String?
    }

    struct TokenRow {
        var token: APIToken
        let user: User.ID
        let secretHash: [UInt8]
    }

    struct SecondFactorRow {
        let secret: TOTPSecret
        let since: Date
        var lastStep: Int64
        /// The hashes of the recovery codes that are left.
        var recoveryCodes: Set<[UInt8]>
    }

    /// Failures that are counted together, until they mean nothing any more.
    struct Attempts {
        let failures: FailureCount
        let end: Date

        init(_ failures: FailureCount, by rule: ThrottleRule) {
            self.failures = failures
            end = rule.end(of: failures)
        }
    }

    struct Tables {
        var users: [User.ID: UserRow] = [:]
        var sessions: [Session.ID: SessionRow] = [:]
        var apiTokens: [Session.ID: TokenRow] = [:]
        var attempts: [[UInt8]: Attempts] = [:]
        var events: [AuditEvent] = []
        /// How many events are gone.
        var pruned = 0
        /// Codes by which users can choose another password, by their hashes.
        var resets: [[UInt8]: (user: User.ID, end: Date)] = [:]
        /// Invitations, by the hashes of their codes, and when they end.
        var invitations: [[UInt8]: Date] = [:]
        var registration = RegistrationPolicy.open
        /// The highest number that a user has had.
        var lastUser: User.ID = 0

        /// Whether there is an operator who can log in, or nobody for whom one would be needed.
        var isOperated: Bool {
            users.isEmpty
                || users.values.contains { $0.account.user.role == .operator && $0.account.user.disabledAt == nil }
        }

        /// Stores a session, unless its user's password has changed since, or the user was disabled.
        mutating func open(_ stored: StoredSession) throws -> Bool {
            let (session, user) = (stored.session, stored.session.user)
            guard let known = users[user.id]?.account.user, known.passwordChangedAt == user.passwordChangedAt,
                known.disabledAt == nil
            else { return false }
            guard sessions[session.id] == nil else { throw Refusal.sessionIsThere }
            sessions[session.id] = SessionRow(stored: stored)
            return true
        }

        /// A session with its user as they are now.
        func session(_ id: Session.ID) -> StoredSession? {
            guard var stored = sessions[id]?.stored, let user = users[stored.session.user.id]?.account.user else {
                return nil
            }
            stored.session.user = user
            return stored
        }

        /// Removes the sessions of a user, and says how many there were.
        mutating func endAll(of user: User.ID) -> Int {
            let before = sessions.count
            sessions = sessions.filter { $0.value.stored.session.user.id != user }
            return before - sessions.count
        }
    }

    let tables = Mutex(Tables())

    /// No accounts.
    public init() {}

    /// Whether there is a user of a number.
    func isUser(_ id: User.ID) -> Bool { tables.withLock { $0.users[id] != nil } }
}
