import Foundation
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Requests to unknown servers")
struct HTTPClientTests {
    /// A client that may use the servers of these tests.
    private func client(_ change: (inout HTTPClientConfiguration) -> Void = { _ in }) throws -> HTTPClient {
        var configuration = HTTPClientConfiguration(userAgent: "tests/1.0 (+https://example.org)")
        configuration.trustedHosts = ["127.0.0.1"]
        // The tests may run on a busy machine.
        (configuration.patience, configuration.connectPatience) = (.seconds(600), .seconds(600))
        change(&configuration)
        return try HTTPClient(configuration)
    }

    private func request(_ port: Int?, _ path: String = "/") throws -> ClientRequest {
        ClientRequest(try HTTPURL("http://127.0.0.1:\(port ?? 0)\(path)"))
    }

    /// Serves while the body runs.
    private func serving(
        _ handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        let server = try HTTPServer(on: .internet(host: "127.0.0.1", port: 0), handler: handler)
        do {
            try await body(server)
        } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .zero)
    }

    @Test("A response has its status, its fields and its body, and the request names the program")
    func response() async throws {
        try await serving { request in
            let agent = request.fields["user-agent"]?.text ?? ""
            let unwanted = ["cookie", "referer"].compactMap { request.fields[$0]?.text }
            return HTTPResponse(.notFound, text: "\(agent) \(unwanted)", fields: ["etag": "\"a b\""])
        } _: { server in
            let response = try await client().send(request(server.port))
            #expect(response.status == 404)
            #expect(response.value(of: "ETag") == Array("\"a b\"".utf8))
            #expect(String(decoding: response.body, as: UTF8.self) == "tests/1.0 (+https://example.org) []")
            #expect(response.redirects.isEmpty)
        }
    }

    @Test("Validators are returned byte for byte, and a field with a line break is refused")
    func validators() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nETag: \u{e9}\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let client = try client()
        var request = try request(server.port)
        let value = try #require(try await client.send(request).value(of: "etag"))
        request.fields = [HTTPClientField("If-None-Match", value)]
        _ = try await client.send(request)
        #expect(server.requests.last?.contains("If-None-Match: \u{e9}\r\n") == true)
        request.fields = [HTTPClientField("If-None-Match", "a\r\nX: b")]
        await #expect(throws: HTTPClientError.badField("If-None-Match")) { try await client.send(request) }
    }

    @Test("A form is sent with POST, and again after a redirect that keeps it, but not after others")
    func form() async throws {
        try await serving { request in
            let statuses = ["/kept": 307, "/moved": 308, "/other": 303, "/found": 302]
            if let code = statuses[request.target.path].flatMap({ HTTPStatus($0) }) {
                return HTTPResponse(code, fields: [.location: "/end"])
            }
            let type = request.fields[.contentType]?.text ?? ""
            return HTTPResponse(
                text: "\(request.method) \(type) \(String(decoding: request.body, as: UTF8.self))")
        } _: { server in
            let sent = "POST application/x-www-form-urlencoded a.b=1%262%20%3D%C3%BC&c="
            for (path, status, text) in [
                ("/end", 200, sent), ("/kept", 200, sent), ("/moved", 200, sent), ("/other", 303, ""),
                ("/found", 302, ""),
            ] {
                var request = try request(server.port, path)
                request.form = [("a.b", "1&2 =ü"), ("c", "")]
                let response = try await client().send(request)
                #expect(response.status == status, "\(path)")
                #expect(String(decoding: response.body, as: UTF8.self) == text, "\(path)")
            }
        }
    }

    @Test("A carriage return within a field of a response becomes a space")
    func carriageReturn() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nETag: \"a\rb\"\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let client = try client()
        var request = try request(server.port)
        let value = try #require(try await client.send(request).value(of: "etag"))
        #expect(value == Array("\"a b\"".utf8))
        request.fields = [HTTPClientField("If-None-Match", value)]
        _ = try await client.send(request)
    }

    @Test(
        "A message shows only the beginning of an address that a server has sent",
        arguments: [
            HTTPClientError.badAddress(String(repeating: "x", count: 60_000)),
            .badScheme(String(repeating: "x", count: 60_000)), .unknownHost(String(repeating: "x", count: 60_000)),
            .noConnection("e\(String(repeating: "\u{301}", count: 60_000))"),
            .forbiddenHost(String(repeating: "x", count: 60_000)),
            .insecure(host: String(repeating: "x", count: 60_000), reason: "expired"),
        ])
    func longAddress(error: HTTPClientError) {
        #expect(error.description.utf8.count < 1_000)
        #expect(error.description.contains("…"))
    }

    @Test("Redirects are followed and recorded, up to a number")
    func redirects() async throws {
        try await serving { request in
            let place = ["/a": (301, "b?x=1"), "/b": (302, "/c"), "/circle": (302, "/circle")][request.target.path]
            guard let (status, location) = place, let code = HTTPStatus(status) else { return HTTPResponse() }
            return HTTPResponse(code, fields: [.location: HTTPFieldValue(stringLiteral: location)])
        } _: { server in
            let response = try await client().send(request(server.port, "/a"))
            #expect(response.url.text.hasSuffix("/c"))
            #expect(response.redirects.map(\.status) == [301, 302])
            #expect(response.redirects.last?.from.text.hasSuffix("/b?x=1") == true)
            await #expect(throws: HTTPClientError.tooManyRedirects(3)) {
                try await client { $0.redirects = 3 }.send(request(server.port, "/circle"))
            }
        }
    }

    @Test(
        "A redirect leads only to the web, to allowed ports, and to public addresses",
        arguments: [
            ("file:///etc/passwd", HTTPClientError.badScheme("file")), ("gopher://example.org/", .badScheme("gopher")),
            ("http://localhost:80/", .forbiddenHost("localhost")), ("http://127.2/", .forbiddenHost("127.0.0.2")),
            ("http://[::1]/", .forbiddenHost("[::1]")), ("http://0x7f000002/", .forbiddenHost("127.0.0.2")),
            ("http://[::ffff:127.0.0.1]/", .forbiddenHost("[::ffff:127.0.0.1]")),
            ("http://192.0.2.1:22/", .forbiddenPort(22)),
            ("http://a:b@example.org/", .badAddress("http://a:b@example.org/")),
        ])
    func redirectElsewhere(location: String, error: HTTPClientError) async throws {
        let server = try RawServer("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        await #expect(throws: error) { try await client().send(request(server.port)) }
    }

    @Test("A password is sent only to its own host")
    func credentials() async throws {
        let other = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { other.stop() }
        let elsewhere = try HTTPFieldValue("http://127.0.0.1:\(other.port)/")
        try await serving { request in
            guard request.target.path == "/" else {
                return HTTPResponse(text: request.fields["authorization"]?.text ?? "")
            }
            return HTTPResponse(.seeOther, fields: [.location: elsewhere])
        } _: { server in
            var own = try request(server.port, "/own")
            own.credentials = ("ada", "secret")
            #expect(try await client().send(own).body == Array("Basic YWRhOnNlY3JldA==".utf8))
            own.url = try HTTPURL("/", relativeTo: own.url)
            _ = try await client().send(own)
            #expect(other.requests.count == 1)
            #expect(other.requests.first?.lowercased().contains("authorization") == false)
        }
    }

    @Test("A password is sent without encryption only to a trusted host")
    func clearPassword() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        var own = try request(server.port)
        own.credentials = ("ada", "secret")
        await #expect(throws: HTTPClientError.passwordInTheClear("127.0.0.1")) {
            try await client {
                $0.trustedHosts = []
                $0.ports = nil
            }.send(own)
        }
        #expect(server.requests.isEmpty)
        #expect(try await client().send(own).status == 200)
    }

    @Test("A body that is too long ends the request, also if it is endless or grows by decompression")
    func longBody() async throws {
        let endless = try RawServer("HTTP/1.1 200 OK\r\n\r\n", repeating: String(repeating: "x", count: 10_000))
        defer { endless.stop() }
        let declared = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n", closes: false)
        defer { declared.stop() }
        let client = try client { $0.bodyBytes = 100_000 }
        for port in [endless.port, declared.port] {
            await #expect(throws: HTTPClientError.bodyTooLarge(100_000)) { try await client.send(request(port)) }
        }
        // A request may have a smaller limit, but not a larger one.
        for (limit, effective) in [(1_000, 1_000), (1_000_000, 100_000)] {
            await #expect(throws: HTTPClientError.bodyTooLarge(effective)) {
                var limited = try request(endless.port)
                limited.bodyBytes = limit
                _ = try await client.send(limited)
            }
        }
        try await serving { request in
            #expect(request.fields["accept-encoding"]?.text.contains("gzip") == true)
            return HTTPResponse(text: String(repeating: "x", count: 10_000_000))
        } _: { server in
            await #expect(throws: HTTPClientError.bodyTooLarge(100_000)) { try await client.send(request(server.port)) }
        }
    }

    @Test("A header that is endless ends the request")
    func longHeader() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\n", repeating: "X: \(String(repeating: "x", count: 1_000))\r\n")
        defer { server.stop() }
        let client = try client { $0.headerBytes = 10_000 }
        await #expect(throws: HTTPClientError.headerTooLarge(10_000)) { try await client.send(request(server.port)) }
    }

    @Test("A server that does not answer, or only byte by byte, is left after the time limit")
    func timeout() async throws {
        let silent = try RawServer("", closes: false)
        defer { silent.stop() }
        let client = try client { $0.patience = .milliseconds(300) }
        let slow = try RawServer("HTTP/1.1 200 OK\r\n\r\n", repeating: "x", pause: .milliseconds(10))
        defer { slow.stop() }
        for port in [silent.port, slow.port] {
            await #expect(throws: HTTPClientError.timedOut) { try await client.send(request(port)) }
        }
    }

    @Test("A canceled request ends at once")
    func cancellation() async throws {
        let silent = try RawServer("", closes: false)
        defer { silent.stop() }
        let request = try request(silent.port)
        let client = try client { $0.patience = .seconds(3_600) }
        let task = Task { try await client.send(request) }
        while silent.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: HTTPClientError.canceled) { try await task.value }
        // A task that was canceled before does not send anything.
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.send(request)
        }
        late.cancel()
        await #expect(throws: HTTPClientError.canceled) { try await late.value }
        #expect(silent.requests.count == 1)
    }

    @Test("An interrupted client ends all requests, and accepts new ones afterwards")
    func interruption() async throws {
        let silent = try RawServer("", closes: false)
        defer { silent.stop() }
        let isInterrupted = Atomic(false)
        let client = try client {
            $0.patience = .seconds(3_600)
            $0.isInterrupted = { isInterrupted.load(ordering: .relaxed) }
        }
        let request = try request(silent.port)
        let first = Task { try await client.send(request) }
        while silent.requests.isEmpty { await Task.yield() }
        isInterrupted.store(true, ordering: .relaxed)
        await #expect(throws: HTTPClientError.canceled) { try await first.value }
        await #expect(throws: HTTPClientError.canceled) { try await client.send(request) }
        isInterrupted.store(false, ordering: .relaxed)
        let second = Task { try await client.send(request) }
        while silent.requests.count < 2 { await Task.yield() }
        second.cancel()
        await #expect(throws: HTTPClientError.canceled) { try await second.value }
    }

    @Test("A server is trusted only with a certificate for its name by a known authority")
    func certificates() async throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.file("key"), folder.file("certificate"))
        let (status, output) = try runProgram([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
            certificate,
        ])
        try #require(status == 0, "\(output)")
        let server = try HTTPServer(
            on: .internet(host: "127.0.0.1", port: 0),
            identity: TLSIdentity(
                certificate: Array(try folder.bytes(of: "certificate")), key: Array(try folder.bytes(of: "key")))
        ) { request in
            let isPlain = request.target.path == "/plain"
            return isPlain
                ? HTTPResponse(HTTPStatus(308) ?? .ok, fields: [.location: "http://127.0.0.1:1/"])
                : HTTPResponse(text: "hello")
        }
        let port = server.port ?? 0
        let request = ClientRequest(try HTTPURL("https://127.0.0.1:\(port)/"))
        var form = ClientRequest(try HTTPURL("https://127.0.0.1:\(port)/plain"))
        form.form = [("secret", "key")]
        let byName = ClientRequest(try HTTPURL("https://localhost:\(port)/"))
        let known = try client {
            $0.authorities = certificate
            $0.trustedHosts = ["127.0.0.1", "localhost"]
        }
        #expect(try await known.send(request).body == Array("hello".utf8))
        // A form may contain a secret, so it does not go to an address without encryption.
        for (client, request) in [(try client(), request), (known, byName), (known, form)] {
            let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
            guard case .insecure = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        await server.stop(within: .zero)
    }

    @Test("A response that is not HTTP or breaks off has its own error, and so has a host without a server")
    func broken() async throws {
        let garbage = try RawServer("SSH-2.0-OpenSSH\r\n\r\n")
        defer { garbage.stop() }
        let short = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        defer { short.stop() }
        let client = try client()
        for port in [garbage.port, short.port] {
            let error = await #expect(throws: HTTPClientError.self) { try await client.send(request(port)) }
            guard case .brokenResponse = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        let closed = try RawServer("", listens: false)
        defer { closed.stop() }
        await #expect(throws: HTTPClientError.noConnection("127.0.0.1")) { try await client.send(request(closed.port)) }
    }

    @Test("Many requests to one host use one connection")
    func oneConnection() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", closes: false)
        defer { server.stop() }
        let (client, request) = (try client(), try request(server.port))
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await client.send(request).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests.count == 20)
        #expect(server.connections == 1)
    }
}

