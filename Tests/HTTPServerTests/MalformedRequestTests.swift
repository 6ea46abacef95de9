import HTTPServer
import Testing

@Suite("Malformed requests")
struct MalformedRequestTests {
    /// A request, and the status of its refusal.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        var status = 400
        var testDescription: String { name }
    }

    static let host = "Host: example.org\r\n"
    static let post = "POST / HTTP/1.1\r\nHost: example.org\r\n"
    /// Bytes that must not be read as a request.
    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: example.org\r\n\r\n"

    static let shapes: [Shape] = [
        Shape(
            name: "both lengths", request: post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG"),
        Shape(
            name: "both lengths, the other way",
            request: post + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nG"),
        Shape(name: "two lengths", request: post + "Content-Length: 1\r\nContent-Length: 5\r\n\r\nabcde"),
        Shape(name: "the same length twice", request: post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde"),
        Shape(name: "a list of lengths", request: post + "Content-Length: 5, 5\r\n\r\nabcde"),
        Shape(name: "a length with a sign", request: post + "Content-Length: +5\r\n\r\nabcde"),
        Shape(name: "a length below zero", request: post + "Content-Length: -5\r\n\r\nabcde"),
        Shape(name: "a length in hexadecimal", request: post + "Content-Length: 0x5\r\n\r\nabcde"),
        Shape(name: "an empty length", request: post + "Content-Length: \r\n\r\nabcde"),
        Shape(
            name: "a length beyond numbers", request: post + "Content-Length: 99999999999999999999999\r\n\r\n",
            status: 413),
        Shape(
            name: "two codings",
            request: post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Shape(name: "a list of codings", request: post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Shape(name: "an unknown coding", request: post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        Shape(name: "a coding with a tab", request: post + "Transfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n"),
        Shape(name: "a coding on two lines", request: post + "Transfer-Encoding: chun\r\n ked\r\n\r\n0\r\n\r\n"),
        Shape(name: "a coding in HTTP/1.0", request: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Shape(name: "a chunk without a size", request: post + "Transfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n"),
        Shape(
            name: "a chunk with a size below zero",
            request: post + "Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n"),
        Shape(name: "a chunk with 0x", request: post + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n"),
        Shape(name: "a chunk with a space", request: post + "Transfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n"),
        Shape(
            name: "a chunk beyond numbers",
            request: post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc", status: 413),
        Shape(
            name: "a chunk longer than it said",
            request: post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n"),
        Shape(name: "bare LF after the first line", request: "GET / HTTP/1.1\nHost: example.org\r\n\r\n"),
        Shape(name: "bare LF after a field", request: "GET / HTTP/1.1\r\nHost: example.org\nA: b\r\n\r\n"),
        Shape(name: "bare LF after the last field", request: "GET / HTTP/1.1\r\nHost: example.org\n\r\n"),
        Shape(name: "bare LF at the end", request: "GET / HTTP/1.1\r\nHost: example.org\r\n\n"),
        Shape(name: "bare LF everywhere", request: "GET / HTTP/1.1\nHost: example.org\n\n"),
        Shape(name: "bare CR in a field", request: "GET / HTTP/1.1\r\n\(host)A: b\rC: d\r\n\r\n"),
        Shape(name: "bare CR in the first line", request: "GET /\r HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "a folded field", request: "GET / HTTP/1.1\r\n\(host)A: b\r\n c\r\n\r\n"),
        Shape(name: "a first field that is folded", request: "GET / HTTP/1.1\r\n A: b\r\n\(host)\r\n"),
        Shape(name: "a folded last field", request: "GET / HTTP/1.1\r\nHost: example\r\n\t.org\r\n\r\n"),
        Shape(name: "space before a colon", request: "GET / HTTP/1.1\r\nHost : example.org\r\n\r\n"),
        Shape(name: "space in a name", request: "GET / HTTP/1.1\r\n\(host)A b: c\r\n\r\n"),
        Shape(name: "no name", request: "GET / HTTP/1.1\r\n\(host): c\r\n\r\n"),
        Shape(name: "no colon", request: "GET / HTTP/1.1\r\n\(host)A\r\n\r\n"),
        Shape(name: "a name that is no token", request: "GET / HTTP/1.1\r\n\(host)A(b): c\r\n\r\n"),
        Shape(name: "a name beyond ASCII", request: "GET / HTTP/1.1\r\n\(host)Ä: c\r\n\r\n"),
        Shape(name: "NUL in a field", request: "GET / HTTP/1.1\r\n\(host)A: b\u{0}c\r\n\r\n"),
        Shape(name: "NUL in a name", request: "GET / HTTP/1.1\r\n\(host)A\u{0}b: c\r\n\r\n"),
        Shape(name: "NUL at the end of a field", request: "GET / HTTP/1.1\r\n\(host)A: b\u{0}\r\n\r\n"),
        Shape(name: "NUL in the target", request: "GET /a\u{0}b HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "NUL in the method", request: "GE\u{0}T / HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "a control character in a field", request: "GET / HTTP/1.1\r\n\(host)A: b\u{1B}\r\n\r\n"),
        Shape(name: "no Host", request: "GET / HTTP/1.1\r\nA: b\r\n\r\n"),
        Shape(name: "no field at all", request: "GET / HTTP/1.1\r\n\r\n"),
        Shape(name: "two Hosts", request: "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
        Shape(name: "a Host that is none", request: "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Shape(name: "a Host with a user", request: "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        Shape(name: "spaces before the target", request: "GET  / HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "spaces in the target", request: "GET /a b HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "spaces behind the version", request: "GET / HTTP/1.1 \r\n\(host)\r\n"),
        Shape(name: "no version", request: "GET /\r\n\(host)\r\n"),
        Shape(name: "a version in lower case", request: "GET / http/1.1\r\n\(host)\r\n"),
        Shape(name: "a version of three", request: "GET / HTTP/1.10\r\n\(host)\r\n"),
        Shape(name: "HTTP/2", request: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505),
        Shape(name: "HTTP/0.9", request: "GET / HTTP/0.9\r\n\(host)\r\n", status: 505),
        Shape(name: "a method that is no token", request: "G@T / HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "CONNECT", request: "CONNECT example.org:443 HTTP/1.1\r\n\(host)\r\n", status: 501),
        Shape(name: "the target of another host", request: "GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "the target of another scheme", request: "GET ftp://example.org/ HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "a target without a slash", request: "GET articles HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "an asterisk", request: "GET * HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "a fragment", request: "GET /#a HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "a target beyond ASCII", request: "GET /ä HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "upwards", request: "GET /a/../b HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "upwards, escaped", request: "GET /a/%2e%2E HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "an escaped NUL", request: "GET /a%00 HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "an escaped NUL in the query", request: "GET /?a=%00 HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "overlong UTF-8", request: "GET /%c0%ae%c0%ae/ HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "an escape that is none", request: "GET /%zz HTTP/1.1\r\n\(host)\r\n"),
        Shape(name: "an expectation that is unknown", request: post + "Expect: wonders\r\n\r\n", status: 417),
    ]

    @Test(
        "A malformed request is refused, its connection ends, and the bytes after it are not a request",
        arguments: shapes)
    func refused(shape: Shape) async throws {
        let seen = Seen()
        try await withServer(handler: { request in
            seen.add(request.target.path)
            return HTTPResponse(text: "taken")
        }) { server in
            let client = try RawClient(port: server.port)
            client.send(shape.request + Self.smuggled)
            let answer = try await client.answer()
            #expect(answer.status == shape.status, "\(answer)")
            #expect(answer.fields["connection"] == "close")
            // libmicrohttpd sends the head of its response to a wrong Content-Length twice.
            let rest = try await client.rest()
            #expect(!rest.contains("HTTP/1.1 2"), "\(rest)")
            #expect(seen.all.isEmpty)
        }
    }

    @Test("Binary bytes and lines without content do no harm")
    func garbage() async throws {
        try await withServer { server in
            let binary = try RawClient(port: server.port)
            binary.send((0...255).map { UInt8($0) } + Array("\r\n\r\n".utf8))
            let answer = try await binary.rest()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            let blank = try RawClient(port: server.port)
            let second = try await blank.ask("\r\n\r\nGET / HTTP/1.1\r\n\(Self.host)\r\n")
            #expect(second.status == 200)
        }
    }

    @Test(
        "Requests in unusual but valid forms are accepted",
        arguments: [
            "GET / HTTP/1.0\r\n\r\n",
            "GET http://example.org/ HTTP/1.1\r\nHost: Example.ORG\r\n\r\n",
            "GET http://example.org?a=b HTTP/1.1\r\nHost: example.org\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: example.org\r\n\r\n",
            "MKCOL / HTTP/1.1\r\nHost: example.org\r\n\r\n",
            "GET / HTTP/1.1\r\nHost:example.org:8080\r\nA:\r\nB: \t c \r\n\r\n",
            "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: \r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        ])
    func unusual(request: String) async throws {
        try await withServer { server in
            let answer = try await RawClient(port: server.port).ask(request)
            #expect(answer.status == 200)
        }
    }

    @Test("A body in chunks is read, and its connection ends with the response")
    func chunks() async throws {
        try await withServer(handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
            let client = try RawClient(port: server.port)
            client.send(
                Self.post
                    + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
                    + Self.smuggled)
            let answer = try await client.answer()
            #expect(answer.body == "abc0123456789")
            #expect(answer.fields["connection"] == "close")
            let rest = try await client.rest()
            #expect(rest.isEmpty, "\(rest)")
        }
    }
}
