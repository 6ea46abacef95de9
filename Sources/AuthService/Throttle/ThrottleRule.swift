public import Essentials

/// How failures that are counted together slow down the next, or rule it out. All times are in seconds.
public enum ThrottleRule: Hashable, Sendable {
    /// So many are free; then there is a delay, which doubles with each failure from `first` to `longest`. Failures are
    /// forgotten when `memory` has passed since the last, and at a success.
    case doubling(free: Int, first: Int, longest: Int, memory: Int)
    /// So many in a row and no more, until a success. Forgotten when `memory` has passed since the last.
    case limit(Int, memory: Int)
    /// So many are free, and one more comes free every `interval`. A success is not counted, and clears nothing.
    case rate(free: Int, interval: Int)
    /// Any number. Forgotten when `memory` has passed since the last.
    case tally(memory: Int)

    /// What is done with an attempt.
    public enum Verdict: Hashable, Sendable {
        /// It is looked at, and counts as a failure until it succeeds: the count from now on.
        case admitted(FailureCount)
        /// It is not looked at; the next is in so many seconds.
        case refused(seconds: Int)
        /// It is not looked at, and waiting does not help.
        case blocked
    }

    /// What is done with an attempt at the time `now`, after `failures`.
    ///
    /// A clock that was set back makes nobody wait until it is that late again.
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
            // What has passed of an interval counts for the next.
            let since = count == 0 ? now : last.addingTimeInterval(Double(freed * interval))
            return .admitted(FailureCount(count: count + 1, last: since))
        case .tally:
            return .admitted(FailureCount(count: min(failures.count, Int(Int32.max)) + 1, last: now))
        }
    }

    /// The failures that still count at the time `now`.
    public func count(of failures: FailureCount?, at now: Date) -> Int {
        guard let failures, end(of: failures) > now else { return 0 }
        guard case .rate(_, let interval) = self else { return failures.count }
        let passed = max(0, now.timeIntervalSince(failures.last))
        return failures.count - Int(min(passed / Double(max(1, interval)), Double(failures.count)))
    }

    /// The count after an attempt succeeded that was counted as a failure; nil when nothing is left of it.
    public func succeeding(_ failures: FailureCount) -> FailureCount? {
        if case .rate = self { withdrawing(failures) } else { nil }
    }

    /// The count without the last attempt, which could not be carried out; nil when nothing is left of it. The delay that
    /// went before it is not asked for again.
    public func withdrawing(_ failures: FailureCount) -> FailureCount? {
        guard failures.count > 1 else { return nil }
        let count = failures.count - 1
        return FailureCount(count: count, last: failures.last.addingTimeInterval(-Double(delay(after: count))))
    }

    /// From when on `failures` mean nothing any more.
    public func end(of failures: FailureCount) -> Date {
        switch self {
        case .doubling(_, _, _, let memory), .limit(_, let memory), .tally(let memory):
            failures.last.addingTimeInterval(Double(memory))
        case .rate(_, let interval):
            failures.last.addingTimeInterval(Double(failures.count) * Double(interval))
        }
    }

    /// The delay that follows so many failures; only that which doubles has one.
    func delay(after failures: Int) -> Int {
        guard case .doubling(let free, let first, let longest, _) = self, failures >= free else { return 0 }
        let doublings = failures - free
        // Halving the one instead of doubling the other cannot overflow.
        return longest >> doublings < first ? longest : first << doublings
    }
}
