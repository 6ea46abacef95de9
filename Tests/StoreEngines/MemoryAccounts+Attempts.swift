public import AuthService
public import Foundation
import Synchronization

extension MemoryAccounts {
    /// Returns the facts about a caller. See `AccountStore`.
    public func logInHistory(
        of username: Username, device: [UInt8]?, usedAfter since: Date, counters: [AttemptCounter], at now: Date
    ) async throws -> (isKnownDevice: Bool, counts: [Int]) {
        tables.withLock { tables in
            let user = tables.users.values.first { $0.account.user.username == username }
            let isKnown = device.flatMap { user?.devices[$0] }.map { $0 > since } ?? false
            return (isKnown, counters.map { $0.rule.count(of: tables.attempts[$0.key]?.failures, at: now) })
        }
    }

    /// Admits or refuses an attempt, and counts it. See `AccountStore`.
    public func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) async throws
        -> [AttemptDecision]
    {
        tables.withLock { $0.admitAttempt(groups, at: now, keeping: limit) }
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

extension MemoryAccounts.Tables {
    mutating func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) -> [AttemptDecision] {
        attempts = attempts.filter { $0.value.end > now }
        var decisions: [AttemptDecision] = []
        for counters in groups {
            let decision = admit(counters, at: now)
            decisions.append(decision)
            guard case .admitted = decision else { break }
        }
        guard case .admitted = decisions.first else { return decisions }
        for (key, _) in attempts.sorted(by: { $0.value.end > $1.value.end }).dropFirst(limit) { attempts[key] = nil }
        return decisions
    }

    private mutating func admit(_ counters: [AttemptCounter], at now: Date) -> AttemptDecision {
        let known = counters.map { attempts[$0.key]?.failures }
        let (decision, changes) = AttemptDecision.decide(counters, after: known, at: now)
        for (counter, failures) in changes {
            attempts[counter.key] = MemoryAccounts.Attempts(failures, by: counter.rule)
        }
        return decision
    }
}
