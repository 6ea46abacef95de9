import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("The limits of a server")
struct LimitTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits.patient
        change(&limits)
        return limits
    }

    @Test("A head of the maximum size is accepted, and a byte more is refused")
    func head() async throws {
        try await withServer(limits: limits { $0.headBytes = 1000 }) { server in
            let empty = "GET / HTTP/1.1\r\nHost: a\r\nA: \r\n\r\n"
            func request(_ size: Int) -> String {
                empty.replacing("A: ", with: "A: " + String(repeating: "x", count: size - empty.utf8.count))
            }
            let fits = try await RawClient(port: server.port).ask(request(1000))
            #expect(fits.status == 200)
            let client = try RawClient(port: server.port)
            let long = try await client.ask(request(1001))
            #expect(long.status == 431)
            let rest = try await client.rest()
            #expect(rest.isEmpty)
        }
    }

    @Test(
        "The limit of the head applies to one line or ten thousand lines",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nA: ", "x", 1_000_000, 431),
            ("GET / HTTP/1.1\r\nHost: a\r\n", "A: b\r\n", 10_000, 431),
            ("GET / HTTP/1.1\r\nHost: a\r\n", "A: b\r\n", 100, 431), ("GET /", "x", 8192, 414),
            ("GET /", "x", 1_000_000, 414),
            // So many that the memory of libmicrohttpd is too small for all of them.
            ("GET /?", "a&", 4000, 200), ("GET / HTTP/1.1\r\nHost: a\r\nCookie: ", "a;", 7000, 431),
        ])
    func large(start: String, part: String, count: Int, status: Int) async throws {
        let request =
            start + String(repeating: part, count: count)
            + (start.contains("HTTP") ? "\r\n\r\n" : " HTTP/1.1\r\nHost: a\r\n\r\n")
        try await withServer { server in
            let client = try RawClient(port: server.port)
            // The server may close before it has read everything, and its response is still available.
            async let answer = client.answer()
            try await onThread { client.send(request) }
            let given = try await answer.status
            #expect(given == status)
        }
    }

    @Test("The limit of a body depends on the path, and is reported before the body is sent")
    func body() async throws {
        let limits = limits { $0.bodyBytes = { $0.target.path == "/large" ? 10 : 5 } }
        try await withServer(limits: limits, handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
            func ask(_ path: String, _ length: Int, _ body: String, _ more: String = "") async throws
                -> RawClient.Answer
            {
                try await RawClient(port: server.port).ask(
                    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(more)Content-Length: \(length)\r\n\r\n\(body)")
            }
            let small = try await ask("/", 5, "abcde")
            #expect(small.body == "abcde")
            let long = try await ask("/", 6, "")
            #expect(long.status == 413)
            let large = try await ask("/large", 6, "abcdef")
            #expect(large.body == "abcdef")
            let expecting = try await ask("/", 6, "", "Expect: 100-continue\r\n")
            #expect(expecting.status == 413)
        }
    }

    @Test("The limit of a body applies to chunks, which do not state their length first")
    func chunks() async throws {
        let limits = limits { $0.bodyBytes = { _ in 5 } }
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await withServer(limits: limits, handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
            let fits = try await RawClient(port: server.port).ask(head + "5\r\nabcde\r\n0\r\n\r\n")
            #expect(fits.body == "abcde")
            let client = try RawClient(port: server.port)
            let long = try await client.ask(head + "5\r\nabcde\r\n1\r\nf\r\n")
            #expect(long.status == 413)
            let rest = try await client.rest()
            #expect(rest.isEmpty)
        }
        try await withServer(limits: self.limits { $0.allowsChunks = false }) { server in
            let answer = try await RawClient(port: server.port).ask(head + "0\r\n\r\n")
            #expect(answer.status == 411)
        }
    }

    @Test("A client that waits for 100 Continue may go on")
    func proceed() async throws {
        try await withServer(handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
            let client = try RawClient(port: server.port)
            let leave = try await client.ask(
                "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(leave.status == 100)
            let answer = try await client.ask("abc")
            #expect(answer.body == "abc")
        }
    }

    @Test("A client that sends its head byte by byte, or not at all, is disconnected")
    func slowHead() async throws {
        try await withServer(limits: limits { $0.headTime = .milliseconds(200) }) { server in
            let slow = try RawClient(port: server.port)
            let trickle = Task {
                try await onThread {
                    slow.send("GET / HTTP/1.1\r\nA: ")
                    // Until the server has closed: then sending fails.
                    while send(slow.descriptor, "x", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(1000) }
                }
            }
            // Without the first line in time, the server sends nothing.
            let rest = try await slow.rest()
            #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 408 "), "\(rest)")
            try await trickle.value
            let silent = try RawClient(port: server.port)
            let nothing = try await silent.rest()
            #expect(nothing.isEmpty)
        }
    }

    @Test("A client that does not send all of its body is disconnected")
    func slowBody() async throws {
        try await withServer(limits: limits { $0.bodyTime = .milliseconds(200) }) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            let rest = try await client.rest()
            #expect(rest.hasPrefix("HTTP/1.1 408 "), "\(rest)")
        }
    }

    @Test("An unused connection is closed, also if bytes arrive one by one")
    func idle() async throws {
        let limits = limits {
            $0.idleTime = .seconds(1)
            $0.headTime = .seconds(1)
        }
        try await withServer(limits: limits) { server in
            // On a busy machine, the time for the first head may be over before the server has read it.
            var client = try RawClient(port: server.port)
            while (try? await client.ask(Self.get).status) != 200 { client = try RawClient(port: server.port) }
            let trickle = Task { [client] in
                try await onThread { while send(client.descriptor, "G", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(1000) } }
            }
            let rest = try await client.rest()
            #expect(rest.isEmpty)
            try await trickle.value
        }
    }

    @Test("A client that never reads is disconnected, and its response canceled")
    func neverReads() async throws {
        let ended = Event()
        let limits = limits { $0.idleTime = .milliseconds(100) }
        try await withServer(
            limits: limits,
            handler: { _ in
                HTTPResponse(body: .stream(Endless(ended: ended)))
            }
        ) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 4096)
            client.send(Self.get)
            await ended.wait()
            withExtendedLifetime(client) {}
        }
    }

    @Test("A request over the maximum is told to retry, and the next is served")
    func requests() async throws {
        let (started, gate) = (Event(), Latch())
        try await withServer(
            limits: limits { $0.requests = 1 },
            handler: { request in
                if request.target.path == "/slow" {
                    started.happen()
                    await gate.wait()
                }
                return HTTPResponse(text: "hello")
            }
        ) { server in
            let slow = try RawClient(port: server.port)
            slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            await started.wait()
            #expect(server.requests == 1)
            let refused = try await RawClient(port: server.port).ask(Self.get)
            #expect(refused.status == 503)
            #expect(refused.fields["retry-after"] == "1")
            gate.open()
            let answer = try await slow.answer()
            #expect(answer.status == 200)
        }
    }

    @Test("A body over the total of all requests is told to retry, and accepted after others are answered")
    func bodies() async throws {
        let (started, gate) = (Event(), Latch())
        try await withServer(
            limits: limits { $0.bodyBytesInAll = 10 },
            handler: { request in
                if request.target.path == "/slow" {
                    started.happen()
                    await gate.wait()
                }
                return HTTPResponse(text: "hello")
            }
        ) { server in
            func post(_ path: String, _ body: String, saying length: Int? = nil) throws -> RawClient {
                let client = try RawClient(port: server.port)
                client.send(
                    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
                return client
            }
            let slow = try post("/slow", "12345678")
            await started.wait()
            let refused = try await post("/", "", saying: 3).answer()
            #expect(refused.status == 503 && refused.fields["retry-after"] == "1")
            let chunks = try await RawClient(port: server.port).ask(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            #expect(chunks.status == 503)
            let fits = try await post("/", "12").answer()
            #expect(fits.status == 200)
            gate.open()
            #expect(try await slow.answer().status == 200)
            // The part of an incomplete body is released with its connection, whose end the server may notice later.
            let half = try post("/", "12345", saying: 10)
            half.finish()
            _ = try await half.rest()
            var whole = try await post("/", "1234567890").answer()
            while whole.status == 503 { whole = try await post("/", "1234567890").answer() }
            #expect(whole.status == 200)
        }
    }

    @Test("Each refusal is reported to a counter, which may add fields to the response")
    func refusals() async throws {
        let seen = Seen()
        // Only the last request may be late, also on a busy machine.
        for (request, time) in [
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", Duration.seconds(600)),
            ("POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n", .seconds(600)),
            (
                "POST /chunks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n",
                .seconds(600)
            ),
            ("POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc", .milliseconds(200)),
        ] {
            let limits = limits {
                $0.bodyBytes = { _ in 5 }
                $0.bodyTime = time
            }
            try await withServer(
                limits: limits,
                refused: { refusal in
                    let request = refusal.request.map { "\($0.method) \($0.target.path)" }
                    seen.add("\(refusal.status) \(request ?? "-") \(refusal.peer.origin ?? "-")")
                    return ["x-number": "7"]
                }
            ) { server in
                let answer = try await RawClient(port: server.port).ask(request)
                #expect(answer.fields["x-number"] == "7", "\(request)")
            }
        }
        let from = "127.0.0.1"
        #expect(
            seen.all == [
                "400 - \(from)", "413 POST /long \(from)", "413 POST /chunks \(from)", "408 POST /late \(from)",
            ])
    }

    @Test("A connection over the maximum waits until another has ended")
    func connections() async throws {
        try await withServer(limits: limits { $0.connections = 2 }) { server in
            let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
            for client in clients {
                let answer = try await client.ask(Self.get)
                #expect(answer.status == 200)
            }
            let third = try RawClient(port: server.port)
            third.send(Self.get)
            let still = try await clients[1].ask(Self.get)
            #expect(still.status == 200)
            #expect(server.connections == 2)
            clients[0].finish()
            let answer = try await third.answer()
            #expect(answer.status == 200)
        }
    }

    @Test("A connection over the maximum of its address is refused, and served when another has ended")
    func connectionsPerAddress() async throws {
        try await withServer(limits: limits { $0.connectionsPerAddress = 1 }) { server in
            let first = try RawClient(port: server.port)
            let answer = try await first.ask(Self.get)
            #expect(answer.status == 200)
            let second = try await RawClient(port: server.port).answer()
            #expect(second.status == 429)
            first.finish()
            let rest = try await first.rest()
            #expect(rest.isEmpty)
            // The server may notice the end after the client.
            var third = try await RawClient(port: server.port).ask(Self.get)
            while third.status == 429 { third = try await RawClient(port: server.port).ask(Self.get) }
            #expect(third.status == 200)
        }
    }

    @Test("A thousand connections stay open, and the first and the last one are answered")
    func manyConnections() async throws {
        let limits = limits { $0.headTime = .seconds(1_800) }
        try await withServer(limits: limits) { server in
            let clients = try (0..<1000).map { _ in try RawClient(port: server.port) }
            for client in [clients[0], clients[999]] {
                let answer = try await client.ask(Self.get)
                #expect(answer.status == 200)
            }
            #expect(server.connections == 1000)
        }
    }
}

/// An endless stream, which reports when it was canceled.
struct Endless: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let ended: Event
    var begun: Event?
    var made: Seen?

    final class AsyncIterator: AsyncIteratorProtocol {
        let stream: Endless

        init(_ stream: Endless) { self.stream = stream }

        deinit { stream.ended.happen() }

        func next() async throws -> [UInt8]? {
            stream.made?.add("piece")
            return [UInt8](repeating: 65, count: 65536)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        begun?.happen()
        return AsyncIterator(self)
    }
}
