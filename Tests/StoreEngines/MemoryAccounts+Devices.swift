public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts {
    /// Returns whether a device is known. See `AccountStore`.
    public func isKnownDevice(_ secretHash: [UInt8], to username: Username, since time: Date) async throws -> Bool {
        tables.withLock { tables in
            guard let user = tables.users.values.first(where: { $0.account.user.username == username }) else {
                return false
            }
            return user.devices[secretHash].map { $0 > time } ?? false
        }
    }

    /// Records a log-in. See `AccountStore`.
    public func saveDevice(_ secretHash: [UInt8], of user: User.ID, at time: Date, keeping limit: Int) async throws {
        tables.withLock { tables in
            guard var devices = tables.users[user]?.devices else { return }
            devices[secretHash] = max(devices[secretHash] ?? time, time)
            let others = devices.filter { $0.key != secretHash }.sorted { $0.value > $1.value }
            for (other, _) in others.dropFirst(limit - 1) { devices[other] = nil }
            tables.users[user]?.devices = devices
        }
    }

    /// Removes a device. See `AccountStore`.
    public func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        tables.withLock { $0.users[user]?.devices[secretHash] = nil }
    }
}
