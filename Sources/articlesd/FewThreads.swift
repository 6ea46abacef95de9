import Dispatch
import Synchronization

/// A few threads for work that takes much time and memory, such as password hashing. The number of threads limits the
/// load, so that other requests do not wait.
final class FewThreads: TaskExecutor {
    private let queues: [DispatchQueue]
    private let next = Atomic(0)

    init(_ count: Int, called name: String) {
        queues = (0..<count).map { DispatchQueue(label: "\(name) \($0)") }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = queues[next.wrappingAdd(1, ordering: .relaxed).oldValue % queues.count]
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
