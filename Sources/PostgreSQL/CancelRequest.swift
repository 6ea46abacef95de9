internal import CPostgreSQL
internal import Platform
internal import Synchronization

/// Asks the server to end statements whose tasks were canceled.
///
/// libpq waits for the server without a limit, so each request has a thread. A server that does not answer holds the
/// threads, so their number is limited: a statement that is not canceled ends at its `statement_timeout`.
final class CancelRequests: Sendable {
    private let running = Mutex(0)
    private static let limit = 4

    private final class Request: @unchecked Sendable {
        // It is safe to share, because only the thread uses it after its creation.
        let libpq: UnsafePointer<libpq>
        let handle: OpaquePointer

        init(_ handle: OpaquePointer, _ libpq: UnsafePointer<libpq>) {
            (self.handle, self.libpq) = (handle, libpq)
        }

        deinit { libpq.pointee.PQfreeCancel(handle) }
    }

    /// Asks the server to end the running statement of a connection.
    func send(for connection: OpaquePointer, _ libpq: UnsafePointer<libpq>) {
        guard let handle = libpq.pointee.PQgetCancel(connection) else { return }
        let request = Request(handle, libpq)
        let mayRun = running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard mayRun else { return }
        do {
            try startThread { [self] in
                var message = [CChar](repeating: 0, count: 256)
                _ = request.libpq.pointee.PQcancel(request.handle, &message, Int32(message.count))
                end()
            }
        } catch {
            end()
        }
    }

    private func end() { running.withLock { $0 -= 1 } }
}
