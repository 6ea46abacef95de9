import Foundation
import HTTPServer
import Platform

/// A client that sends exact bytes. Blocking calls run on a separate thread.
final class RawClient: Sendable {
    let descriptor: Int32

    /// The response of a server.
    struct Answer: Equatable {
        var status: Int
        var fields: [String: String]
        var body: String
    }

    enum Failure: Error { case notConnected(Int32), unfinished(String) }

    /// Connects to a port of this machine.
    init(port: Int?, receiveBuffer: Int32? = nil) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let receiveBuffer { Self.set(descriptor, SO_RCVBUF, receiveBuffer) }
        try connect(&address)
    }

    /// Connects to a Unix socket.
    init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try connect(&address)
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address) throws {
        // A test that waits in vain must end; but other tests may use the threads for ten minutes.
        var time = timeval(tv_sec: 1_800, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Platform.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard code == 0 else { throw Failure.notConnected(errno) }
    }

    private static func set(_ descriptor: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends bytes. A connection that the server has closed is not an error.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes. A connection that the server has closed is not an error.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Platform.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the sending side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends a request and waits for its response.
    func ask(_ text: String, isHead: Bool = false) async throws -> Answer {
        send(text)
        return try await answer(isHead: isHead)
    }

    /// Waits for a response, without reading a byte beyond it.
    func answer(isHead: Bool = false) async throws -> Answer {
        try await onThread { [self] in
            var head = ""
            while !head.hasSuffix("\r\n\r\n") {
                guard let byte = try bytes(1).first else { throw Failure.unfinished(head) }
                head.unicodeScalars.append(Unicode.Scalar(byte))
            }
            let lines = head.components(separatedBy: "\r\n")
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                    in: .whitespaces)
            }
            let words = lines[0].split(separator: " ")
            guard words.count > 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
                throw Failure.unfinished(head)
            }
            var answer = Answer(status: status, fields: fields, body: "")
            if isHead || [100, 204, 304].contains(answer.status) { return answer }
            if let length = fields["content-length"].flatMap({ Int($0) }) {
                answer.body = String(decoding: try bytes(length), as: UTF8.self)
            } else if fields["transfer-encoding"] == "chunked" {
                var body: [UInt8] = []
                while true {
                    var line = ""
                    while !line.hasSuffix("\r\n") {
                        guard let byte = try bytes(1).first else { throw Failure.unfinished(head) }
                        line.unicodeScalars.append(Unicode.Scalar(byte))
                    }
                    let count = Int(line.dropLast(1), radix: 16) ?? 0
                    body += try bytes(count)
                    _ = try bytes(2)
                    if count == 0 { break }
                }
                answer.body = String(decoding: body, as: UTF8.self)
            }
            return answer
        }
    }

    /// Reads everything until the server ends the connection, in any way.
    func rest() async throws -> String {
        try await onThread { [self] in
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EAGAIN { throw Failure.unfinished(String(decoding: all, as: UTF8.self)) }
                guard count > 0 else { return String(decoding: all, as: UTF8.self) }
                all += buffer[..<count]
            }
        }
    }

    /// Reads this many bytes; fewer if the connection ends.
    func take(_ count: Int) async throws -> [UInt8] { try await onThread { [self] in try bytes(count) } }

    private func bytes(_ count: Int) throws -> [UInt8] {
        var all = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = all.withUnsafeMutableBytes { bytes in
                // A slice of the array would be copied.
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return recv(descriptor, rest.baseAddress, rest.count, 0)
            }
            if more < 0, errno == EAGAIN { throw Failure.unfinished("\(filled) of \(count) bytes") }
            guard more > 0 else { break }
            filled += more
        }
        return Array(all[..<filled])
    }
}

/// Runs a blocking call on a separate thread: the threads of tasks also serve the server.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

extension HTTPLimits {
    /// Limits for slow clients: other tests run in parallel.
    static var patient: HTTPLimits {
        var limits = HTTPLimits()
        (limits.headTime, limits.bodyTime, limits.idleTime) = (.seconds(1_800), .seconds(600), .seconds(600))
        limits.responseTime = .seconds(1_800)
        return limits
    }
}

/// Serves on a free port of this machine during `body`.
func withServer(
    limits: HTTPLimits = HTTPLimits.patient, identity: TLSIdentity? = nil,
    refused: @escaping @Sendable (HTTPRefusal) -> HTTPFields = { _ in [:] },
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = { _ in HTTPResponse(text: "hello") },
    _ body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(
        on: .internet(host: "127.0.0.1", port: 0), identity: identity, limits: limits,
        clock: { Date(timeIntervalSince1970: 784_111_777) }, refused: refused, handler: handler)
    do {
        try await body(server)
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .zero)
}

/// An event that a test waits for.
final class Event: Sendable {
    private let stream = AsyncStream.makeStream(of: Void.self)

    /// Signals the event.
    func happen() { stream.continuation.yield() }

    /// Waits until the event has happened once more.
    func wait() async { for await _ in stream.stream { return } }
}
