package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Returns the facts about a caller. See `AccountStore`.
    package func logInHistory(
        of username: Username, device: [UInt8]?, usedAfter since: Date, counters: [AttemptCounter], at now: Date
    ) async throws -> (isKnownDevice: Bool, counts: [Int]) {
        let rows = try await server.read([
            Statement(
                """
                SELECT EXISTS (
                    SELECT FROM device JOIN account ON account.id = device.user_id
                    WHERE username = $1 AND secret_hash = $2 AND last_used_at > $3)
                """,
                [.text(username.text), .bytes(device ?? []), Value(since)]),
            Statement(
                "SELECT key, failures, last_failure_at FROM attempt_counter WHERE key = ANY ($1)",
                [.byteStrings(counters.map(\.key))]),
        ])
        return try translating {
            var known: [[UInt8]: FailureCount] = [:]
            for row in rows[1] {
                known[try row.value(0)] = FailureCount(count: try row.value(1), last: try row.value(2))
            }
            let isKnown: Bool? = try rows[0].first?.value(0)
            return (isKnown ?? false, counters.map { $0.rule.count(of: known[$0.key], at: now) })
        }
    }

    /// Checks and counts an attempt. See `AccountStore`.
    ///
    /// The decision is one statement. If its outcome is unknown, it is not sent again: the attempt would count twice.
    package func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) async throws
        -> [AttemptDecision]
    {
        let rows = try await server.write([.admittingAttempt(groups, at: now, keeping: limit)])[0]
        var verdicts: [Int: [ThrottleRule.Verdict]] = [:]
        try translating {
            for row in rows {
                verdicts[try row.value(0), default: []].append(
                    try ThrottleRule.Verdict(row.value(1), amount: row.value(2), at: now))
            }
        }
        var attempts: [AttemptDecision] = []
        for number in 1...max(1, groups.count) where number <= groups.count {
            let attempt = AttemptDecision(verdicts[number] ?? [])
            attempts.append(attempt)
            guard case .admitted = attempt else { break }
        }
        return attempts
    }

    /// Removes a successful attempt. See `AccountStore`.
    package func recordSuccess(_ counters: [AttemptCounter]) async throws {
        try await remove(counters, hasSucceeded: true)
    }

    /// Removes an attempt that was not carried out. See `AccountStore`.
    package func withdrawAttempt(_ counters: [AttemptCounter]) async throws {
        try await remove(counters, hasSucceeded: false)
    }

    private func remove(_ counters: [AttemptCounter], hasSucceeded: Bool) async throws {
        let columns = CounterColumns(counters)
        try await server.write([
            Statement(
                "SELECT remove_attempt($1, $2, $3, $4, $5, $6, $7)",
                [.byteStrings(columns.keys)] + columns.rules + [.bool(hasSucceeded)])
        ])
    }
}

extension Statement {
    /// The decision about an attempt. The result has the number of the group, the verdict, and the new number of failures
    /// or the seconds to wait.
    static func admittingAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) -> Statement {
        let columns = CounterColumns(groups.flatMap(\.self))
        let numbers = groups.enumerated().flatMap { number, group in group.map { _ in Int64(number + 1) } }
        return Statement(
            """
            SELECT group_number, verdict, amount FROM admit_attempt($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [.byteStrings(columns.keys), .integers(numbers)] + columns.rules + [Value(now), Value(limit)])
    }
}

/// The parameters of counters, an array for each property.
private struct CounterColumns {
    let keys: [[UInt8]]
    /// The names of the rules, their free attempts, first delays or intervals, longest delays, and memories.
    let rules: [Value]

    init(_ counters: [AttemptCounter]) {
        keys = counters.map(\.key)
        let rules = counters.map { Parameters($0.rule) }
        self.rules = [
            .texts(rules.map(\.name)), .integers(rules.map(\.free)), .integers(rules.map(\.step)),
            .integers(rules.map(\.longest)), .integers(rules.map(\.memory)),
        ]
    }

    private struct Parameters {
        let name: String
        let free: Int64
        let step: Int64
        let longest: Int64
        let memory: Int64

        /// Limits the values to 68 years, so that sums and products of them fit into 64 bits.
        init(_ rule: ThrottleRule) {
            func limited(_ value: Int) -> Int64 { Int64(Int32(clamping: value)) }
            switch rule {
            case .doubling(let free, let first, let longest, let memory):
                (name, self.free, step) = ("doubling", limited(free), limited(first))
                (self.longest, self.memory) = (limited(longest), limited(memory))
            case .limit(let limit, let memory):
                (name, free, step, longest, self.memory) = ("limit", limited(limit), 0, 0, limited(memory))
            case .rate(let free, let interval):
                (name, self.free, step, longest, memory) = ("rate", limited(free), limited(interval), 0, 0)
            case .tally(let memory):
                (name, free, step, longest, self.memory) = ("tally", 0, 0, 0, limited(memory))
            }
        }
    }
}

extension ThrottleRule.Verdict {
    /// Creates the verdict from its name in the schema.
    fileprivate init(_ name: String, amount: Int, at now: Date) throws {
        switch name {
        case "admitted": self = .admitted(FailureCount(count: amount, last: now))
        case "refused": self = .refused(seconds: amount)
        case "blocked": self = .blocked
        default: throw PostgreSQLError.unexpectedValue(column: 1, expected: "a verdict")
        }
    }
}
