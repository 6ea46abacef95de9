/// Runs each job on the thread that enqueues it, at once: for a command that does one thing after the other.
///
/// It needs no thread and no descriptor. Swift's own pool waits for ever where no thread can be started, and ends the process
/// where it can open no file.
final class CallingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
