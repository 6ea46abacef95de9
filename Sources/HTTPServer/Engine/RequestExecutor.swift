import Synchronization

/// Runs a request on the thread of its connection until the request waits, and then on Swift's threads for tasks.
///
/// A request that does not wait, such as one that only reads, needs no other thread.
final class RequestExecutor: TaskExecutor {
    private struct State {
        /// The jobs that wait for the thread of the connection, oldest first.
        var jobs: [UnownedJob] = []
        /// Whether the request has not waited yet.
        var isOnConnection = true
    }
    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isQueued = state.withLock { state in
            if state.isOnConnection { state.jobs.append(job) }
            return state.isOnConnection
        }
        // Swift's global executor would run the job as one without a task executor. Then each later call that can
        // change threads would change them.
        if !isQueued { Task.detached { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    /// Runs jobs on this thread until there are none. Later jobs run on Swift's threads.
    func runUntilWaiting() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isOnConnection = false }
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
