import Dispatch
import Synchronization

/// A few threads for what takes long and much memory, such as the hash of a password: whatever is asked for, no more of it goes on
/// at once, and who only reads is not kept waiting.
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
