public import AuthService
import Foundation
import Synchronization

extension MemoryAccounts {
    /// The second factor of a user. See `AccountStore`.
    public func secondFactor(of user: User.ID) async throws -> StoredSecondFactor? {
        tables.withLock { tables in
            tables.users[user]?.secondFactor.map { row in
                StoredSecondFactor(
                    factor: SecondFactor(since: row.since, recoveryCodes: row.recoveryCodes.count), secret: row.secret,
                    lastStep: row.lastStep)
            }
        }
    }

    /// Stores a second factor. See `AccountStore`.
    public func addSecondFactor(
        _ secret: TOTPSecret, step: Int64, recoveryCodes: [[UInt8]], to user: User, recording event: AuditEvent
    ) async throws -> Bool {
        tables.withLock { tables in
            guard let row = tables.users[user.id], row.secondFactor == nil,
                row.account.user.passwordChangedAt == user.passwordChangedAt, row.account.user.disabledAt == nil
            else { return false }
            tables.users[user.id]?.secondFactor = SecondFactorRow(
                secret: secret, since: event.at, lastStep: step, recoveryCodes: Set(recoveryCodes))
            tables.events.append(event)
            return true
        }
    }

    /// Records that a code was used. See `AccountStore`.
    public func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool {
        tables.withLock { tables in
            guard let row = tables.users[user]?.secondFactor, row.lastStep < step, row.secret.stored == secret.stored
            else { return false }
            tables.users[user]?.secondFactor?.lastStep = step
            return true
        }
    }

    /// Uses up a recovery code. See `AccountStore`.
    public func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool
    {
        tables.withLock { tables in
            guard tables.users[user]?.secondFactor?.recoveryCodes.remove(codeHash) != nil else { return false }
            tables.events.append(event)
            return true
        }
    }

    /// Replaces the recovery codes. See `AccountStore`.
    public func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent)
        async throws -> Bool
    {
        tables.withLock { tables in
            guard tables.users[user]?.secondFactor != nil else { return false }
            tables.users[user]?.secondFactor?.recoveryCodes = Set(codeHashes)
            tables.events.append(event)
            return true
        }
    }

    /// Removes a second factor. See `AccountStore`.
    public func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            guard tables.users[user]?.secondFactor != nil else { return false }
            tables.users[user]?.secondFactor = nil
            tables.events.append(event)
            return true
        }
    }
}
