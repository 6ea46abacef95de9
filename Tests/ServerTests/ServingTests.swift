import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("articlesd")
struct ServingTests {
    @Test("The server starts immediately with a new database, and stops on request")
    func atOnce() async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0"])
        let url = try await server.url()
        #expect(try await server.curl(url + "healthz") == "ok\n")
        #expect(try await server.curl(url + "readyz") == "ready\n")
        #expect(try await server.curl(url + "articles?search=secret").contains("value=\"/login\""))
        #expect(try server.folder.mode(of: ".local/share/articlesctl/articles.db") == 0o600)
        server.signal(SIGTERM)
        let (code, lines) = await server.end()
        #expect(code == 0)
        #expect(lines.last?.hasSuffix("stopped") == true)
        #expect(lines.contains { $0.contains("127.0.0.1 GET /articles 200") })
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test("A second signal to stop ends the server at once, and the first lets requests end")
    func stopTwice() async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--stop-after", "3600"])
        let port = try #require(URL(string: try await server.url())?.port)
        // A second signal within a second of the first counts as the same. Other tests can delay tasks for longer than
        // the server waits for the body, so a thread begins the request and sends the signals.
        let hasEnded = Atomic(false)
        async let request: Void = apart {
            Result {
                defer { server.signal(SIGKILL) }
                let client = try Self.beginRequest(port: port)
                while !hasEnded.load(ordering: .relaxed) {
                    server.signal(SIGTERM)
                    usleep(50_000)
                }
                close(client)
            }
        }.get()
        let (code, lines) = await server.end()
        hasEnded.store(true, ordering: .relaxed)
        try await request
        #expect(code == 143)
        #expect(lines.contains { $0.contains("stopping") })
    }

    /// Sends the head of a request, and waits until the server asks for the body.
    private static func beginRequest(port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        let head = "POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        _ = send(descriptor, head, head.utf8.count, 0)
        var answer = [UInt8](repeating: 0, count: 12)
        #expect(recv(descriptor, &answer, answer.count, 0) > 0)
        #expect(String(decoding: answer, as: UTF8.self) == "HTTP/1.1 100")
        return descriptor
    }

    @Test("With too little address space the server says so and does not start", arguments: [100, 300, 500])
    func littleMemory(megabytes: Int) async throws {
        let server = try RunningServer(
            ["--listen", "127.0.0.1:0"], shell: #"ulimit -v \#(megabytes * 1024) && exec "$0" "$@""#)
        let (code, lines) = await server.end()
        #expect(code == 75)
        #expect(lines.first?.contains("\(megabytes) MiB") == true)
    }

    @Test("A full disk makes the server not ready until there is room again")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: false)
        let server = try RunningServer(
            ["--listen", "127.0.0.1:0", "--database", folder.file("data/a.db")], in: folder,
            shell: #"exec unshare -m sh -c 'mount -t tmpfs -o size=16m none "$HOME/data" && exec "$0" "$@"' "$0" "$@""#)
        let url = try await server.url()
        #expect(try await server.curl(url + "readyz") == "ready\n")
        let fill = server.mounted("data/fill")
        try #require(FileManager.default.createFile(atPath: fill, contents: nil))
        let file = try FileHandle(forWritingTo: URL(filePath: fill))
        #expect(throws: (any Error).self) { while true { try file.write(contentsOf: Data(count: 1 << 16)) } }
        try file.close()
        #expect(try await server.curl(url + "readyz", "-i").hasPrefix("HTTP/1.1 503 "))
        #expect(try await server.curl(url + "readyz") != "ready\n")
        try FileManager.default.removeItem(atPath: fill)
        #expect(try await server.curl(url + "readyz") == "ready\n")
        server.signal(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test("Every response limits what browsers may do with it")
    func guards() async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"])
        let url = try await server.url()
        for path in [
            "articles", "nothing", "assets/nothing", "healthz", "api/v1/articles", "api/v1/openapi.json",
            "feeds/x/atom", "reader/api/0/token",
        ] {
            let answer = try await server.curl(url + path, "-i", "-H", "X-Forwarded-Proto: https").lowercased()
            for field in [
                "x-content-type-options: nosniff", "frame-ancestors 'none'", "base-uri 'none'", "default-src 'none'",
                "referrer-policy: ", "cross-origin-resource-policy: same-origin", "content-type: ", "cache-control: ",
                "strict-transport-security: max-age=31536000",
            ] { #expect(answer.contains(field), "\(path)") }
            #expect(!answer.contains("access-control"), "\(path)")
        }
        for path in ["", "login", "api/v1/articles", "healthz", "readyz"] {
            let answer = try await server.curl(url + path, "-i", "-X", "TRACE").lowercased()
            #expect(answer.hasPrefix("http/1.1 405 ") && answer.contains("\r\nallow: "), "\(path)")
        }
        let chunks = try await server.curl(url + "login", "-i", "-H", "Transfer-Encoding: chunked", "-d", "do=sent")
        #expect(chunks.hasPrefix("HTTP/1.1 411 "))
        server.signal(SIGTERM)
        _ = await server.end()
    }

    @Test("The log is JSON on request, one line for each event, without secrets")
    func jsonLog() async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--log", "json"])
        let url = try #require(try await server.line(with: "serving ").split(separator: " ").last).prefix { $0 != "\"" }
        _ = try await server.curl("\(url)articles?search=hidden-words", "-H", "Cookie: session=hidden-token")
        _ = try await server.curl("--path-as-is", "\(url)/feed%73//hidden/atom")
        server.signal(SIGINT)
        let (code, lines) = await server.end()
        #expect(code == 0)
        let objects = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let request = try #require(objects.first { $0["event"] as? String == "request" })
        #expect(request["path"] as? String == "/articles" && request["status"] as? Int == 200)
        #expect(request["milliseconds"] is Double)
        #expect(!lines.contains { $0.contains("hidden") })
    }

    @Test("A body may be as long as the limit of its path, and not a byte longer")
    func bodies() async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0"])
        let url = try await server.url()
        let large = [
            "reader/api/0/edit-tag", "api/greader.php/reader/api/0/edit-tag", "api/v1/articles", "api/v1/marks",
        ]
        // A text in the form of a token, without a session.
        let token = String(repeating: "0", count: 16) + "." + String(repeating: "A", count: 43)
        for (kibibytes, paths) in [
            (
                64,
                ["login", "api/v1/session", "api/v1/users/ada", "accounts/ClientLogin", "nothing", "sources/import"]
                    + large
            ),
            (1_024, ["articles", "articles/a/edit", "%61rticles/a/edit", "write"]),
            (8_192, large), (16_384, ["sources/import"]),
        ] {
            let files = try [0, 1].map { more in
                try server.folder.write("\(kibibytes)-\(more)", [UInt8](repeating: 0x61, count: kibibytes << 10 + more))
            }
            for path in paths {
                var statuses: [String] = []
                let scheme = path.contains("reader/") ? "GoogleLogin auth=" : "Bearer "
                for file in files {
                    // curl sends it only after the server has accepted its size.
                    statuses.append(
                        try await server.curl(
                            url + path, "-o", "/dev/null", "-w", "%{http_code}", "-H", "Expect: 100-continue",
                            "--expect100-timeout", "600", "--data-binary", "@\(file)", "-H",
                            kibibytes > 1_024 ? "Authorization: " + scheme + token : "Authorization: none", "-H",
                            kibibytes > 1_024 ? "Cookie: a=b; session=" + token : "Cookie: a=b"))
                }
                #expect(statuses[0].first == "3" || statuses[0].first == "4", "\(path) \(statuses)")
                #expect(statuses[0] != "413" && statuses[1] == "413", "\(path) \(statuses)")
            }
        }
    }

    @Test("With a base path, the server answers below it and without it, and all its addresses begin with it")
    func basePath() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--base-path", "/rss/"], in: folder)
        let url = try await server.url()
        #expect(url.hasSuffix("/rss/"))
        for place in [url, String(url.dropLast("rss/".count))] {
            let page = try await server.curl(place + "articles", "-i")
            #expect(page.contains("; Path=/rss;") && page.contains("action=\"/rss/articles\""))
            #expect(!page.contains("href=\"/a"))
            let style = try #require(page.firstMatch(of: #/href="/rss/(assets/style-[^"]*)"/#)?.1)
            #expect(try await server.curl(place + style, "-o", "/dev/null", "-w", "%{http_code}") == "200")
            #expect(try await server.curl(place + "worker.js").contains("\"/rss/assets/"))
            #expect(try await server.curl(place + "healthz") == "ok\n")
            let description = try await server.curl(place + "api/v1/openapi.json")
            #expect(description.contains(#/"url": ?"\/rss\/api\/v1"/#))
            #expect(try await server.curl(place + "reader/api/0/token", "-w", "%{http_code}").hasSuffix("401"))
        }
        // The limit of a body depends on the place.
        let body = try folder.write("body", [UInt8](repeating: 0x61, count: 64 << 10 + 1))
        for (path, isRefused) in [("write", false), ("login", true)] {
            let status = try await server.curl(
                url + path, "-o", "/dev/null", "-w", "%{http_code}", "-H", "Expect: 100-continue",
                "--expect100-timeout", "600", "--data-binary", "@\(body)")
            #expect((status == "413") == isRefused, "\(path) \(status)")
        }
    }

    @Test("A refusal is logged with a number, and limits what browsers may do with it")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("metrics.sock")
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--metrics", "unix:\(socket)"], in: folder)
        let url = try await server.url()
        let body = try folder.write("body", [UInt8](repeating: 0x61, count: 64 << 10 + 1))
        let answer = try await server.curl(
            url + "login", "-i", "-H", "Expect: 100-continue", "--expect100-timeout", "600", "--data-binary", "@\(body)"
        ).lowercased()
        #expect(answer.hasPrefix("http/1.1 413 ") && answer.contains("x-content-type-options: nosniff"))
        let id = try #require(answer.firstMatch(of: #/x-request-id: (\S+)/#)).1
        let text = try await server.curl("--unix-socket", socket, "http://x/metrics")
        #expect(text.contains("articlesd_requests_total{place=\"login\",method=\"POST\",status=\"413\"} 1\n"))
        server.signal(SIGTERM)
        let lines = await server.end().lines
        #expect(lines.contains { $0.lowercased().hasSuffix(" 127.0.0.1 post /login 413 - - \(id)") }, "\(lines)")
    }

    @Test("A proxy on a Unix socket determines the client's address")
    func proxy() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("http.sock")
        let server = try RunningServer(["--listen", "unix:\(socket)", "--trusted-proxy", "unix"], in: folder)
        try await server.line(with: "serving ")
        let page = try await server.curl(
            "-i", "--unix-socket", socket, "http://library.test/", "-H", "X-Forwarded-For: 192.0.2.7", "-H",
            "X-Forwarded-Proto: https")
        #expect(page.contains("__Host-browser=") && page.lowercased().contains("strict-transport-security"))
        #expect(try folder.mode(of: "http.sock") == 0o660)
        server.signal(SIGTERM)
        #expect(await server.end().lines.contains { $0.contains(" 192.0.2.7 GET / ") })
        #expect(try !folder.names.contains("http.sock"))
    }

    @Test("The server uses the sockets that a service manager has opened")
    func activation() async throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port =
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Bool in
                    bind(listening, address, size) == 0 && listen(listening, 16) == 0
                        && getsockname(listening, address, &size) == 0
                }
            } ? UInt16(bigEndian: address.sin_port) : 0
        let server = try RunningServer(
            [], shell: #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#, descriptors: [listening])
        #expect(try await server.url() == "http://127.0.0.1:\(port)/")
        #expect(try await server.curl("http://127.0.0.1:\(port)/healthz") == "ok\n")
    }

    @Test("The log says if sockets of a service manager replace --listen, and if others can connect to them")
    func activationWarnings() async throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        #expect(listen(listening, 16) == 0)
        let server = try RunningServer(
            ["--listen", "127.0.0.1:0"], shell: #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#,
            descriptors: [listening])
        try await server.line(with: "warning: --listen")
        try await server.line(with: "warning: connections to 0.0.0.0:")
    }

    @Test("In a journal, log lines have a priority and no time")
    func journal() async throws {
        let server = try RunningServer(
            ["--listen", "0.0.0.0:0"],
            shell: #"JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec "$0" "$@""#)
        try await server.line(with: "<4>warning: connections to 0.0.0.0:0")
        server.signal(SIGTERM)
        let lines = await server.end().lines
        #expect(lines.first?.hasPrefix("<6>serving ") == true && lines.last == "<6>stopped", "\(lines)")
    }

    @Test("The server counts its responses, at an address of its own")
    func metrics() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("metrics.sock")
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--metrics", "unix:\(socket)"], in: folder)
        let url = try await server.url()
        try await server.line(with: "metrics at \(socket)")
        _ = try await server.curl(url + "articles")
        _ = try await server.curl(url + "one-of-many/names")
        _ = try await server.curl(url + "import")
        #expect(!(try await server.curl(url + "metrics").contains("articlesd_requests_total")))
        let text = try await server.curl("--unix-socket", socket, "http://x/metrics")
        #expect(text.contains("articlesd_requests_total{place=\"articles\",method=\"GET\",status=\"200\"} 1\n"))
        #expect(text.contains("articlesd_requests_total{place=\"import\",method=\"GET\""))
        #expect(text.contains("{place=\"other\",method=\"GET\",status=\"404\"} 2\n") && !text.contains("one-of-many"))
        #expect(text.contains("articlesd_request_duration_seconds_bucket{place=\"articles\",le=\"+Inf\"} 1\n"))
        #expect(text.contains("\nprocess_resident_memory_bytes "))
    }

    @Test("While no account exists, the log says how to become the operator")
    func firstUser() async throws {
        let folder = try TemporaryFolder()
        func serve(_ register: Bool) async throws -> Int {
            let server = try RunningServer(["--listen", "127.0.0.1:0"], in: folder)
            let url = try await server.url()
            if register {
                let body = #"{"username": "ada", "password": "correct horse battery staple", "region": "SE"}"#
                let made = try await server.curl(
                    url + "api/v1/users", "-H", "Content-Type: application/json", "--data", body)
                #expect(made.contains(#""role":"operator""#), "\(made)")
            }
            server.signal(SIGTERM)
            return await server.end().lines.count { $0.contains("becomes the operator") }
        }
        #expect(try await serve(false) == 1)
        #expect(try await serve(true) == 1)
        #expect(try await serve(false) == 0)
    }

    @Test("The log warns of passwords that can be read on the network")
    func warning() async throws {
        let open = try RunningServer(["--listen", "0.0.0.0:0"])
        try await open.line(with: "warning: connections to 0.0.0.0:0 ")
        let local = try RunningServer(["--listen", "0.0.0.0:0", "--trusted-proxy", "unix"])
        try await local.line(with: "warning: connections to 0.0.0.0:0 ")
        let closed = try RunningServer(["--listen", "0.0.0.0:0", "--trusted-proxy", "10.0.0.1"])
        _ = try await closed.url()
        closed.signal(SIGTERM)
        #expect(await !closed.end().lines.contains { $0.contains("warning") })
    }
}

