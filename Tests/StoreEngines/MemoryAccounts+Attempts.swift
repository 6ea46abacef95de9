public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts {
    /// Admits or refuses an attempt, and counts it. See `AccountStore`.
    public func admitAttempt(_ counters: [AttemptCounter], at now: Date, keeping limit: Int) async throws
        -> LogInAttempt
    {
        tables.withLock { tables in
            tables.attempts = tables.attempts.filter { $0.value.end > now }
            let verdicts = counters.map { $0.rule.judge(tables.attempts[$0.key]?.failures, at: now) }
            let attempt = LogInAttempt(verdicts)
            for (counter, verdict) in zip(counters, verdicts) {
                if case .admitted = attempt, case .admitted(let failures) = verdict {
                    tables.attempts[counter.key] = Attempts(failures, by: counter.rule)
                } else if let failures = tables.attempts[counter.key]?.failures, failures.last > now {
                    // If the clock was set back, the delay counts from now on, or it would never pass.
                    let count = FailureCount(count: failures.count, last: now)
                    tables.attempts[counter.key] = Attempts(count, by: counter.rule)
                }
            }
            let surplus = tables.attempts.sorted { $0.value.end > $1.value.end }.dropFirst(limit)
            for (key, _) in surplus { tables.attempts[key] = nil }
            return attempt
        }
    }

    /// Returns the failures that still count. See `AccountStore`.
    public func attemptCounts(of counters: [AttemptCounter], at now: Date) async throws -> [Int] {
        tables.withLock { tables in
            counters.map { $0.rule.count(of: tables.attempts[$0.key]?.failures, at: now) }
        }
    }

    /// Removes an attempt from the failures. See `AccountStore`.
    public func recordSuccess(_ counters: [AttemptCounter]) async throws {
        update(counters) { $0.rule.succeeding($1) }
    }

    /// Takes an attempt back. See `AccountStore`.
    public func withdrawAttempt(_ counters: [AttemptCounter]) async throws {
        update(counters) { $0.rule.withdrawing($1) }
    }

    private func update(_ counters: [AttemptCounter], by change: (AttemptCounter, FailureCount) -> FailureCount?) {
        tables.withLock { tables in
            for counter in counters {
                guard let failures = tables.attempts[counter.key]?.failures else { continue }
                tables.attempts[counter.key] = change(counter, failures).map { Attempts($0, by: counter.rule) }
            }
        }
    }
}
