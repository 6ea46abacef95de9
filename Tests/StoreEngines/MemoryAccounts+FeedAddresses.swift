public import AuthService
public import Foundation
import Synchronization

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
