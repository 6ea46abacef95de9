import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Large responses")
struct LargeResponseTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    /// More than the buffers of both sockets hold, so that a client that stops reading delays it.
    private static let size = 32 << 20

    private static func body(_ size: Int = size) -> [UInt8] {
        var body = (0..<2_048).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        while body.count < size { body += body }
        return Array(body.prefix(size))
    }

    /// Sends a request, and reads only the head of the response.
    private static func begin(_ client: RawClient, _ request: String = get) async throws -> String {
        client.send(request)
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = try await client.take(1)
            try #require(!byte.isEmpty)
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    @Test(
        "A body of any size arrives complete, with its length, and the connection continues",
        arguments: [65_536, 65_537, 131_072, 131_073, size])
    func whole(size: Int) async throws {
        let body = Self.body(size)
        try await withServer(handler: { _ in HTTPResponse(body: .bytes(body)) }) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 8_192)
            for _ in 0..<2 {
                let head = try await Self.begin(client)
                #expect(head.contains("\r\nContent-Length: \(size)\r\n"))
                let arrived = try await client.take(size)
                #expect(arrived == body)
            }
            let head = try await client.ask("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", isHead: true)
            #expect(head.fields["content-length"] == "\(size)")
            let next = try await client.ask("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", isHead: true)
            #expect(next.status == 200)
        }
    }

    @Test("Responses that are not read are limited for each user and in total", arguments: [true, false])
    func unread(isOfOneUser: Bool) async throws {
        var limits = HTTPLimits.patient
        if isOfOneUser {
            limits.responseBytesPerUser = 3 * Self.size
        } else {
            limits.responseBytesInAll = 3 * Self.size
        }
        let body = Self.body()
        try await withServer(
            limits: limits,
            handler: { request in
                var response = HTTPResponse(body: .bytes(body))
                response.user = request.fields["x-user"]?.text
                return response
            }
        ) { server in
            func request(_ user: Int) -> String {
                "GET / HTTP/1.1\r\nHost: a\r\nX-User: \(isOfOneUser ? 0 : user)\r\n\r\n"
            }
            var clients: [RawClient] = []
            for number in 0..<3 {
                let client = try RawClient(port: server.port, receiveBuffer: 8_192)
                let head = try await Self.begin(client, request(number))
                #expect(head.hasPrefix("HTTP/1.1 200 "))
                clients.append(client)
            }
            let refused = try await RawClient(port: server.port).ask(request(3))
            #expect(refused.status == (isOfOneUser ? 429 : 503))
            #expect(refused.fields["retry-after"] == "1")
            // Another user is not affected by the limit of one user.
            if isOfOneUser {
                let other = try await Self.begin(
                    RawClient(port: server.port, receiveBuffer: 8_192), "GET / HTTP/1.1\r\nHost: a\r\nX-User: 1\r\n\r\n"
                )
                #expect(other.hasPrefix("HTTP/1.1 200 "))
            }
            // A body that was read releases its memory, and so does one whose client is gone.
            let arrived = try await clients[0].take(Self.size)
            #expect(arrived == body)
            clients.removeLast()
            for number in 4..<6 {
                while true {
                    let client = try RawClient(port: server.port, receiveBuffer: 8_192)
                    clients.append(client)
                    if try await Self.begin(client, request(number)).hasPrefix("HTTP/1.1 200 ") { break }
                    clients.removeLast()
                }
            }
        }
    }

    @Test("If a client stops reading a response, it ends without foreign bytes")
    func stalled() async throws {
        var limits = HTTPLimits.patient
        limits.responseTime = .milliseconds(200)
        let body = Self.body()
        try await withServer(limits: limits, handler: { _ in HTTPResponse(body: .bytes(body)) }) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 8_192)
            _ = try await Self.begin(client)
            while server.connections > 0 { await Task.yield() }
            let arrived = try await client.take(Self.size)
            #expect(arrived.count < Self.size && body.starts(with: arrived))
        }
    }
}
