import CMicroHTTPD
import Platform
import Synchronization

/// A request and its response, from the first line to the last byte.
///
/// libmicrohttpd calls on its own thread. When the request is complete, a task calls the handler. The task of a request
/// that only reads runs on the same thread, which then sends the response. If the task waits, or the request may change
/// something, the connection is suspended, and resumed when the response is available.
final class Exchange: Sendable {
    private enum Phase {
        /// The first line has arrived.
        case head
        /// The head was accepted, and the body is arriving.
        case body
        /// The handler is working.
        case working
        /// The response is available.
        case answered
        /// The response is being sent.
        case sending
        /// The exchange has ended.
        case over
    }

    private struct State {
        var phase = Phase.head
        var request: HTTPRequest?
        var body: [UInt8] = []
        var limit = 0
        /// Whether the connection ends with the response. It does after a chunked body: the library accepts chunk lines
        /// that proxies may read differently, so the bytes that follow must not be taken for a request.
        var isLast = false
        var task: Task<Void, Never>?
        var isSuspended = false
        var response: HTTPResponse?
        var channel: BodyChannel?
        /// The size of a large body and its user, as long as it counts as unread.
        var held: (bytes: Int, user: String)?
    }

    private let connection: Connection
    private let handle: ConnectionHandle
    private let target: String
    /// The memory address of the target, to check that it is directly adjacent to its neighbors.
    private let targetAddress: UInt
    private let state = Mutex(State())

    private var pool: WorkerPool { connection.pool }
    private var site: Site { connection.pool.site }

    /// Creates the exchange after the first line has arrived.
    init(_ connection: Connection, _ handle: ConnectionHandle, target: UnsafePointer<CChar>) {
        self.connection = connection
        self.handle = handle
        // Invalid UTF-8 is repaired here, but non-ASCII bytes are refused later anyway.
        self.target = String(cString: target)
        targetAddress = UInt(bitPattern: target)
        connection.begin(self)
    }

    // MARK: On the connection's thread

    /// Called by the library with the head, with each piece of the body, when the request is complete, and after the
    /// connection was resumed. Returns false if the connection must end without a response.
    func go(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, piece: UnsafeRawBufferPointer?) -> Bool {
        let (phase, response) = state.withLock { state -> (Phase, HTTPResponse?) in
            defer { if state.phase == .answered { state.phase = .sending } }
            return (state.phase, state.response.take())
        }
        switch phase {
        case .head: return receiveHead(method: method, version: version)
        case .body: return piece.map(receiveBody) ?? startWork()
        case .answered: return response.map(queue) ?? false
        case .sending: return true
        case .working, .over: return false
        }
    }