@Suite("Addresses")
struct AddressTests {
    @Test(
        "Only addresses of the public network are public",
        arguments: [
            ("93.184.216.34", true), ("2606:2800:220:1::1", true), ("10.0.0.1", false), ("100.64.0.1", false),
            ("100.63.255.255", true), ("127.255.0.1", false), ("169.254.169.254", false), ("172.15.0.1", true),
            ("172.16.0.1", false), ("172.31.255.255", false), ("172.32.0.1", true), ("192.168.1.1", false),
            ("198.19.255.255", false), ("224.0.0.1", false), ("255.255.255.255", false), ("0.0.0.0", false),
            ("::1", false), ("::", false), ("fe80::1", false), ("fc00::1", false), ("fd12::1", false),
            ("ff02::1", false),
            ("::ffff:10.0.0.1", false), ("::ffff:93.184.216.34", true), ("64:ff9b::a00:1", false),
            ("2002:a00:1::", false), ("2001:db8::1", false), ("2001::1", false), ("::127.0.0.1", false),
        ])
    func publicAddresses(text: String, isPublic: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == isPublic)
    }

    @Test("An address is read as libcurl reads it")
    func parts() throws {
        let url = try HTTPURL("HTTP://EXAMPLE.org:80/a/../b?q=\u{e4} c#part")
        #expect(url.text == "http://example.org/b?q=%c3%a4+c")
        #expect(url.host == "example.org" && url.port == 80 && !url.isSecure)
        #expect(try HTTPURL("https://example.org").port == 443)
        #expect(try HTTPURL("//other.org/x", relativeTo: url).text == "http://other.org/x")
        for text in ["", "/x", "example", "mailto:a@b.c", "http://", "http://a b/", "http://a\u{0}b/"] {
            #expect(throws: HTTPClientError.self) { try HTTPURL(text) }
        }
    }

    @Test(
        "A typed address may lack a scheme, or begin with that of feeds",
        arguments: [
            ("example.org/x", "https://example.org/x"), ("http://example.org", "http://example.org/"),
            ("feed://example.org/x", "http://example.org/x"), ("FEED:https://example.org/x", "https://example.org/x"),
        ])
    func typed(text: String, url: String) throws {
        #expect(try HTTPURL(typed: text).text == url)
    }
}
