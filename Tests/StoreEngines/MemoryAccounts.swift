public import AuthService
import Foundation
import Synchronization

/// Accounts, their sessions, and related data in memory: values behind a lock.
public final class MemoryAccounts: AccountStore {
    /// The reason for a refused change, like a constraint of a database.
    enum Refusal: Error {
        case sessionIsThere
        case bookmarkIsTooLong
    }

    struct UserRow {
        var account: StoredUser
        var appearance: String?
        /// The last use of each device, by the hash of its secret.
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
        /// The hashes of the remaining recovery codes.
        var recoveryCodes: Set<[UInt8]>
    }

    /// Failures by counter, as long as they have an effect.
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
        /// The number of removed events.
        var pruned = 0
        /// Codes to reset a password, by their hashes.
        var resets: [[UInt8]: (user: User.ID, end: Date)] = [:]
        /// Invitations, by the hashes of their codes, with their expiry.
        var invitations: [[UInt8]: Date] = [:]
        var registration = RegistrationPolicy.open
        /// The highest user number so far.
        var lastUser: User.ID = 0

        /// Whether an operator can log in, or no user needs one.
        var isOperated: Bool {
            users.isEmpty
                || users.values.contains { $0.account.user.role == .operator && $0.account.user.disabledAt == nil }
        }

        /// Stores a session, unless the user's password has changed since, or the user is disabled.
        mutating func open(_ stored: StoredSession) throws -> Bool {
            let (session, user) = (stored.session, stored.session.user)
            guard let known = users[user.id]?.account.user, known.passwordChangedAt == user.passwordChangedAt,
                known.disabledAt == nil
            else { return false }
            guard sessions[session.id] == nil else { throw Refusal.sessionIsThere }
            sessions[session.id] = SessionRow(stored: stored)
            return true
        }

        /// Returns a session with its current user.
        func session(_ id: Session.ID) -> StoredSession? {
            guard var stored = sessions[id]?.stored, let user = users[stored.session.user.id]?.account.user else {
                return nil
            }
            stored.session.user = user
            return stored
        }

        /// Removes the sessions of a user, and returns their number.
        mutating func endAll(of user: User.ID) -> Int {
            let before = sessions.count
            sessions = sessions.filter { $0.value.stored.session.user.id != user }
            return before - sessions.count
        }
    }

    let tables = Mutex(Tables())

    /// Makes an empty store.
    public init() {}

    /// Returns whether a user has this number.
    func isUser(_ id: User.ID) -> Bool { tables.withLock { $0.users[id] != nil } }

    /// Returns the numbers of all users.
    func userIDs() -> [User.ID] { tables.withLock { Array($0.users.keys) } }
}

extension PasswordHasher.Parameters {
    /// The least that libsodium accepts, for the passwords of tests, which protect nothing.
    package static let weakest = PasswordHasher.Parameters(unchecked: 8 << 10, passes: 1)
}
