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
    }

    struct SessionRow {
        var stored: StoredSession
        var bookmark: String?
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
        var attempts: [[UInt8]: Attempts] = [:]
        var events: [AuditEvent] = []

        /// Stores a session, unless its user's password has changed since.
        mutating func open(_ stored: StoredSession) throws -> Bool {
            let (session, user) = (stored.session, stored.session.user)
            guard users[user.id]?.account.user.passwordChangedAt == user.passwordChangedAt else { return false }
            guard sessions[session.id] == nil else { throw Refusal.sessionIsThere }
            sessions[session.id] = SessionRow(stored: stored)
            return true
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
}
