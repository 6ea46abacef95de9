import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server on loopback that answers requests with any bytes, whether they are a response or not. It has its own threads,
/// so it answers in time however busy the pool of tasks is.
package final class RawServer: Sendable {
    package let port: Int
    private let descriptor: Int32
    private let accepted = Mutex(0)
    private let received = Mutex<[String]>([])

    /// - Parameters:
    ///   - bytes: The answer.
    ///   - repeating: Sent again and again after the answer, until the client closes the connection.
    ///   - pause: The time before each repetition.
    ///   - listens: Whether it accepts connections.
    ///   - closes: Whether the server closes the connection after the answer.
    package convenience init(
        _ bytes: String, repeating: String? = nil, pause: Duration = .zero, listens: Bool = true, closes: Bool = true
    ) throws {
        try self.init(repeating: repeating, pause: pause, listens: listens, closes: closes) { _ in Array(bytes.utf8) }
    }

    /// - Parameter respond: Returns the answer to a request, which is its line and its fields.
    package convenience init(respond: @escaping @Sendable (String) -> [UInt8]) throws {
        try self.init(repeating: nil, pause: .zero, listens: true, closes: true, respond: respond)
    }

    private init(
        repeating: String?, pause: Duration, listens: Bool, closes: Bool,
        respond: @escaping @Sendable (String) -> [UInt8]
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (own, size) = (descriptor, length)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(own, $0, size) == 0 && (!listens || listen(own, 16) == 0) && getsockname(own, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw CocoaError(.fileReadUnknown) }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard listens else { return }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                accepted.withLock { $0 += 1 }
                Thread.detachNewThread { [self] in
                    serve(client, respond, Array((repeating ?? "").utf8), pause, closes: closes)
                }
            }
        }
    }

    /// The requests that have arrived.
    package var requests: [String] { received.withLock { $0 } }

    /// The number of connections that were opened.
    package var connections: Int { accepted.withLock { $0 } }

    /// Stops accepting connections.
    package func stop() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit { close(descriptor) }

    private func serve(
        _ client: Int32, _ respond: @Sendable (String) -> [UInt8], _ repeating: [UInt8], _ pause: Duration, closes: Bool
    ) {
        defer { close(client) }
        var request = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += String(decoding: buffer[..<count], as: UTF8.self)
            guard request.hasSuffix("\r\n\r\n") else { continue }
            received.withLock { $0.append(request) }
            let bytes = respond(request)
            request = ""
            guard send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
            while !repeating.isEmpty {
                usleep(UInt32(pause / .microseconds(1)))
                guard send(client, repeating, repeating.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            }
            if closes { return }
        }
    }
}
