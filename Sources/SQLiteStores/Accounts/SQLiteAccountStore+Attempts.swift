package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Returns the facts about a caller. See `AccountStore`.
    package func logInHistory(
        of username: Username, device: [UInt8]?, usedAfter since: Date, counters: [AttemptCounter], at now: Date
    ) async throws -> (isKnownDevice: Bool, counts: [Int]) {
        try database.read { snapshot in
            let isKnown = try device.map { try snapshot.isKnownDevice($0, to: username, since: since) } ?? false
            let failures = try snapshot.failures(of: counters)
            return (isKnown, zip(counters, failures).map { $0.rule.count(of: $1, at: now) })
        }
    }

    /// Checks and counts an attempt. See `AccountStore`.
    package func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) async throws
        -> [AttemptDecision]
    {
        try await database.write { try $0.admitAttempt(groups, at: now, keeping: limit) }
    }

    /// Removes a successful attempt. See `AccountStore`.
    package func recordSuccess(_ counters: [AttemptCounter]) async throws {
        try await update(counters) { $0.rule.succeeding($1) }
    }

    /// Removes an attempt that was not carried out. See `AccountStore`.
    package func withdrawAttempt(_ counters: [AttemptCounter]) async throws {
        try await update(counters) { $0.rule.withdrawing($1) }
    }

    private func update(_ counters: [AttemptCounter], by change: (AttemptCounter, FailureCount) -> FailureCount?)
        async throws
    {
        try await database.write { transaction in
            for (counter, failures) in zip(counters, try transaction.failures(of: counters)) {
                guard let failures else { continue }
                try transaction.set(change(counter, failures), of: counter)
            }
        }
    }
}

extension Queryable {
    /// Returns the stored failures of each counter.
    fileprivate func failures(of counters: [AttemptCounter]) throws -> [FailureCount?] {
        // A login has at most six counters.
        let size = 6
        var known: [[UInt8]: FailureCount] = [:]
        for start in stride(from: 0, to: counters.count, by: size) {
            let keys = counters[start...].prefix(size).map { Value.blob($0.key) }
            let values = keys + Array(repeating: .null, count: size - keys.count)
            try forEach(
                "SELECT key, failures, last_failure_at FROM attempt_counter WHERE key IN (?, ?, ?, ?, ?, ?)", values
            ) { known[try $0.value(0)] = FailureCount(count: try $0.value(1), last: try $0.value(2)) }
        }
        return counters.map { known[$0.key] }
    }
}

extension Transaction {
    /// Checks and counts an attempt. See `AccountStore`.
    func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) throws -> [AttemptDecision] {
        try run("DELETE FROM attempt_counter WHERE expires_at <= ?", [Value(now)])
        var attempts: [AttemptDecision] = []
        for counters in groups {
            let attempt = try admit(counters, at: now)
            attempts.append(attempt)
            guard case .admitted = attempt else { break }
        }
        guard case .admitted = attempts.first else { return attempts }
        try run(
            """
            DELETE FROM attempt_counter
            WHERE key IN (SELECT key FROM attempt_counter ORDER BY expires_at DESC LIMIT -1 OFFSET ?)
            """, [Value(limit)])
        return attempts
    }

    private func admit(_ counters: [AttemptCounter], at now: Date) throws -> AttemptDecision {
        let (decision, changes) = AttemptDecision.decide(counters, after: try failures(of: counters), at: now)
        for change in changes { try set(change.failures, of: change.counter) }
        return decision
    }

    fileprivate func set(_ failures: FailureCount?, of counter: AttemptCounter) throws {
        guard let failures else {
            try run("DELETE FROM attempt_counter WHERE key = ?", [.blob(counter.key)])
            return
        }
        try run(
            """
            INSERT INTO attempt_counter (key, failures, last_failure_at, expires_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (key) DO UPDATE SET failures = ?2, last_failure_at = ?3, expires_at = ?4
            """,
            [
                .blob(counter.key), Value(failures.count), Value(failures.last),
                Value(counter.rule.end(of: failures)),
            ])
    }
}