    /// Processes the head. Returns false if the connection must end without a response.
    private func receiveHead(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> Bool {
        do throws(RejectedRequest) {
            let (request, body) = try readHead(method, version).read(peer: connection.peer, isSecure: pool.isSecure)
            state.withLock { $0.request = request }
            let limit = max(0, site.limits.bodyBytes(request))
            if case .length(let length) = body, length > limit { throw .bodyTooLong(limit) }
            // Count bytes that have arrived. An announced length costs nothing.
            if case .length(let length) = body, !site.hasRoom(for: length) { throw .tooManyRequests }
            if body == .chunks, !site.limits.allowsChunks {
                throw RejectedRequest(.lengthRequired, "The request needs a Content-Length field.")
            }
            connection.expect(within: body == .none ? nil : site.limits.bodyTime)
            state.withLock { state in
                state.limit = limit
                state.isLast = body == .chunks
                state.phase = .body
                if case .length(let length) = body { state.body.reserveCapacity(length) }
            }
            return true
        } catch {
            return refuse(error)
        }
    }

    /// Processes a piece of the body. Returns false if the connection must end.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let refusal: RejectedRequest? = state.withLock { state in
            guard state.body.count + bytes.count <= state.limit else { return .bodyTooLong(state.limit) }
            guard site.reserve(bytes.count) else { return .tooManyRequests }
            state.body.append(contentsOf: bytes)
            return nil
        }
        guard let refusal else { return true }
        // A response cannot be queued in the middle of a body.
        connection.send(refusal, to: request)
        return false
    }

    /// The library's last call for this request.
    func finish() {
        let (task, channel, taken, held) = state.withLock { state in
            defer {
                (state.phase, state.task, state.response, state.channel) = (.over, nil, nil, nil)
                (state.request, state.body, state.held) = (nil, [], nil)
            }
            return (state.task, state.channel, state.body.count, state.held)
        }
        site.release(taken)
        if let held { site.responses.release(held.bytes, for: held.user) }
        channel?.close()
        task?.cancel()
        connection.end()
    }

    private func startWork() -> Bool {
        connection.expect(within: nil)
        guard site.begin() else { return refuse(.tooManyRequests) }
        // A change waits for the disk, so it must not run on this thread, which serves other connections.
        let executor = request.map { $0.method == .get || $0.method == .head } == true ? RequestExecutor() : nil
        let isTaken = state.withLock { state in
            guard !pool.isCut, var request = state.request else { return false }
            request.body = state.body
            (state.request, state.body) = (nil, [])
            state.phase = .working
            let whole = request
            state.task = Task(executorPreference: executor) { await self.work(whole) }
            return true
        }
        guard isTaken else {
            site.end()
            return false
        }
        if connection.hasLeft { cancel() }
        executor?.runUntilWaiting()
        return sendOrSuspend()
    }

    /// Sends the response, or suspends the connection until it is available. Returns false if the connection must end
    /// without a response.
    private func sendOrSuspend() -> Bool {
        let (phase, response) = state.withLock { state in
            switch state.phase {
            case .answered: state.phase = .sending
            case .working:
                state.isSuspended = true
                handle.suspend()
            case .head, .body, .sending, .over: break
            }
            return (state.phase, state.response.take())
        }
        return phase == .working || phase == .sending && response.map(queue) ?? false
    }

    private func refuse(_ refusal: RejectedRequest) -> Bool {
        connection.expect(within: nil)
        state.withLock { $0.phase = .sending }
        return queue(refusal.response(connection.report(refusal, of: request)))
    }

    /// The request, after its head has arrived and before the handler was called.
    var request: HTTPRequest? { state.withLock { $0.request } }

    /// Whether a response exists. It may already be on its way.
    var isAnswered: Bool {
        state.withLock { state in
            switch state.phase {
            case .head, .body, .working: false
            case .answered, .sending, .over: true
            }
        }
    }

    private func queue(_ response: HTTPResponse) -> Bool {
        let made: OpaquePointer? =
            switch response.body {
            case .bytes(let bytes) where bytes.count > site.limits.largeResponse: large(bytes)
            case .bytes(let bytes): bytes.withUnsafeBytes { mhd_response($0.baseAddress, $0.count) }
            case .stream: streamed()
            }
        guard let made else { return false }
        defer { MHD_destroy_response(made) }
        var size = 0
        for field in response.fields where !Self.own.contains(field.name) {
            size += field.name.text.utf8.count + field.value.text.utf8.count + 4
            // Swift strings that are passed as parameters would be copied first.
            field.name.text.withCString { name in
                field.value.text.withCString { value in _ = MHD_add_response_header(made, name, value) }
            }
        }
        if response.closesConnection || pool.isRetired || state.withLock({ $0.isLast }) {
            MHD_add_response_header(made, "Connection", "close")
        }
        // Add the date after `Connection`: adding that field makes the library forget that a date exists.
        MHD_add_response_header(made, "Date", site.date.now.text)
        guard size <= ConnectionThread.responseHeadBytes else {
            return queue(RejectedRequest(.internalServerError, "The response head is too long.").response())
        }
        return MHD_queue_response(handle.pointer, UInt32(response.status.code), made) == mhd_yes()
    }

    /// Fields that only the server may set. Values from a handler could be wrong.
    private static let own: Set<HTTPFieldName> = [
        .connection, .contentLength, .date, .transferEncoding, "keep-alive", "trailer", "upgrade",
    ]

    /// Creates a response whose bytes are copied piece by piece as the client reads them.
    private func large(_ bytes: [UInt8]) -> OpaquePointer? {
        connection.expectReading(within: site.limits.responseTime)
        return mhd_large_response(
            UInt64(bytes.count),
            { context, position, buffer, capacity in
                guard let context, let buffer else { return mhd_end_with_error() }
                return Unmanaged<LargeBody>.fromOpaque(context).takeUnretainedValue()
                    .read(at: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, Unmanaged.passRetained(LargeBody(bytes, connection)).toOpaque(),
            { context in context.map { Unmanaged<LargeBody>.fromOpaque($0).release() } })
    }

    /// The bytes of a response, and its connection.
    private final class LargeBody: Sendable {
        let bytes: [UInt8]
        let connection: Connection

        init(_ bytes: [UInt8], _ connection: Connection) {
            self.bytes = bytes
            self.connection = connection
        }

        func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            connection.expectReading(within: connection.pool.site.limits.responseTime)
            let count = min(buffer.count, bytes.count - position)
            guard count > 0 else { return mhd_end_of_stream() }
            bytes[position..<position + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
            return count
        }
    }

    /// Creates a response with the bytes of the channel, which it retains; without a channel, only the head.
    private func streamed() -> OpaquePointer? {
        guard let channel = state.withLock({ $0.channel }) else {
            return mhd_response_of_unknown_length { _, _, _, _ in mhd_end_of_stream() }
        }
        return mhd_streamed_response(
            { context, _, buffer, capacity in
                guard let context, let buffer else { return mhd_end_with_error() }
                return Unmanaged<BodyChannel>.fromOpaque(context).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, Unmanaged.passRetained(channel).toOpaque(),
            { context in context.map { Unmanaged<BodyChannel>.fromOpaque($0).release() } })
    }

    // MARK: On any thread

    /// Cancels the handler, because the client no longer waits for the response.
    func cancel() { state.withLock { $0.task }?.cancel() }

    /// Cancels the handler and ends the connection without a response.
    func abandon() {
        let (task, channel) = state.withLock { state in
            if state.phase == .working {
                state.phase = .over
                resume(&state)
            }
            return (state.task, state.channel)
        }
        task?.cancel()
        channel?.cut()
    }

    /// Call this while holding the lock. `finish` waits for the lock, so the connection cannot end in the meantime.
    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        handle.resume()
    }

    private func work(_ request: HTTPRequest) async {
        defer { site.end() }
        var response = await site.handler(request)
        site.release(request.body.count)
        var held: (bytes: Int, user: String)?
        if case .bytes(let bytes) = response.body, bytes.count > site.limits.largeResponse, request.method != .head {
            let user = response.user ?? request.peer.origin ?? "local"
            if let refusal = site.responses.reserve(bytes.count, for: user) {
                response = refusal.response(connection.report(refusal, of: request))
            } else {
                held = (bytes.count, user)
            }
        }
        let whole = response
        let channel: BodyChannel? = state.withLock { state in
            guard state.phase == .working else {
                if let held { site.responses.release(held.bytes, for: held.user) }
                return nil
            }
            state.phase = .answered
            state.response = whole
            state.held = held
            if case .stream = response.body, request.method != .head, response.status.hasBody {
                state.channel = BodyChannel(handle)
            }
            resume(&state)
            return state.channel
        }
        if case .stream(let stream) = response.body, let channel { await channel.send(stream) }
    }
}

extension Exchange {
    /// Collects the head, and checks that exactly the required separators are between its parts, which the library does
    /// not do: lines must end with CR LF and not be folded, and the first line must have exactly two spaces and no NUL.
    private func readHead(
        _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) throws(RejectedRequest) -> RequestHead {
        let limits = site.limits
        guard target.utf8.count <= limits.targetBytes else {
            throw RejectedRequest(.uriTooLong, "The request target is longer than \(limits.targetBytes) bytes.")
        }
        let size = mhd_head_size(handle.pointer)
        guard size <= limits.headBytes else {
            throw RejectedRequest(
                .requestHeaderFieldsTooLarge, "The request head is longer than \(limits.headBytes) bytes.")
        }
        var pieces = Pieces(place: UInt(bitPattern: version) + UInt(strlen(version)) + 2, most: limits.headFields)
        withUnsafeMutablePointer(to: &pieces) { pieces in
            mhd_each_field(
                handle.pointer,
                { context, _, name, nameSize, value, valueSize in
                    guard let context, let name else { return mhd_no() }
                    return context.assumingMemoryBound(to: Pieces.self).pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameSize),
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
                        ? mhd_yes() : mhd_no()
                }, pieces)
        }
        guard !pieces.areTooMany else {
            throw RejectedRequest(
                .requestHeaderFieldsTooLarge, "The request head has more than \(limits.headFields) fields.")
        }
        let start = UInt(bitPattern: method)
        guard start + UInt(strlen(method)) + 1 == targetAddress,
            targetAddress + UInt(target.utf8.count) + 1 == UInt(bitPattern: version),
            !pieces.areApart, start + UInt(size) == pieces.place + 2
        else {
            throw RejectedRequest(
                .badRequest, "The request head is malformed. Lines must end with CR LF and must not be continued.")
        }
        return RequestHead(
            method: String(cString: method), target: target, version: String(cString: version), fields: pieces.fields)
    }

    /// Fields, each of which must begin directly after the previous one.
    private struct Pieces {
        var place: UInt
        let most: Int
        var fields: [(name: [UInt8], value: [UInt8])] = []
        var areApart = false
        var areTooMany = false

        mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
            guard fields.count < most else {
                areTooMany = true
                return false
            }
            let start = UInt(bitPattern: name.baseAddress)
            let end = start + UInt(name.count) + 1
            let valueStart = UInt(bitPattern: value.baseAddress)
            // Only white space can be between a colon and the value. It was skipped and does not contain a line break.
            if start != place || valueStart < end { areApart = true }
            place = valueStart + UInt(value.count) + 2
            fields.append((Array(name), Array(value)))
            return true
        }
    }
}
