public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts {
    /// Makes an account. See `AccountStore`.
    public func createUser(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        try tables.withLock { tables in
            let policy = tables.registration
            guard policy != .closed else { throw AuthError.registrationClosed }
            if policy == .invitation {
                guard let end = invitation.flatMap({ tables.invitations[$0] }), end > event.at else {
                    throw AuthError.invalidCode
                }
            }
            guard !tables.users.values.contains(where: { $0.account.user.username == username }) else {
                throw AuthError.usernameTaken(username)
            }
            if policy == .invitation, let invitation { tables.invitations[invitation] = nil }
            let role: Role = tables.users.isEmpty ? .operator : .reader
            tables.lastUser += 1
            let user = User(
                id: tables.lastUser, username: username, region: region, createdAt: event.at,
                passwordChangedAt: event.at, role: role)
            tables.users[user.id] = UserRow(account: StoredUser(user: user, passwordHash: passwordHash))
            tables.events.append(event.about(user.id))
            return user
        }
    }

    /// Returns the registration policy. See `AccountStore`.
    public func registrationPolicy() async throws -> RegistrationPolicy {
        tables.withLock { $0.registration }
    }

    /// Sets who may make an account. See `AccountStore`.
    public func setRegistrationPolicy(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            tables.registration = policy
            tables.events.append(event)
        }
    }

    /// Stores an invitation. See `AccountStore`.
    public func addInvitation(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            tables.invitations = tables.invitations.filter { $0.value > event.at }
            tables.invitations[codeHash] = end
            tables.events.append(event)
        }
    }

    /// All users. See `AccountStore`.
    public func users() async throws -> [User] {
        tables.withLock { $0.users.values.map(\.account.user) }.sorted { $0.username.text < $1.username.text }
    }

    /// The account with a name. See `AccountStore`.
    public func account(named username: Username) async throws -> StoredUser? {
        tables.withLock { $0.users.values.first { $0.account.user.username == username }?.account }
    }

    /// Replaces a hash by another of the same password. See `AccountStore`.
    public func rehash(_ account: StoredUser, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            guard let known = tables.users[account.user.id]?.account, known.passwordHash == account.passwordHash else {
                return
            }
            tables.users[known.user.id]?.account = StoredUser(user: known.user, passwordHash: passwordHash)
            tables.events.append(event)
        }
    }

    /// Gives a user a new password and one new session. See `AccountStore`.
    public func changePassword(
        of user: User, to passwordHash: PasswordHash, opening stored: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try tables.withLock { tables in
            guard let known = tables.users[user.id]?.account.user, known.passwordChangedAt == user.passwordChangedAt
            else { return false }
            // Work on a copy, because the following code may throw.
            var changed = tables
            let next = User(
                id: known.id, username: known.username, region: known.region, createdAt: known.createdAt,
                passwordChangedAt: stored.session.user.passwordChangedAt, role: known.role,
                disabledAt: known.disabledAt)
            changed.users[user.id]?.account = StoredUser(user: next, passwordHash: passwordHash)
            _ = changed.endAll(of: user.id)
            changed.apiTokens = changed.apiTokens.filter { $0.value.user != user.id }
            changed.users[user.id]?.feedAddress = nil
            changed.resets = changed.resets.filter { $0.value.user != user.id }
            guard try changed.open(stored) else { return false }
            changed.events.append(event)
            tables = changed
            return true
        }
    }

    /// Changes a user. See `AccountStore`.
    public func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        try tables.withLock { tables in
            var changed = tables
            for (change, event) in changes {
                guard let account = changed.users[user]?.account else { return false }
                switch change {
                case .username(let name)
                where changed.users.values.contains {
                    $0.account.user.username == name && $0.account.user.id != user
                }:
                    throw AuthError.usernameTaken(name)
                case .deletion:
                    changed.users[user] = nil
                    changed.resets = changed.resets.filter { $0.value.user != user }
                    changed.apiTokens = changed.apiTokens.filter { $0.value.user != user }
                    _ = changed.endAll(of: user)
                default:
                    if case .disabled(.some) = change { _ = changed.endAll(of: user) }
                    changed.users[user]?.account = StoredUser(
                        user: account.user.after(change), passwordHash: account.passwordHash)
                }
                changed.events.append(event)
            }
            guard changed.isOperated else { throw AuthError.lastOperator }
            tables = changed
            return true
        }
    }

    /// Stores a code. See `AccountStore`.
    public func addResetCode(
        _ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent
    ) async throws -> Bool {
        tables.withLock { tables in
            tables.resets = tables.resets.filter { $0.value.end > event.at }
            guard tables.users[user] != nil else { return false }
            tables.resets = tables.resets.filter { $0.value.user != user }
            tables.resets[codeHash] = (user, end)
            tables.events.append(event)
            return true
        }
    }

    /// Returns the user of a code. See `AccountStore`.
    public func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        tables.withLock { tables in
            guard let reset = tables.resets[codeHash], reset.end > time else { return nil }
            return tables.users[reset.user]?.account.user
        }
    }

    /// Sets a new password with a code. See `AccountStore`.
    public func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        tables.withLock { tables in
            guard let reset = tables.resets[codeHash], reset.user == user.id, reset.end > event.at,
                let old = tables.users[user.id]?.account.user
            else { return false }
            let next = User(
                id: old.id, username: old.username, region: old.region, createdAt: old.createdAt,
                passwordChangedAt: max(event.at, old.passwordChangedAt + 1), role: old.role, disabledAt: old.disabledAt)
            tables.resets[codeHash] = nil
            tables.users[user.id]?.account = StoredUser(user: next, passwordHash: passwordHash)
            _ = tables.endAll(of: user.id)
            tables.apiTokens = tables.apiTokens.filter { $0.value.user != user.id }
            tables.users[user.id]?.feedAddress = nil
            tables.events.append(event)
            return true
        }
    }
}

extension User {
    fileprivate func after(_ change: UserChange) -> User {
        var (username, region, role, disabledAt) = (username, region, role, disabledAt)
        switch change {
        case .role(let new): role = new
        case .disabled(let since): disabledAt = since
        case .username(let new): username = new
        case .region(let new): region = new
        case .deletion: break
        }
        return User(
            id: id, username: username, region: region, createdAt: createdAt, passwordChangedAt: passwordChangedAt,
            role: role, disabledAt: disabledAt)
    }
}
