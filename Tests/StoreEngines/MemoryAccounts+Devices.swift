public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts {
    /// Records a login. See `AccountStore`.
    public func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices limit: Int,
        counters: Int
    ) async throws {
        tables.withLock { tables in
            _ = tables.admitAttempt([[place]], at: time, keeping: counters)
            guard var devices = tables.users[user]?.devices else { return }
            devices[device] = max(devices[device] ?? time, time)
            let others = devices.filter { $0.key != device }.sorted { $0.value > $1.value }
            for (other, _) in others.dropFirst(limit - 1) { devices[other] = nil }
            tables.users[user]?.devices = devices
        }
    }

    /// Removes a device. See `AccountStore`.
    public func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        tables.withLock { $0.users[user]?.devices[secretHash] = nil }
    }
}
