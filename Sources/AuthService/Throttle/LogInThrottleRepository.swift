public import Text

/// A store of counters of failed attempts.
public protocol LogInThrottleRepository: Sendable {
    /// Checks an attempt with the rules of all `counters`. If all of them admit it, it is counted as a failure in each.
    /// This happens in one transaction, so that parallel attempts are admitted no more often than sequential ones. If a
    /// rule refuses it, nothing is counted.
    ///
    /// Expired counters are removed. If there are more than `limit`, those that expire first are removed.
    ///
    /// - Parameters:
    ///   - counters: the counters of the attempt.
    ///   - now: the time of the attempt.
    ///   - limit: the maximum number of stored counters.
    func admit(_ counters: [AttemptCounter], at now: Date, keeping limit: Int) async throws -> LogInAttempt

    /// Returns the number of failures of each counter that still count at the time `now`. Nothing is changed.
    func counts(of counters: [AttemptCounter], at now: Date) async throws -> [Int]

    /// Removes a successful attempt from the failures of `counters`, by their rules.
    func succeed(_ counters: [AttemptCounter]) async throws

    /// Removes an admitted attempt that could not be carried out. It does not count as a failure, and the next attempt
    /// is admitted as if this one had not been made.
    func withdraw(_ counters: [AttemptCounter]) async throws
}

/// The decision about an attempt.
public enum LogInAttempt: Hashable, Sendable {
    /// The attempt is admitted. The values are the failures of each counter; until the attempt succeeds, it counts as
    /// one.
    case admitted(failures: [Int])
    /// The attempt is refused. The next one is accepted after this many seconds.
    case refused(seconds: Int)
    /// The attempt is refused, and waiting does not help.
    case blocked

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
