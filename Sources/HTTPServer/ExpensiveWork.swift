internal import Platform
import Synchronization
import Text

/// A thread pool for expensive requests, such as searches, so that other requests do not wait for them.
///
/// Each user has a queue, and the threads serve the queues in turn. Both the length of a queue and the time of a user
/// are limited: a user who uses more than their share of a thread's time is refused until enough time has passed.
package final class ExpensiveWork: Sendable {
    /// The limits of accepted work.
    package struct Limits: Sendable {
        /// The number of threads.
        package var threads = 2
        /// The maximum number of waiting and running requests of one user. Status 429.
        package var requestsPerUser = 64
        /// The maximum number of waiting and running requests of all users. Status 503.
        package var requests = 256
        /// The maximum number of bytes that waiting and running requests of one user hold. Status 429.
        package var heldBytesPerUser = 32 << 20
        /// The maximum number of bytes that waiting and running requests of all users hold. Status 503.
        package var heldBytes = 64 << 20
        /// The thread time that a user may use at once, before only `share` is available. Status 429.
        package var budget = Duration.seconds(60)
        /// The part of a thread's time that a user may use continuously.
        package var share = 0.5

        /// Creates limits for a public server.
        package init() {}
    }

    private struct Job {
        let job: UnownedJob
        let executor: UserExecutor
        /// Whether the job is the first one of its request.
        let begins: Bool
    }

    private struct Account {
        /// The waiting jobs, oldest first.
        var jobs: [Job] = []
        /// The number of waiting and running requests.
        var requests = 0
        /// The number of bytes that these requests hold.
        var heldBytes = 0
        /// The used time, minus the time that was restored up to `updated`.
        var spent = Duration.zero
        var updated: Duration
    }

    private struct State {
        var accounts: [String: Account] = [:]
        /// The users with waiting jobs, in the order in which they are served.
        var turns: [String] = []
        var threads = 0
        var requests = 0
        var heldBytes = 0
    }

    /// Requests and responses with larger bodies count as expensive.
    package static let largeBody = 64 << 10

    private let limits: Limits
    private let clock: @Sendable () -> Duration
    private let state = Mutex(State())
    /// The number of accounts above which idle accounts are removed.
    private static let accountsKept = 1_000

    /// - Parameter limits: the limits of accepted work.
    package convenience init(limits: Limits = Limits()) {
        self.init(limits: limits, clock: { .nanoseconds(Int64(clamping: monotonicNow())) })
    }

    /// - Parameter clock: a monotonic clock.
    package init(limits: Limits, clock: @escaping @Sendable () -> Duration) {
        self.limits = limits
        self.clock = clock
    }

    /// Performs a request of a user on the threads of this object.
    ///
    /// - Parameters:
    ///   - user: the user whom the time is charged to.
    ///   - bytes: the size of a large text that the request holds while it waits.
    ///   - body: the work.
    /// - Throws: ``ExpensiveWorkRefusal`` if too many requests wait, they hold too much memory, or the user has used too
    ///   much time; the errors of `body`.
    @concurrent
    package func run<Value: Sendable>(
        for user: String, holding bytes: Int = 0, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try admit(user, holding: bytes)
        defer { leave(user, holding: bytes) }
        return try await perform(on: UserExecutor(work: self, user: user, hasBegun: false), body)
    }

    /// Performs a part of an accepted request, such as producing a piece of its response. It counts towards the time of
    /// the user, is never refused, and goes before requests of the user that have not begun.
    @concurrent
    package func runAdmitted<Value: Sendable>(
        for user: String, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        try await perform(on: UserExecutor(work: self, user: user, hasBegun: true), body)
    }

    private func perform<Value: Sendable>(
        on executor: UserExecutor, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        return try await withTaskExecutorPreference(executor) {
            // If a closure begins with a call of a nonisolated function, the compiler omits the change of threads. This
            // call prevents that.
            executor.begin()
            return try await body()
        }
    }

    private func admit(_ user: String, holding bytes: Int) throws(ExpensiveWorkRefusal) {
        let now = clock()
        try state.withLock { state throws(ExpensiveWorkRefusal) in
            guard state.requests < limits.requests else { throw .busy }
            if state.accounts.count > Self.accountsKept { forgetIdle(in: &state, at: now) }
            var account = account(of: user, in: state, at: now)
            guard account.requests < limits.requestsPerUser else { throw .tooManyRequests(limits.requestsPerUser) }
            let excess = account.spent - limits.budget
            guard excess < .zero else {
                throw .overBudget(retryAfter: Int((excess / .seconds(1) / limits.share).rounded(.down)) + 1)
            }
            if bytes > 0 {
                guard account.heldBytes == 0 || account.heldBytes + bytes <= limits.heldBytesPerUser else {
                    throw .tooManyTexts
                }
                guard state.heldBytes == 0 || state.heldBytes + bytes <= limits.heldBytes else { throw .busy }
            }
            account.requests += 1
            account.heldBytes += bytes
            state.requests += 1
            state.heldBytes += bytes
            state.accounts[user] = account
        }
    }

    private func leave(_ user: String, holding bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.heldBytes -= bytes
            state.accounts[user]?.requests -= 1
            state.accounts[user]?.heldBytes -= bytes
        }
    }

    /// Returns the account of a user, with the time restored since its last change.
    private func account(of user: String, in state: State, at now: Duration) -> Account {
        guard var account = state.accounts[user] else { return Account(updated: now) }
        account.spent = max(.zero, account.spent - (now - account.updated) * limits.share)
        account.updated = now
        return account
    }

    private func forgetIdle(in state: inout State, at now: Duration) {
        for (user, account) in state.accounts where account.requests == 0 && account.jobs.isEmpty {
            if self.account(of: user, in: state, at: now).spent == .zero { state.accounts[user] = nil }
        }
    }

    // MARK: - Threads

    fileprivate func enqueue(_ job: UnownedJob, on executor: UserExecutor) {
        let now = clock()
        let startsThread = state.withLock { state in
            var account = account(of: executor.user, in: state, at: now)
            if account.jobs.isEmpty { state.turns.append(executor.user) }
            // Finish the requests that have begun, in turn, before the next one begins: their results take memory until their
            // responses are sent.
            let begins = executor.begins()
            let place = begins ? nil : account.jobs.firstIndex(where: \.begins)
            account.jobs.insert(
                Job(job: job, executor: executor, begins: begins), at: place ?? account.jobs.endIndex)
            state.accounts[executor.user] = account
            guard state.threads < max(1, limits.threads) else { return false }
            state.threads += 1
            return true
        }
        guard startsThread else { return }
        // A thread ends when no jobs wait: starting one is cheap compared with such work.
        do { try startThread { self.work() } } catch { Task.detached { self.work() } }
    }

    /// Performs the waiting jobs, one job of each user in turn, until there are none.
    private func work() {
        while let (user, job) = next() {
            let start = clock()
            job.job.runSynchronously(on: job.executor.asUnownedTaskExecutor())
            let end = clock()
            state.withLock { state in
                var account = account(of: user, in: state, at: end)
                account.spent += end - start
                state.accounts[user] = account
            }
        }
    }

    /// - Returns: nil if no job waits. Then the thread is no longer counted.
    private func next() -> (user: String, job: Job)? {
        state.withLock { state in
            guard let user = state.turns.first, var account = state.accounts[user], let job = account.jobs.first else {
                state.threads -= 1
                return nil
            }
            state.turns.removeFirst()
            account.jobs.removeFirst()
            if !account.jobs.isEmpty { state.turns.append(user) }
            state.accounts[user] = account
            return (user, job)
        }
    }
}

