import Synchronization

/// A gate that work waits for until a test opens it, or the work is canceled.
public final class Latch: Sendable {
    /// The waiting tasks; nil once the latch is open.
    private let waiting = Mutex<[AsyncStream<Void>.Continuation]?>([])

    /// A closed latch.
    public init() {}

    /// Continues all waiting work, now and later.
    public func open() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for one in waiting ?? [] { one.finish() }
    }

    /// Waits until it is open, or the task is canceled.
    public func wait() async {
        // Each task has its own stream: a shared stream would end for all if one task was canceled.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        waiting.withLock { waiting in
            waiting?.append(continuation)
            if waiting == nil { continuation.finish() }
        }
        for await _ in stream {}
    }
}

/// Admits a few callers at a time.
public actor Turnstile {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Makes a turnstile for `width` callers at once.
    public init(width: Int) { free = width }

    /// Waits for a place, and releases it when `body` ends.
    public nonisolated func pass<T>(_ body: () async throws -> T) async rethrows -> T {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
