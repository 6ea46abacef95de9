import HTTPServer
import Testing

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private static func proxies(_ texts: String...) throws -> TrustedProxies {
        var proxies = TrustedProxies()
        for text in texts {
            let isAddress = proxies.insert(text)
            try #require(isAddress)
        }
        return proxies
    }

    private static func request(
        from host: String = "10.0.0.1", _ fields: HTTPFields, isSecure: Bool = false
    ) throws -> HTTPRequest {
        HTTPRequest(
            .get, try #require(HTTPTarget("/")), fields: fields, peer: .internet(host: host, port: 1),
            isSecure: isSecure)
    }

    @Test(
        "A trusted proxy determines the client's address",
        arguments: [
            (["x-forwarded-for": "192.0.2.7"], "192.0.2.7"),
            (["x-forwarded-for": "6.6.6.6, 192.0.2.7"], "192.0.2.7"),
            (["x-forwarded-for": "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            (["x-forwarded-for": "192.0.2.7:4711"], "192.0.2.7"),
            (["x-forwarded-for": "2001:db8::1"], "2001:db8::1"),
            (["x-forwarded-for": "[2001:db8::1]:80"], "2001:db8::1"),
            (["forwarded": "for=192.0.2.7;proto=https"], "192.0.2.7"),
            (["forwarded": "For=\"[2001:db8::1]:80\", for=10.0.0.9"], "2001:db8::1"),
            (["forwarded": "for=192.0.2.7", "x-forwarded-for": "6.6.6.6"], "192.0.2.7"),
            (["forwarded": "for=6.6.6.6, for=unknown"], "10.0.0.1"),
            (["x-forwarded-for": "nonsense"], "10.0.0.1"),
            (["x-forwarded-for": ""], "10.0.0.1"),
        ] as [(HTTPFields, String)])
    func client(fields: HTTPFields, expected: String) throws {
        let read = try Self.proxies("10.0.0.0/8").reading(Self.request(fields))
        guard case .internet(let host, _) = read.peer else { Issue.record("no address"); return }
        #expect(host == expected)
    }

    @Test(
        "A trusted proxy names the path below which it shows the server",
        arguments: [
            ("/rss", "/rss"), ("/rss/", "/rss"), ("/a/b-c_d.e~1", "/a/b-c_d.e~1"), ("", ""), ("/", ""), ("rss", ""),
            ("//evil.test", ""), ("/a/../b", ""), ("/a//b", ""), ("/a\"b", ""), ("/a?b", ""), ("/%2e", ""),
            ("/a, /b", ""),
        ])
    func prefix(text: String, expected: String) throws {
        let fields: HTTPFields = ["x-forwarded-prefix": try HTTPFieldValue(text), .host: "library.test"]
        let request = try Self.proxies("10.0.0.0/8").reading(Self.request(fields))
        #expect(request.prefix == expected && request.site == "http://library.test" + expected)
        #expect(request.origin == "http://library.test")
        #expect(try Self.proxies("10.0.0.0/8").reading(Self.request(from: "192.0.2.9", fields)).prefix.isEmpty)
    }

    @Test("An untrusted client's claims are ignored")
    func strangers() throws {
        let fields: HTTPFields = [
            "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https", "x-forwarded-host": "evil.test",
            "forwarded": "for=127.0.0.1;proto=https;host=evil.test", .host: "library.test",
        ]
        let request = try Self.request(from: "192.0.2.9", fields)
        #expect(try Self.proxies("10.0.0.0/8", "unix").reading(request) == request)
        #expect(TrustedProxies().reading(request) == request)
        // Behind a trusted proxy, only the values that this proxy has written count.
        let through = try Self.proxies("10.0.0.0/8").reading(
            Self.request([
                "forwarded": "for=127.0.0.1;proto=https;host=evil.test, for=192.0.2.9;proto=http", .host: "a.test",
            ]))
        #expect(!through.isSecure && through.host == "a.test")
    }

    @Test("A trusted proxy says whether the client's connection is encrypted, and names the host")
    func scheme() throws {
        let proxies = try Self.proxies("10.0.0.1")
        let one = try proxies.reading(
            Self.request(["x-forwarded-proto": "https", "x-forwarded-host": "library.test", .host: "inner"]))
        #expect(one.isSecure && one.host == "library.test")
        let other = try proxies.reading(
            Self.request(["forwarded": "proto=http;host=\"library.test:8080\""], isSecure: true))
        #expect(!other.isSecure && other.host == "library.test:8080")
        let odd = try proxies.reading(
            Self.request(["x-forwarded-proto": "ftp", "x-forwarded-host": "a/b", .host: "inner"]))
        #expect(!odd.isSecure && odd.host == "inner")
    }

    @Test("A Unix socket can be trusted as a proxy")
    func local() throws {
        let request = HTTPRequest(
            .get, try #require(HTTPTarget("/")), fields: ["x-forwarded-for": "192.0.2.7"], peer: .local)
        #expect(try Self.proxies("unix").reading(request).peer == .internet(host: "192.0.2.7", port: 0))
        #expect(try Self.proxies("10.0.0.1").reading(request).peer == .local)
    }

    @Test(
        "Proxies are named by numeric addresses",
        arguments: ["", "proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::1/129", "10.0.0.0/-1"])
    func wrong(text: String) {
        var proxies = TrustedProxies()
        let isAddress = proxies.insert(text)
        #expect(!isAddress)
    }

    @Test(
        "A network contains the addresses with its first bits",
        arguments: [
            ("10.1.2.3/12", "10.15.255.255", true), ("10.1.2.3/12", "10.16.0.0", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("127.0.0.1", "::ffff:127.0.0.1", true), ("0.0.0.0/0", "::1", false),
        ])
    func network(network: String, peer: String, isTrusted: Bool) throws {
        let read = try Self.proxies(network).reading(Self.request(from: peer, ["x-forwarded-for": "192.0.2.7"]))
        #expect((read.peer == .internet(host: "192.0.2.7", port: 0)) == isTrusted)
    }
}