/// The reason why work was refused.
package struct ExpensiveWorkRefusal: Error, Hashable, CustomStringConvertible {
    /// 429 if the user is over a limit, 503 if all users together are.
    package let status: HTTPStatus
    /// The time in seconds after which the client may try again.
    package let retryAfter: Int
    /// The reason in words for the user.
    package let description: String

    /// The header fields for the response.
    package var fields: HTTPFields { [.retryAfter: HTTPFieldValue(retryAfter)] }

    fileprivate static let busy = ExpensiveWorkRefusal(
        status: .serviceUnavailable, retryAfter: 2,
        description: "the server is busy with searches and long lists; try again in 2 seconds")

    fileprivate static func tooManyRequests(_ count: Int) -> ExpensiveWorkRefusal {
        ExpensiveWorkRefusal(
            status: .tooManyRequests, retryAfter: 1,
            description: "\(count) of your searches and long lists are already waiting; try again in a second")
    }

    fileprivate static let tooManyTexts = ExpensiveWorkRefusal(
        status: .tooManyRequests, retryAfter: 1,
        description: "too many of your long articles are already waiting; try again in a second")

    fileprivate static func overBudget(retryAfter: Int) -> ExpensiveWorkRefusal {
        ExpensiveWorkRefusal(
            status: .tooManyRequests, retryAfter: retryAfter,
            description:
                "your searches and long lists used too much time; try again in \(retryAfter.quantity(of: "second"))")
    }
}

/// The task executor of one user.
private final class UserExecutor: TaskExecutor {
    let work: ExpensiveWork
    let user: String
    private let hasBegun: Atomic<Bool>

    init(work: ExpensiveWork, user: String, hasBegun: Bool) {
        (self.work, self.user) = (work, user)
        self.hasBegun = Atomic(hasBegun)
    }

    /// Returns whether the next job is the first one of its request.
    func begins() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) { work.enqueue(UnownedJob(job), on: self) }

    /// Does nothing. The call makes the work begin on this executor.
    @inline(never)
    func begin() {}
}
