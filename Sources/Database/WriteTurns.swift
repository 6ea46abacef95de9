internal import Dispatch
internal import Synchronization

/// Lets the writers in this process take turns. A waiting task does not block a thread.
///
/// A caller that arrives just when a turn ends may take the next turn before waiting callers, which stay at the head of
/// the queue. If the turn were reserved for a waiting task, it would be unused until that task runs.
final class WriteTurns: Sendable {
    /// A turn. It ends with the value.
    struct Turn: ~Copyable {
        fileprivate let turns: WriteTurns

        /// Ends the turn, like the end of the value.
        consuming func end() {}

        deinit { turns.end() }
    }

    private enum Waiter {
        case task(CheckedContinuation<Void, Never>)
        case thread(DispatchSemaphore)

        func wake() {
            switch self {
            case .task(let continuation): continuation.resume()
            case .thread(let semaphore): semaphore.signal()
            }
        }
    }

    private struct State {
        var isTaken = false
        var waiting: [Waiter] = []

        mutating func acquire() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }

        /// - Parameter isNew: whether the waiter is new. Otherwise it returns to the head of the queue.
        mutating func queue(_ waiter: Waiter, isNew: Bool) {
            waiting.insert(waiter, at: isNew ? waiting.endIndex : waiting.startIndex)
        }
    }
    private let state = Mutex(State())

    /// Takes a turn if no other writer has it.
    func acquireIfFree() -> Turn? { state.withLock { $0.acquire() } ? Turn(turns: self) : nil }

    /// Waits for a turn.
    ///
    /// - Parameter most: the maximum number of waiters, including this one.
    /// - Returns: nil if that many wait already.
    func acquire(waitingAtMost most: Int) async -> Turn? {
        var isNew = true
        while true {
            if let turn = acquireIfFree() { return turn }
            var isRefused = false
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    isRefused = isNew && state.waiting.count >= most
                    guard !isRefused, state.isTaken else { return true }
                    state.queue(.task(continuation), isNew: isNew)
                    return false
                }
                if goesOn { continuation.resume() }
            }
            if isRefused { return nil }
            isNew = false
        }
    }

    /// Waits for a turn on this thread.
    func acquireOnThread() -> Turn {
        var isNew = true
        while true {
            if let turn = acquireIfFree() { return turn }
            let semaphore = DispatchSemaphore(value: 0)
            let waits = state.withLock { state in
                guard state.isTaken else { return false }
                state.queue(.thread(semaphore), isNew: isNew)
                return true
            }
            if waits { semaphore.wait() }
            isNew = false
        }
    }

    private func end() {
        let next = state.withLock { state -> Waiter? in
            state.isTaken = false
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.wake()
    }
}
