public import Database
public import Essentials

/// Failed log-ins in the table `login_throttle`.
public struct SQLiteLogInThrottleRepository: LogInThrottleRepository {
    private let database: Database

    /// The failures counted in `database`.
    public init(database: Database) { self.database = database }

    /// Judges and counts an attempt. See `LogInThrottleRepository`.
    public func admit(_ nameHash: [UInt8], at now: Date, policy: ThrottlePolicy) async throws -> LogInAttempt {
        try database.write { transaction in
            try transaction.run(
                "DELETE FROM login_throttle WHERE last_failure_at <= ?",
                [Value(now.addingTimeInterval(-Double(policy.memory)))])
            let failures = try Self.failures(of: nameHash, in: transaction)
            let attempt = policy.judge(failures ?? LogInFailures(count: 0, last: now), at: now)
            switch attempt {
            case .admitted(let count):
                try transaction.run(
                    """
                    INSERT INTO login_throttle (name_hash, failures, last_failure_at) VALUES (?1, ?2, ?3)
                    ON CONFLICT (name_hash) DO UPDATE SET failures = ?2, last_failure_at = ?3
                    """,
                    [.blob(nameHash), Value(count), Value(now)])
            case .refused:
                // When the clock was set back, the wait counts from now on, or it would never pass.
                try transaction.run(
                    "UPDATE login_throttle SET last_failure_at = ?1 WHERE name_hash = ?2 AND last_failure_at > ?1",
                    [Value(now), .blob(nameHash)])
            }
            return attempt
        }
    }

    /// Takes back an attempt that could not be carried out. See `LogInThrottleRepository`.
    public func withdraw(_ nameHash: [UInt8], policy: ThrottlePolicy) async throws {
        try database.write { transaction in
            guard let failures = try Self.failures(of: nameHash, in: transaction) else { return }
            let before = policy.withdraw(failures)
            if before.count == 0 {
                try transaction.run("DELETE FROM login_throttle WHERE name_hash = ?", [.blob(nameHash)])
            } else {
                try transaction.run(
                    "UPDATE login_throttle SET failures = ?, last_failure_at = ? WHERE name_hash = ?",
                    [Value(before.count), Value(before.last), .blob(nameHash)])
            }
        }
    }

    /// Forgets the failures of a name. See `LogInThrottleRepository`.
    public func reset(_ nameHash: [UInt8]) async throws {
        try database.write { transaction in
            try transaction.run("DELETE FROM login_throttle WHERE name_hash = ?", [.blob(nameHash)])
        }
    }

    private static func failures(of nameHash: [UInt8], in transaction: Transaction) throws -> LogInFailures? {
        try transaction.first(
            "SELECT failures, last_failure_at FROM login_throttle WHERE name_hash = ?", [.blob(nameHash)]
        ) { LogInFailures(count: try $0.value(0), last: try $0.value(1)) }
    }
}
