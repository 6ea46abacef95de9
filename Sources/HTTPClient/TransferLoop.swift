internal import CCurl
internal import Platform
internal import Synchronization

/// The thread on which libcurl transfers.
final class TransferLoop: Sendable {
    fileprivate typealias Waiting = CheckedContinuation<Result<Transfer.Response, HTTPClientError>, Never>

    fileprivate typealias Item = (transfer: Transfer, waiting: Waiting)

    fileprivate struct State {
        var added: [Item] = []
        var canceled: Set<ObjectIdentifier> = []
        var isStopped = false
        /// Whether the thread has ended.
        var hasEnded = false
    }

    /// The state that the thread shares. The thread does not keep the loop alive.
    fileprivate final class Shared: @unchecked Sendable {
        let state = Mutex(State())
        let libcurl: Libcurl
        /// The transfers of libcurl. Only the thread uses them, except to be woken.
        let transfers: UnsafeMutableRawPointer
        let connections: Int
        let isInterrupted: (@Sendable () -> Bool)?

        init(_ libcurl: Libcurl, _ transfers: UnsafeMutableRawPointer, _ configuration: HTTPClientConfiguration) {
            (self.libcurl, self.transfers) = (libcurl, transfers)
            (connections, isInterrupted) = (configuration.connections, configuration.isInterrupted)
        }

        /// Changes the state and wakes the thread.
        func change(_ body: (inout State) -> Void) {
            state.withLock { state in
                body(&state)
                if !state.hasEnded { _ = libcurl.functions.pointee.curl_multi_wakeup(transfers) }
            }
        }
    }

    private let shared: Shared

    /// - Throws: `HTTPClientError.unavailable`, `outOfMemory`.
    init(_ configuration: HTTPClientConfiguration) throws(HTTPClientError) {
        let libcurl = try Libcurl()
        guard let transfers = libcurl.functions.pointee.curl_multi_init() else { throw .outOfMemory }
        libcurl_set_multi_long(libcurl.functions, transfers, CURLMOPT_MAXCONNECTS, configuration.connections)
        let shared = Shared(libcurl, transfers, configuration)
        self.shared = shared
        do {
            try startThread { shared.run() }
        } catch {
            _ = libcurl.functions.pointee.curl_multi_cleanup(transfers)
            throw .outOfMemory
        }
    }

    /// Ends the thread, and the transfers with `canceled`.
    func stop() { shared.change { $0.isStopped = true } }

    /// Returns the response to a request.
    func run(_ transfer: Transfer) async throws(HTTPClientError) -> Transfer.Response {
        let id = ObjectIdentifier(transfer)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                var isOver = false
                shared.change { state in
                    isOver = state.isStopped || state.canceled.contains(id)
                    if !isOver { state.added.append((transfer, waiting)) }
                }
                if isOver { waiting.resume(returning: .failure(.canceled)) }
            }
        } onCancel: {
            shared.change { _ = $0.canceled.insert(id) }
        }
        // The identity of a released object may be used again.
        _ = shared.state.withLock { $0.canceled.remove(id) }
        return try result.get()
    }
}

extension TransferLoop.Shared {
    /// Transfers until the loop is stopped.
    fileprivate func run() {
        let functions = libcurl.functions.pointee
        // libcurl can limit connections itself, but its time limit then includes the time in the queue, and version 7.88
        // sometimes forgets a queued transfer until something else happens.
        var queue: [TransferLoop.Item] = []
        var running: [UnsafeMutableRawPointer: TransferLoop.Item] = [:]
        var hosts: Set<String> = []

        func end(
            _ handle: UnsafeMutableRawPointer, with result: (Transfer) -> Result<Transfer.Response, HTTPClientError>
        ) {
            guard let item = running.removeValue(forKey: handle) else { return }
            hosts.remove(item.transfer.url.host)
            _ = functions.curl_multi_remove_handle(transfers, handle)
            item.waiting.resume(returning: result(item.transfer))
        }

        /// Returns false if the transfer must wait for others.
        func start(_ item: TransferLoop.Item) -> Bool {
            guard running.count < connections, hosts.insert(item.transfer.url.host).inserted else { return false }
            running[item.transfer.handle] = item
            item.transfer.begin()
            if functions.curl_multi_add_handle(transfers, item.transfer.handle) != CURLM_OK {
                end(item.transfer.handle) { _ in .failure(.outOfMemory) }
            }
            return true
        }

        while true {
            let (added, canceled, isStopped) = state.withLock { state in
                defer { state.added = [] }
                return (state.added, state.canceled, state.isStopped)
            }
            queue += added
            let isInterrupted = isInterrupted?() == true
            let isCanceled = { (item: TransferLoop.Item) in
                isStopped || isInterrupted || canceled.contains(ObjectIdentifier(item.transfer))
            }
            for (handle, item) in running where isCanceled(item) { end(handle) { _ in .failure(.canceled) } }
            for item in queue where isCanceled(item) { item.waiting.resume(returning: .failure(.canceled)) }
            queue.removeAll(where: isCanceled)
            if isStopped { break }
            queue.removeAll(where: start)

            var count: Int32 = 0
            var hasRoom = false
            _ = functions.curl_multi_perform(transfers, &count)
            while let message = functions.curl_multi_info_read(transfers, &count) {
                guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
                let code = libcurl_result(message)
                end(handle) { $0.result(code) }
                hasRoom = true
            }
            // The wait ends earlier if a transfer can continue, if its time is over, or if the state changes.
            if !hasRoom || queue.isEmpty {
                let asksAgain = self.isInterrupted != nil && !running.isEmpty
                _ = functions.curl_multi_poll(transfers, nil, 0, asksAgain ? 100 : 60_000, nil)
            }
        }
        state.withLock { $0.hasEnded = true }
        _ = functions.curl_multi_cleanup(transfers)
    }
}

/// The functions of libcurl. They may be called from any thread.
struct Libcurl: @unchecked Sendable {
    let functions: UnsafePointer<libcurl>

    /// Loads the library at the first call.
    ///
    /// - Throws: `HTTPClientError.unavailable` if it cannot be loaded.
    init() throws(HTTPClientError) {
        guard let functions = libcurl_load() else {
            throw .unavailable(libcurl_load_error().map { String(cString: $0) } ?? "unknown error")
        }
        self.functions = functions
    }
}
