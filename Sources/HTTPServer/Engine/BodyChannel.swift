import CMicroHTTPD
import Platform
import Synchronization

/// Passes a streamed body from the task that produces it to the thread that sends it, one piece at a time.
final class BodyChannel: Sendable {
    private struct State {
        var piece: [UInt8] = []
        var sent = 0
        var end: End?
        /// Whether the connection waits for a piece.
        var isSuspended = false
        /// The producer that waits until its piece was sent.
        var producer: CheckedContinuation<Void, Never>?
        /// Whether the connection was closed.
        var isClosed = false
    }
    private enum End { case finished, failed }

    private let state = Mutex(State())
    private let handle: ConnectionHandle

    init(_ handle: ConnectionHandle) { self.handle = handle }

    /// Sends a whole stream, and its end or error.
    func send(_ stream: any AsyncSequence<[UInt8], any Error> & Sendable) async {
        await withTaskCancellationHandler {
            do {
                for try await piece in stream {
                    if !piece.isEmpty { await send(piece) }
                    if isOver { break }
                }
                // A stream may end normally if its task is canceled.
                end(Task.isCancelled ? .failed : .finished)
            } catch {
                end(.failed)
            }
        } onCancel: {
            end(.failed)
        }
    }

    /// Ends the body early.
    func cut() { end(.failed) }

    /// Reports that the connection was closed.
    func close() {
        let producer = state.withLock { state in
            state.isClosed = true
            return Self.removeProducer(&state)
        }
        producer?.resume()
    }

    /// Fills a buffer with the next bytes, on the thread of the connection. If there are none, the connection is
    /// suspended.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, producer) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            if state.end == .failed { return (mhd_end_with_error(), nil) }
            let count = min(buffer.count, state.piece.count - state.sent)
            if count > 0 {
                state.piece[state.sent..<state.sent + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
                state.sent += count
                guard state.sent == state.piece.count else { return (count, nil) }
                state.piece = []
                state.sent = 0
                return (count, Self.removeProducer(&state))
            }
            if state.end == .finished { return (mhd_end_of_stream(), nil) }
            state.isSuspended = true
            handle.suspend()
            return (0, nil)
        }
        producer?.resume()
        return count
    }

    private var isOver: Bool { state.withLock { $0.isClosed || $0.end != nil } }

    private func send(_ piece: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isClosed, state.end == nil else { return true }
                state.piece = piece
                state.producer = continuation
                resume(&state)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(_ end: End) {
        let producer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isClosed, state.end == nil else { return nil }
            state.end = end
            resume(&state)
            return Self.removeProducer(&state)
        }
        producer?.resume()
    }

    /// Call this while holding the lock. `close` waits for the lock, so the connection cannot end in the meantime.
    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        handle.resume()
    }

    private static func removeProducer(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        defer { state.producer = nil }
        return state.producer
    }
}
