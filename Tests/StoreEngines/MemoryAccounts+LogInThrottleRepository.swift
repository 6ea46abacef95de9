public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts: LogInThrottleRepository {
    /// Judges and counts an attempt. See `LogInThrottleRepository`.
    public func admit(_ nameHash: [UInt8], at now: Date, policy: ThrottlePolicy) async throws -> LogInAttempt {
        tables.withLock { tables in
            let forgotten = now.addingTimeInterval(-Double(policy.memory))
            tables.failures = tables.failures.filter { $0.value.last > forgotten }
            let failures = tables.failures[nameHash] ?? LogInFailures(count: 0, last: now)
            let attempt = policy.judge(failures, at: now)
            switch attempt {
            case .admitted(let count): tables.failures[nameHash] = LogInFailures(count: count, last: now)
            // When the clock was set back, the wait counts from now on, or it would never pass.
            case .refused: tables.failures[nameHash]?.last = min(failures.last, now)
            }
            return attempt
        }
    }

    /// Takes back an attempt that could not be carried out. See `LogInThrottleRepository`.
    public func withdraw(_ nameHash: [UInt8], policy: ThrottlePolicy) async throws {
        tables.withLock { tables in
            guard let failures = tables.failures[nameHash] else { return }
            let before = policy.withdraw(failures)
            tables.failures[nameHash] = before.count > 0 ? before : nil
        }
    }

    /// Forgets the failures of a name. See `LogInThrottleRepository`.
    public func reset(_ nameHash: [UInt8]) async throws { tables.withLock { $0.failures[nameHash] = nil } }
}
