public import AuthService
public import Foundation
internal import Synchronization

extension MemoryAccounts {
    /// Stores a new token. See `AccountStore`.
    public func createToken(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool {
        try tables.withLock { tables in
            let own = tables.apiTokens.values.filter { $0.user == stored.user.id }
            guard own.count < limit else { throw AuthError.tooManyTokens(limit) }
            guard let user = tables.users[stored.user.id]?.account.user,
                user.passwordChangedAt == stored.user.passwordChangedAt, user.disabledAt == nil
            else { return false }
            guard !own.contains(where: { $0.token.name == stored.token.name }) else {
                throw AuthError.tokenNameTaken(stored.token.name)
            }
            tables.apiTokens[stored.token.id] = TokenRow(
                token: stored.token, user: user.id, secretHash: stored.secretHash)
            tables.events.append(event)
            return true
        }
    }

    /// The token with an id. See `AccountStore`.
    public func token(_ id: Session.ID) async throws -> StoredAPIToken? {
        tables.withLock { tables in
            guard let row = tables.apiTokens[id], let user = tables.users[row.user]?.account.user else { return nil }
            return StoredAPIToken(token: row.token, user: user, secretHash: row.secretHash)
        }
    }

    /// The tokens of a user. See `AccountStore`.
    public func tokens(of user: User.ID) async throws -> [APIToken] {
        tables.withLock { $0.apiTokens.values.filter { $0.user == user }.map(\.token) }.sorted { $0.name < $1.name }
    }

    /// Records a use. See `AccountStore`.
    public func touchToken(_ id: Session.ID, at time: Date) async throws {
        tables.withLock { tables in
            guard let old = tables.apiTokens[id]?.token, old.lastUsedAt ?? .distantPast < time else { return }
            tables.apiTokens[id]?.token = APIToken(
                id: id, name: old.name, scope: old.scope, createdAt: old.createdAt, expiresAt: old.expiresAt,
                lastUsedAt: time)
        }
    }

    /// Removes a token of a user. See `AccountStore`.
    public func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            guard tables.apiTokens[id]?.user == user else { return false }
            tables.apiTokens[id] = nil
            tables.events.append(event)
            return true
        }
    }
}

extension MemoryAccounts {
    /// Stores a secret. See `AccountStore`.
    public func saveFeedSecret(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            guard tables.users[user] != nil else { return }
            tables.users[user]?.feedAddress = (secretHash, event.at)
            tables.events.append(event)
        }
    }

    /// Removes a secret. See `AccountStore`.
    public func removeFeedSecret(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            guard tables.users[user]?.feedAddress != nil else { return false }
            tables.users[user]?.feedAddress = nil
            tables.events.append(event)
            return true
        }
    }

    /// Returns since when a user has the secret. See `AccountStore`.
    public func feedSecretDate(of user: User.ID) async throws -> Date? {
        tables.withLock { $0.users[user]?.feedAddress?.since }
    }

    /// The user with a secret. See `AccountStore`.
    public func user(withFeedSecret secretHash: [UInt8]) async throws -> User? {
        tables.withLock { tables in
            tables.users.values.first { $0.feedAddress?.secretHash == secretHash }?.account.user
        }
    }
}
