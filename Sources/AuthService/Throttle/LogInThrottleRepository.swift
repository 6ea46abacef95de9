public import Essentials

/// Where failed attempts are counted.
public protocol LogInThrottleRepository: Sendable {
    /// Judges an attempt by the rules of all `counters` and, when each of them admits it, counts it as a failure in each,
    /// in one transaction, so that of many at once no more are admitted than of as many in turn. When one does not, nothing
    /// is counted.
    ///
    /// Counts that have reached their end are removed, and of more than `limit` those that reach it first.
    ///
    /// - Parameters:
    ///   - counters: what the attempt counts in.
    ///   - now: when the attempt is made.
    ///   - limit: how many counts are kept.
    func admit(_ counters: [AttemptCounter], at now: Date, keeping limit: Int) async throws -> LogInAttempt

    /// The failures of each counter that still count at the time `now`. Nothing is changed.
    func counts(of counters: [AttemptCounter], at now: Date) async throws -> [Int]

    /// Takes an attempt that succeeded out of the failures of `counters`, as their rules say.
    func succeed(_ counters: [AttemptCounter]) async throws

    /// Takes back an attempt that was admitted and then could not be carried out: it was no failure, and the next is
    /// admitted as it was.
    func withdraw(_ counters: [AttemptCounter]) async throws
}

/// What is done with an attempt.
public enum LogInAttempt: Hashable, Sendable {
    /// It is looked at: how many failures each counter has, this attempt taken as one until it succeeds.
    case admitted(failures: [Int])
    /// It is not looked at; the next is in so many seconds.
    case refused(seconds: Int)
    /// It is not looked at, and waiting does not help.
    case blocked

    /// What several rules come to: the strictest counts.
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
