package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Checks and counts an attempt. See `AccountStore`.
    package func admitAttempt(_ counters: [AttemptCounter], at now: Date, keeping limit: Int) async throws
        -> LogInAttempt
    {
        try await database.write { transaction in
            try transaction.run("DELETE FROM attempt_counter WHERE expires_at <= ?", [Value(now)])
            let known = try counters.map { try transaction.failures(of: $0) }
            let verdicts = zip(counters, known).map { $0.rule.judge($1, at: now) }
            let attempt = LogInAttempt(verdicts)
            guard case .admitted = attempt else {
                for (counter, failures) in zip(counters, known) {
                    // If the clock was set back, start the wait at the new time; otherwise it would last too long.
                    guard let failures, failures.last > now else { continue }
                    try transaction.set(FailureCount(count: failures.count, last: now), of: counter)
                }
                return attempt
            }
            for (counter, verdict) in zip(counters, verdicts) {
                guard case .admitted(let failures) = verdict else { continue }
                try transaction.set(failures, of: counter)
            }
            try transaction.run(
                """
                DELETE FROM attempt_counter
                WHERE key IN (SELECT key FROM attempt_counter ORDER BY expires_at DESC LIMIT -1 OFFSET ?)
                """, [Value(limit)])
            return attempt
        }
    }

    /// Returns the failures that still count. See `AccountStore`.
    package func attemptCounts(of counters: [AttemptCounter], at now: Date) async throws -> [Int] {
        try database.read { snapshot in
            try counters.map { $0.rule.count(of: try snapshot.failures(of: $0), at: now) }
        }
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
            for counter in counters {
                guard let failures = try transaction.failures(of: counter) else { continue }
                try transaction.set(change(counter, failures), of: counter)
            }
        }
    }
}

extension Queryable {
    fileprivate func failures(of counter: AttemptCounter) throws -> FailureCount? {
        try first("SELECT failures, last_failure_at FROM attempt_counter WHERE key = ?", [.blob(counter.key)]) {
            FailureCount(count: try $0.value(0), last: try $0.value(1))
        }
    }
}

extension Transaction {
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
