public import Essentials

/// How failed log-ins slow down the next. All times are in seconds.
public struct ThrottlePolicy: Hashable, Sendable {
    /// How many may fail without any delay.
    public let freeAttempts: Int
    /// The delay after the last free one; it doubles with every further one.
    public let firstDelay: Int
    /// The delay does not grow beyond this, so that nobody can be locked out of an account for long.
    public let longestDelay: Int
    /// Failures are forgotten when so much time passed since the last.
    public let memory: Int
    /// For how long an attempt is held back at most before it is refused. An attempt counts as failed while its password is
    /// looked at, so that of many guesses at once no more are admitted than in turn; with some patience, right passwords
    /// at once wait for each other instead of being refused.
    public let patience: Int

    /// A policy: five free, then from 1 s to 15 minutes, forgotten after a day, refused at once, unless told otherwise.
    public init(
        freeAttempts: Int = 5, firstDelay: Int = 1, longestDelay: Int = 900, memory: Int = 86_400, patience: Int = 0
    ) {
        self.freeAttempts = freeAttempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.memory = memory
        self.patience = patience
    }

    /// The delay that follows so many failures.
    public func delay(after failures: Int) -> Int {
        guard failures >= freeAttempts else { return 0 }
        let doublings = failures - freeAttempts
        // Halving the one instead of doubling the other cannot overflow.
        return longestDelay >> doublings < firstDelay ? longestDelay : firstDelay << doublings
    }

    /// What is done with an attempt at the time `now`, after `failures`.
    public func judge(_ failures: LogInFailures, at now: Date) -> LogInAttempt {
        let delay = delay(after: failures.count)
        // A clock that was set back must not lock anyone out until it is that late again.
        let last = min(failures.last, now)
        let wait = last.addingTimeInterval(Double(delay)).timeIntervalSince(now)
        return wait > 0 ? .refused(seconds: Int(wait.rounded(.up))) : .admitted(failures: failures.count + 1)
    }

    /// What `failures` are without the last, which was none. The wait that went before it is not asked for again.
    public func withdraw(_ failures: LogInFailures) -> LogInFailures {
        let count = max(0, failures.count - 1)
        return LogInFailures(count: count, last: failures.last.addingTimeInterval(-Double(delay(after: count))))
    }
}

/// The log-ins to one name that failed since one succeeded.
public struct LogInFailures: Hashable, Sendable {
    /// How many.
    public var count: Int
    /// When the last was.
    public var last: Date

    /// So many failures.
    public init(count: Int, last: Date) {
        self.count = count
        self.last = last
    }
}

/// What is done with an attempt to log in.
public enum LogInAttempt: Hashable, Sendable {
    /// The password is looked at. `failures` counts this attempt as one until it succeeds.
    case admitted(failures: Int)
    /// The password is not looked at; the next is in so many seconds.
    case refused(seconds: Int)
}