@Suite("articlesd on a database of others")
struct OpenDatabaseTests {
    @Test("The database becomes private, with a warning")
    func closed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        let first = try RunningServer(["--database", path, "--listen", "127.0.0.1:0"], in: folder)
        _ = try await first.url()
        first.signal(SIGTERM)
        _ = await first.end()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let second = try RunningServer(["--database", path, "--listen", "127.0.0.1:0"], in: folder)
        try await second.line(with: "other users had access to")
        _ = try await second.url()
        #expect(try folder.mode(of: "articles.db") == 0o600)
    }
}

@Suite("articlesd with a certificate")
struct CertificateTests {
    static func makeCertificate(_ name: String, in folder: TemporaryFolder) throws -> [String] {
        let (certificate, key) = (folder.file("\(name).pem"), folder.file("\(name).key"))
        let (status, output) = try runProgram([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        #expect(status == 0, "\(output)")
        return ["--tls-certificate", certificate, "--tls-key", key]
    }

    @Test("The server encrypts, and loads another certificate on request")
    func reload() async throws {
        let folder = try TemporaryFolder()
        let options = try Self.makeCertificate("first", in: folder)
        _ = try Self.makeCertificate("second", in: folder)
        let server = try RunningServer(["--listen", "127.0.0.1:0"] + options, in: folder)
        let url = try await server.url()
        #expect(url.hasPrefix("https://"))
        let page = try await server.curl("-i", "--cacert", options[1], url)
        #expect(page.contains("__Host-browser=") && page.lowercased().contains("strict-transport-security"))
        for ending in ["pem", "key"] { try folder.write("first.\(ending)", folder.bytes(of: "second.\(ending)")) }
        server.signal(SIGHUP)
        try await server.line(with: "reloaded the certificate")
        #expect(try await server.curl("--cacert", folder.file("second.pem"), url + "healthz") == "ok\n")
        try folder.write("first.pem", Array("nothing".utf8))
        server.signal(SIGHUP)
        try await server.line(with: "\(options[1]) with \(options[3])")
        #expect(try await server.curl("--cacert", folder.file("second.pem"), url + "healthz") == "ok\n")
    }
}

@Suite("articlesd with the key of a certificate")
struct KeyTests {
    @Test("The server warns if others can read the key")
    func openKey() async throws {
        let folder = try TemporaryFolder()
        let options = try CertificateTests.makeCertificate("site", in: folder)
        for (mode, isOpen) in [(0o644, true), (0o640, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: options[3])
            let server = try RunningServer(["--listen", "localhost:0"] + options, in: folder)
            #expect(try await server.url().hasPrefix("https://127.0.0.1:"))
            server.signal(SIGTERM)
            let (code, lines) = await server.end()
            #expect(code == 0)
            #expect(lines.contains { $0.contains(" \(options[3])") } == isOpen)
        }
    }
}

@Suite("articlesd that cannot serve")
struct RefusalTests {
    @Test(
        "The server says why it cannot start, and what to do, with the exit code for it",
        arguments: [
            (["--listen", "here"], 64, "“here” is not a valid address for --listen"),
            (["--listen", "127.0.0.1:99999"], 64, "is not a valid address for --listen"),
            (["--listen", "::1:80"], 64, "is not a valid address for --listen"),
            (["--listen", "192.0.2.1:0"], 64, "192.0.2.1:0"),
            (["--listen", "unix:/dev/null"], 64, "/dev/null"),
            (["--listen", ":8080", "--listen", "[::]:8080"], 64, "--listen [::]:8080 is given twice"),
            (["--metrics", "x"], 64, "is not a valid address for --metrics"),
            (["--tls-key", "k"], 64, "--tls-certificate"),
            (["--tls-key", "no.key", "--tls-certificate", "no.pem"], 66, "cannot read no.pem: No such file"),
            (["--tls-key", "no.key", "--tls-certificate", "/"], 66, "cannot read /: "),
            (["--trusted-proxy", "proxy.test"], 64, "“proxy.test”"),
            (["--base-path", "rss"], 64, "“rss” is not a path for --base-path"),
            (["--base-path", "/a\"b"], 64, "is not a path for --base-path"),
            (["--base-path", "/api/rss"], 64, "--base-path /api/rss begins like an address of the server"),
            (["--api-origin", "*"], 64, "is not an origin"),
            (["--api-origin", "https://app.example/"], 64, "is not an origin"),
            (["--images", "some"], 64, "images"),
            (["--connections", "0"], 64, "connections"),
            (["--lisen", "x"], 64, "Did you mean '--listen'?"),
            (["--database", "/dev/null", "--listen", "127.0.0.1:0"], 69, "/dev/null"),
            (["serve"], 64, "unknown command 'serve'"),
        ] as [([String], Int32, String)])
    func wrong(arguments: [String], code: Int32, words: String) async throws {
        let server = try RunningServer(arguments)
        let (ended, lines) = await server.end()
        #expect(ended == code && lines.joined(separator: "\n").contains(words), "\(lines)")
        #expect(lines.first?.hasPrefix("articlesd: ") == true)
    }

    @Test("A server that cannot listen does not create a library", arguments: [false, true])
    func taken(isMetrics: Bool) async throws {
        let first = try RunningServer(["--listen", "127.0.0.1:0"])
        let port = try #require(URL(string: try await first.url())?.port)
        let folder = try TemporaryFolder()
        let socket = folder.file("http.sock")
        let taken = "127.0.0.1:\(port)"
        let second = try RunningServer(
            isMetrics ? ["--listen", "unix:\(socket)", "--metrics", taken] : ["--listen", taken], in: folder)
        let (code, lines) = await second.end()
        #expect(code != 0 && lines.first?.contains(taken) == true, "\(lines)")
        #expect(try folder.names == [])
        first.signal(SIGTERM)
        _ = await first.end()
    }

    @Test("The error names the owner of a database that the server may not write")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        let first = try RunningServer(["--database", path, "--listen", "127.0.0.1:0"], in: folder)
        _ = try await first.url()
        first.signal(SIGTERM)
        _ = await first.end()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        // Root may write it anyway.
        let isRoot = geteuid() == 0
        let second = try RunningServer(
            ["--database", path, "--listen", "127.0.0.1:0"], in: folder,
            shell: isRoot
                ? #"exec setpriv --inh-caps=-all --bounding-set=-all --no-new-privs "$0" "$@""# : #"exec "$0" "$@""#)
        let (code, lines) = await second.end()
        #expect(code == 73 && lines.first?.contains(path) == true, "\(lines)")
    }

    @Test("The error names the files that do not match")
    func otherKey() async throws {
        let folder = try TemporaryFolder()
        let one = try CertificateTests.makeCertificate("one", in: folder)
        let other = try CertificateTests.makeCertificate("other", in: folder)
        let server = try RunningServer(["--listen", "127.0.0.1:0"] + one[..<3] + other[3...], in: folder)
        let (code, lines) = await server.end()
        #expect(code == 65 && lines.first?.contains(one[1]) == true && lines.first?.contains(other[3]) == true)
    }

    @Test("A database of another program is not changed")
    func foreign() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("other.db", Array("SQLite format 3".utf8) + [UInt8](repeating: 0, count: 4_081))
        let before = try folder.bytes(of: "other.db")
        let server = try RunningServer(["--database", path, "--listen", "127.0.0.1:0"], in: folder)
        #expect(await server.end().code != 0)
        #expect(try folder.bytes(of: "other.db") == before && folder.names == ["other.db"])
    }
}
