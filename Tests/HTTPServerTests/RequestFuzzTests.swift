import HTTPServer
import TestSupport
import Testing

@Suite("Random requests")
struct RequestFuzzTests {
    private static let requests = [
        "GET /articles?search=a%20b&sort=title HTTP/1.1\r\nHost: a.example:80\r\nAccept: */*\r\n\r\n",
        "POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\na=b&c=d",
        "POST /x HTTP/1.1\r\nHost: [::1]:8080\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "PUT http://a.example/%7Ex/./y HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
        "OPTIONS * HTTP/1.0\r\nConnection: keep-alive\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\", W/\"y\"\r\n\r\n",
    ]
    /// Parts with a meaning in a head, a target, or a body.
    private static let pieces = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", ";", ",", "%", "%00", "%2e%2e", "..", "/", "//", "\\", "?", "#", "&",
        "=", "+", "-", "\"",
        "0", "9999999999999999999", "chunked", "Content-Length: 3\r\n", "Transfer-Encoding: identity\r\n",
        "Host: b\r\n",
        "HTTP/1.1", "HTTP/2.0", "é", "\u{202E}", "[", "]", "@",
    ]

    /// Returns a request, cut, duplicated, and recombined.
    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array((requests.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
            }
        }
        return bytes
    }

    @Test("Random requests are answered or refused, and handlers receive only valid values")
    func mangled() async throws {
        let rounds = Fuzzing.rounds(usual: 400, cost: 50)
        try await withServer(handler: { request in
            for field in request.fields {
                #expect(!field.value.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F })
            }
            #expect(!request.target.segments.contains { $0 == ".." || $0 == "." || $0.contains("\0") })
            #expect(request.fields.values(of: .contentLength).count <= 1)
            #expect(request.fields.values(of: .host).count <= 1)
            return HTTPResponse(text: "hello")
        }) { server in
            let port = server.port
            try await withThrowingTaskGroup { group in
                for worker in 0..<40 {
                    group.addTask {
                        var random = SeededGenerator(seed: Fuzzing.firstSeed + UInt64(worker))
                        for _ in 0..<max(1, rounds / 40) {
                            let bytes = Self.bytes(&random)
                            let client = try RawClient(port: port)
                            client.send(bytes)
                            client.finish()
                            let answer = try await client.rest()
                            let status = answer.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init)
                            #expect(
                                answer.isEmpty
                                    || answer.hasPrefix("HTTP/1.1 ")
                                        && status?.first.map { "1234".contains($0) } == true
                                    || ["501", "505"].contains(status), "\(bytes) is answered \(answer)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await RawClient(port: port).ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        }
    }

    @Test("Only a trusted proxy determines the forwarded values, and a client's address is valid")
    func forwarded() throws {
        let words = [
            "for=", "by=", "proto=", "host=", "https", "http", "192.0.2.7", "\"[2001:db8::1]:4711\"", "[::1]",
            "unknown", "_a",
            "10.0.0.1", ";", ",", "\"", " ", "=", "\\", "a.example", "256.1.1.1", ":", "::", "é",
        ]
        var proxies = TrustedProxies()
        let isNetwork = proxies.insert("10.0.0.0/8")
        #expect(isNetwork)
        var random = SeededGenerator(seed: Fuzzing.firstSeed)
        let target = try #require(HTTPTarget("/"))
        for _ in 0..<Fuzzing.rounds(usual: 5_000) {
            var fields: HTTPFields = [:]
            for name: HTTPFieldName in ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"] {
                let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }
                if let value = try? HTTPFieldValue(text.joined()) { fields.append(value, for: name) }
            }
            let request = HTTPRequest(.get, target, fields: fields, peer: .internet(host: "10.0.0.1", port: 1))
            guard case .internet(let host, _) = proxies.reading(request).peer else {
                Issue.record("\(fields) is nobody's")
                continue
            }
            #expect(host.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }, "\(fields) is of \(host)")
        }
    }
}
