internal import Synchronization

/// A queue of callers that wait for a password to be hashed.
///
/// A hash takes tens of milliseconds and 64 MiB, so only few are computed at once. Callers that the service knows come
/// first, then newcomers, then all others. Within a line, origins take turns, so that an origin with many callers
/// delays the others by only one hash each. Each origin and each line has a maximum length. If it is exceeded, the last
/// caller of the origin with the most callers is refused.
package final class HashQueue: Sendable {
    /// The place of a caller in the queue.
    package struct Turn: Hashable, Sendable {
        /// Known callers, newcomers, and others.
        package enum Line: Int, CaseIterable, Sendable { case known, newcomer, other }
        package let line: Line
        /// The device, session, or network. Callers with different values take turns.
        package let caller: String

        package init(_ line: Line, _ caller: String) {
            self.line = line
            self.caller = caller
        }
    }

    private let state: Mutex<State>

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - running: the maximum number of hashes that are computed at once.
    ///   - waiting: the maximum number of waiting callers in each line.
    ///   - perCaller: the maximum number of them with the same `Turn.caller`.
    package init(running: Int, waiting: Int = 64, perCaller: Int = 16) {
        state = Mutex(State(limit: max(1, running), waiting: max(1, waiting), perCaller: max(1, perCaller)))
    }

    /// The number of waiting callers.
    package var waitingCount: Int { state.withLock { $0.lines.reduce(0) { $0 + $1.count } } }

    /// Performs the work when it is the caller's turn.
    ///
    /// - Throws: `AuthError.throttled` if too many callers wait.
    package func run<Value>(
        _ turn: Turn, _ work: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        guard await enter(turn) else { throw .throttled(seconds: 1) }
        defer { state.withLock { $0.leave() }?.resume(returning: true) }
        return try await work()
    }

    private func enter(_ turn: Turn) async -> Bool {
        await withCheckedContinuation { continuation in
            let (decided, isAdmitted) = state.withLock { $0.enter(turn, continuation) }
            decided?.resume(returning: isAdmitted)
        }
    }

    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State: Sendable {
        let limit: Int
        let waiting: Int
        let perCaller: Int
        var running = 0
        var lines = Turn.Line.allCases.map { _ in Line() }

        init(limit: Int, waiting: Int, perCaller: Int) {
            self.limit = limit
            self.waiting = waiting
            self.perCaller = perCaller
        }

        /// Returns the waiter with a decision: the new one if it can run immediately, or the one that is refused.
        mutating func enter(_ turn: Turn, _ waiter: Waiter) -> (Waiter?, isAdmitted: Bool) {
            // Callers wait only while all hashes run: `leave` passes its slot on.
            guard running >= limit else {
                running += 1
                return (waiter, true)
            }
            return (lines[turn.line.rawValue].add(waiter, of: turn.caller, waiting, perCaller), false)
        }

        /// Returns the waiter whose turn is next.
        mutating func leave() -> Waiter? {
            for index in lines.indices {
                if let waiter = lines[index].next() { return waiter }
            }
            running -= 1
            return nil
        }
    }

    private struct Line: Sendable {
        /// The callers in the order of their turns.
        private var callers: [(name: String, waiters: [Waiter])] = []

        var count: Int { callers.reduce(0) { $0 + $1.waiters.count } }

        /// Adds a waiter, and returns the one that exceeds a limit, if any.
        mutating func add(_ waiter: Waiter, of name: String, _ limit: Int, _ perCaller: Int) -> Waiter? {
            let index = callers.firstIndex { $0.name == name } ?? callers.endIndex
            if index == callers.endIndex { callers.append((name, [])) }
            callers[index].waiters.append(waiter)
            if callers[index].waiters.count > perCaller { return removeLast(of: index) }
            guard count > limit else { return nil }
            // If several origins have the same number, refuse the newest one, because the others have waited longer.
            let most = callers.map(\.waiters.count).max() ?? 0
            return callers.lastIndex { $0.waiters.count == most }.flatMap { removeLast(of: $0) }
        }

        mutating func next() -> Waiter? {
            guard !callers.isEmpty else { return nil }
            var caller = callers.removeFirst()
            let waiter = caller.waiters.removeFirst()
            if !caller.waiters.isEmpty { callers.append(caller) }
            return waiter
        }

        private mutating func removeLast(of index: Int) -> Waiter? {
            let waiter = callers[index].waiters.popLast()
            if callers[index].waiters.isEmpty { callers.remove(at: index) }
            return waiter
        }
    }
}
