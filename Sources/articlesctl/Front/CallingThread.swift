/// Runs each job immediately on the thread that enqueues it, for a command that performs one step after the other.
///
/// It does not start threads or open files. Swift's own thread pool waits forever if it cannot start a thread, and ends
/// the process if it cannot open a file.
final class CallingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
