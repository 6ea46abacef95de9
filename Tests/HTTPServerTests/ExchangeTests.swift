import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Requests and responses")
struct ExchangeTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Handlers receive requests exactly as clients send them")
    func request() async throws {
        let handler: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let cookies = request.fields.values(of: .cookie).map(\.text)
            let parts = [
                request.method.name, request.target.path, request.target.segments.joined(separator: "|"),
                request.target.query.items.map { "\($0.name)=\($0.value)" }.joined(separator: "|"),
                cookies.joined(separator: "|"), request.fields["x-name"]?.text ?? "", request.host ?? "",
                String(decoding: request.body, as: UTF8.self), String(request.isSecure),
            ]
            return HTTPResponse(text: parts.joined(separator: "\n"))
        }
        try await withServer(handler: handler) { server in
            let answer = try await RawClient(port: server.port).ask(
                """
                PUT /a%20b/%c3%a4/?q=x+y%2Bz&q=2&e HTTP/1.1\r
                host: Example.org\r
                Cookie: a=1\r
                COOKIE: b=2\r
                X-Name:  \u{e4} \r
                Content-Length: 4\r
                \r
                body
                """)
            #expect(
                answer.body == """
                    PUT
                    /a%20b/%c3%a4/
                    a b|\u{e4}|
                    q=x y+z|q=2|e=
                    a=1|b=2
                    \u{e4}
                    Example.org
                    body
                    false
                    """)
            #expect(answer.fields["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(answer.fields["content-type"] == "text/plain; charset=utf-8")
        }
    }

    @Test("A response has the handler's fields, except those of the server")
    func fields() async throws {
        try await withServer(handler: { _ in
            var response = HTTPResponse(
                .seeOther,
                fields: [
                    .location: "/x", .setCookie: "a=1", .setCookie: "b=2", .contentLength: "99",
                    .transferEncoding: "chunked",
                    .connection: "upgrade", .date: "never",
                ])
            response.body = .bytes(Array("abc".utf8))
            response.closesConnection = true
            return response
        }) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = try await client.rest()
            let lines = text.components(separatedBy: "\r\n")
            #expect(lines[0] == "HTTP/1.1 303 See Other")
            let expected = [
                "Date: Sun, 06 Nov 1994 08:49:37 GMT", "location: /x", "set-cookie: a=1", "set-cookie: b=2",
                "Content-Length: 3", "Connection: close",
            ]
            #expect(lines[1...].prefix { !$0.isEmpty }.sorted() == expected.sorted())
            #expect(lines.last == "abc")
        }
    }

    @Test("HEAD, 204, and 304 have no body", arguments: [true, false])
    func noBody(isStream: Bool) async throws {
        try await withServer(handler: { request in
            let status: HTTPStatus =
                switch request.target.path {
                case "/204": .noContent
                case "/304": .notModified
                default: .ok
                }
            let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(Array("hello".utf8))
                continuation.finish()
            }
            return HTTPResponse(status, body: isStream ? .stream(stream) : .bytes(Array("hello".utf8)))
        }) { server in
            for request in ["HEAD /", "GET /204", "GET /304"] {
                let client = try RawClient(port: server.port)
                let head = try await client.ask("\(request) HTTP/1.1\r\nHost: a\r\n\r\n", isHead: true)
                #expect(head.status == (Int(request.suffix(3)) ?? 200))
                if isStream {
                    #expect(head.fields["content-length"] == nil)
                } else if request == "HEAD /" {
                    #expect(head.fields["content-length"] == "5")
                }
                // Nothing of it is left: the next response is complete, or the connection has ended.
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let rest = try await client.rest()
                #expect(rest.isEmpty ? isStream : rest.hasPrefix("HTTP/1.1 200 "), "\(rest)")
            }
        }
    }

    @Test("Responses on a connection keep the order of requests, however these arrive")
    func pipelining() async throws {
        try await withServer(handler: { HTTPResponse(body: .bytes(Array($0.target.path.utf8) + $0.body)) }) { server in
            let client = try RawClient(port: server.port)
            let all = (0..<50).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" }.joined()
            client.send(all)
            for number in 0..<50 {
                let answer = try await client.answer()
                #expect(answer.body == "/\(number)abc")
            }
            for byte in "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".utf8 { client.send([byte]) }
            let answer = try await client.answer()
            #expect(answer.body == "/slow")
        }
    }

    @Test("A response of HTTP/1.0 ends its connection, unless it is to be kept")
    func oldVersion() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let kept = try await client.ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(kept.status == 200)
            let last = try await client.ask("GET / HTTP/1.0\r\n\r\n")
            #expect(last.status == 200)
            let rest = try await client.rest()
            #expect(rest.isEmpty)
        }
    }

    @Test("Small and large responses are complete", arguments: [0, 1, 65536, 5_000_000])
    func sizes(count: Int) async throws {
        var limits = HTTPLimits.patient
        limits.bodyBytes = { _ in 5_000_000 }
        try await withServer(limits: limits, handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
            let client = try RawClient(port: server.port)
            let body = String(repeating: "x", count: count)
            let answer = try await client.ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n\(body)")
            #expect(answer.body == body)
        }
    }

    @Test("A response with too long a head becomes an error of the server")
    func longHead() async throws {
        try await withServer(handler: { _ in
            var response = HTTPResponse(text: "hello")
            if let long = try? HTTPFieldValue(String(repeating: "x", count: 20_000)) {
                response.fields["x-long"] = long
            }
            return response
        }) { server in
            let answer = try await RawClient(port: server.port).ask(Self.get)
            #expect(answer.status == 500)
        }
    }

    @Test(
        "A request whose client is gone is canceled, whether it closes or resets", arguments: [true, false])
    func cancellation(isReset: Bool) async throws {
        let (started, ended) = (Event(), Event())
        try await withServer(handler: { _ in
            started.happen()
            await Latch().wait()
            if Task.isCancelled { ended.happen() }
            return HTTPResponse()
        }) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send(Self.get)
            await started.wait()
            if isReset, let client {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
            client = nil
            await ended.wait()
        }
    }

    @Test("An incomplete request reaches no handler")
    func halfRequests() async throws {
        let seen = Seen()
        try await withServer(handler: { _ in
            seen.add("request")
            return HTTPResponse()
        }) { server in
            for part in [
                "G", "GET / HT", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc",
            ] {
                let client = try RawClient(port: server.port)
                client.send(part)
                client.finish()
                let rest = try await client.rest()
                #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 408 "))
            }
            #expect(seen.all.isEmpty)
        }
    }
}
