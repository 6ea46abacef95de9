public import AuthService
import Synchronization

extension MemoryAccounts: UserRepository {
    /// Makes an account. See `UserRepository`.
    public func insert(
        username: Username, region: Region, passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> User {
        try tables.withLock { tables in
            guard !tables.users.values.contains(where: { $0.account.user.username == username }) else {
                throw AuthError.usernameTaken(username)
            }
            let user = User(
                id: User.ID(tables.users.count + 1), username: username, region: region, createdAt: event.at,
                passwordChangedAt: event.at)
            tables.users[user.id] = UserRow(account: Account(user: user, passwordHash: passwordHash))
            tables.events.append(
                AuditEvent(
                    event.kind, at: event.at, userID: event.userID ?? user.id, sessionID: event.sessionID,
                    client: event.client))
            return user
        }
    }

    /// The account with a name. See `UserRepository`.
    public func account(named username: Username) async throws -> Account? {
        tables.withLock { $0.users.values.first { $0.account.user.username == username }?.account }
    }

    /// Replaces a hash by another of the same password. See `UserRepository`.
    public func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            guard let known = tables.users[account.user.id]?.account, known.passwordHash == account.passwordHash else {
                return
            }
            tables.users[known.user.id]?.account = Account(user: known.user, passwordHash: passwordHash)
            tables.events.append(event)
        }
    }

    /// Gives a user a new password and one new session. See `UserRepository`.
    public func changePassword(
        of user: User, to passwordHash: PasswordHash, opening stored: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try tables.withLock { tables in
            guard let known = tables.users[user.id]?.account.user, known.passwordChangedAt == user.passwordChangedAt
            else { return false }
            // On a copy, because what follows may throw.
            var changed = tables
            let next = User(
                id: known.id, username: known.username, region: known.region, createdAt: known.createdAt,
                passwordChangedAt: stored.session.user.passwordChangedAt)
            changed.users[user.id]?.account = Account(user: next, passwordHash: passwordHash)
            _ = changed.endAll(of: user.id)
            guard try changed.open(stored) else { return false }
            changed.events.append(event)
            tables = changed
            return true
        }
    }
}
