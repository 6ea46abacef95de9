public import Text

/// A rule by which failures delay or prevent further attempts. All times are in seconds.
public enum ThrottleRule: Hashable, Sendable {
    /// The first `free` attempts are not delayed. After `free` failures the delay is `first`, and it doubles with each
    /// further failure, up to `longest`. Failures are forgotten after a success, and when `memory` has passed since the
    /// last.
    case doubling(free: Int, first: Int, longest: Int, memory: Int)
    /// The maximum number of failures in a row. They are forgotten after a success, and when `memory` has passed since
    /// the last.
    case limit(Int, memory: Int)
    /// The first `free` attempts are admitted, and then one per `interval`. A success takes back its own attempt,
    /// but does not reset the count.
    case rate(free: Int, interval: Int)
    /// Any number of attempts, which are only counted. They are forgotten when `memory` has passed since the last.
    case tally(memory: Int)

    /// The decision about an attempt.
    public enum Verdict: Hashable, Sendable {
        /// The attempt is admitted, and counts as a failure until it succeeds. The value is the new count.
        case admitted(FailureCount)
        /// The attempt is refused. The next one is accepted after this many seconds.
        case refused(seconds: Int)
        /// The attempt is refused, and waiting does not help.
        case blocked
    }

    /// Decides about an attempt at the time `now`, after `failures`.
    ///
    /// If the clock was set back, the wait starts at the new time.
    public func judge(_ failures: FailureCount?, at now: Date) -> Verdict {
        guard let failures else { return .admitted(FailureCount(count: 1, last: now)) }
        let last = min(failures.last, now)
        switch self {
        case .doubling:
            let wait = last.addingTimeInterval(Double(delay(after: failures.count))).timeIntervalSince(now)
            return wait > 0
                ? .refused(seconds: Int(wait.rounded(.up)))
                : .admitted(FailureCount(count: failures.count + 1, last: now))
        case .limit(let limit, _):
            return failures.count < limit ? .admitted(FailureCount(count: failures.count + 1, last: now)) : .blocked
        case .rate(let free, let interval):
            let passed = now.timeIntervalSince(last)
            let interval = max(1, interval)
            let freed = Int(min(passed / Double(interval), Double(failures.count)))
            let count = failures.count - freed
            guard count < free else {
                return .refused(seconds: Int((Double(interval) - passed).rounded(.up)))
            }
            // The elapsed part of an interval counts towards the next attempt.
            let since = count == 0 ? now : last.addingTimeInterval(Double(freed * interval))
            return .admitted(FailureCount(count: count + 1, last: since))
        case .tally:
            return .admitted(FailureCount(count: min(failures.count, Int(Int32.max)) + 1, last: now))
        }
    }

    /// Returns the number of failures that still count at the time `now`.
    public func count(of failures: FailureCount?, at now: Date) -> Int {
        guard let failures, end(of: failures) > now else { return 0 }
        guard case .rate(_, let interval) = self else { return failures.count }
        let passed = max(0, now.timeIntervalSince(failures.last))
        return failures.count - Int(min(passed / Double(max(1, interval)), Double(failures.count)))
    }

    /// Returns the count after a counted attempt succeeded; nil if the counter can be removed.
    public func succeeding(_ failures: FailureCount) -> FailureCount? {
        if case .rate = self { withdrawing(failures) } else { nil }
    }

    /// Returns the count without the last attempt, which could not be carried out; nil if the counter can be removed.
    /// The delay before that attempt is not required again.
    public func withdrawing(_ failures: FailureCount) -> FailureCount? {
        guard failures.count > 1 else { return nil }
        let count = failures.count - 1
        return FailureCount(count: count, last: failures.last.addingTimeInterval(-Double(delay(after: count))))
    }

    /// Returns the time from which `failures` no longer count.
    public func end(of failures: FailureCount) -> Date {
        switch self {
        case .doubling(_, _, _, let memory), .limit(_, let memory), .tally(let memory):
            failures.last.addingTimeInterval(Double(memory))
        case .rate(_, let interval):
            failures.last.addingTimeInterval(Double(failures.count) * Double(interval))
        }
    }

    /// Returns the delay after a number of failures, by the doubling rule; 0 for the others.
    func delay(after failures: Int) -> Int {
        guard case .doubling(let free, let first, let longest, _) = self, failures >= free else { return 0 }
        let doublings = failures - free
        // Shift `longest` right for the comparison, because shifting `first` left could overflow.
        return longest >> doublings < first ? longest : first << doublings
    }
}

/// The decision about an attempt.
public enum AttemptDecision: Hashable, Sendable {
    /// The attempt is admitted. The values are the failures of each counter; until the attempt succeeds, it counts as
    /// one.
    case admitted(failures: [Int])
    /// The attempt is refused. The next one is accepted after this many seconds.
    case refused(seconds: Int)
    /// The attempt is refused, and waiting does not help.
    case blocked

    /// Decides about an attempt that several counters count.
    ///
    /// - Parameters:
    ///   - counters: the counters.
    ///   - failures: their failures until now; nil for a counter without failures.
    /// - Returns: the decision, and the new value of each counter that changes.
    package static func decide(
        _ counters: [AttemptCounter], after failures: [FailureCount?], at now: Date
    ) -> (decision: AttemptDecision, changes: [(counter: AttemptCounter, failures: FailureCount)]) {
        let verdicts = zip(counters, failures).map { $0.rule.judge($1, at: now) }
        let decision = AttemptDecision(verdicts)
        guard case .admitted = decision else {
            let changes = zip(counters, failures).compactMap { counter, failures in
                // If the clock was set back, start the wait at the new time; otherwise it would last too long.
                failures.flatMap { $0.last > now ? (counter, FailureCount(count: $0.count, last: now)) : nil }
            }
            return (decision, changes)
        }
        let changes = zip(counters, verdicts).compactMap { counter, verdict in
            if case .admitted(let failures) = verdict { (counter, failures) } else { nil }
        }
        return (decision, changes)
    }

    /// Combines the decisions of several rules: the strictest counts.
    public init(_ verdicts: [ThrottleRule.Verdict]) {
        var failures: [Int] = []
        var wait = 0
        for verdict in verdicts {
            switch verdict {
            case .admitted(let count): failures.append(count.count)
            case .refused(let seconds): wait = max(wait, seconds)
            case .blocked:
                self = .blocked
                return
            }
        }
        self = wait > 0 ? .refused(seconds: wait) : .admitted(failures: failures)
    }
}

/// The state of a counter of failed attempts.
public struct FailureCount: Hashable, Sendable {
    /// The number of failures.
    public var count: Int
    /// The time of the last failure. For a rate, it is the time since which the count is valid.
    public var last: Date

    /// Creates a count.
    public init(count: Int, last: Date) {
        self.count = count
        self.last = last
    }
}
