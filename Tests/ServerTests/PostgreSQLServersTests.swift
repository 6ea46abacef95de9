import Foundation
import StoreEngines
import TestSupport
import Testing

/// Two servers of a library, and a browser without scripts that sends each request to the other one, as a proxy may.
private final class Servers {
    let servers: [RunningServer]
    let urls: [String]
    private let schema: TemporarySchema
    private let folder: TemporaryFolder
    private var turn = 0
    private var cookies = "cookies"
    /// The path and the text of the shown page.
    private(set) var path = ""
    private(set) var page = ""

    init(_ arguments: String...) async throws {
        schema = try await TemporarySchema()
        folder = try TemporaryFolder()
        let address = schema.address()
        servers = try (0..<2).map { _ in
            try RunningServer(["--database", address, "--listen", "127.0.0.1:0", "--fetch", "off"] + arguments)
        }
        var urls: [String] = []
        for server in servers { urls.append(try await server.url()) }
        self.urls = urls
    }

    struct Missing: Error { let what: String }

    /// Opens a page in a browser without cookies.
    func openAnew(_ path: String) async throws {
        cookies = UUID().uuidString
        try await open(path)
    }

    func open(_ path: String) async throws { try await ask(path, []) }

    /// Sends the first form of the page that has the button, with these values.
    func submit(_ values: [String: String], pressing button: String = "send") async throws {
        guard let buttonEnd = page.range(of: "name=\"do\" value=\"\(button)\"")?.lowerBound,
            let start = page.range(of: "<form", options: .backwards, range: page.startIndex..<buttonEnd)?.lowerBound,
            let end = page.range(of: "</form>", range: start..<page.endIndex)?.lowerBound,
            let action = page[start..<end].firstMatch(of: #/action="([^"]*)"/#)
        else { throw Missing(what: "\(button) on \(path)") }
        var all = ["do": button]
        for input in page[start..<end].matches(of: #/<input[^>]*name="([^"]*)" value="([^"]*)"/#) {
            all[String(input.1)] = String(input.2).replacing("&amp;", with: "&")
        }
        all.merge(values) { $1 }
        try await ask(
            String(action.1).replacing("&amp;", with: "&"), all.flatMap { ["--data-urlencode", "\($0)=\($1)"] })
    }

    /// Sends a request to the next server, and follows redirects, each to the next server.
    private func ask(_ path: String, _ arguments: [String]) async throws {
        turn += 1
        let (url, jar) = (urls[turn % 2], folder.file(cookies))
        let arguments =
            ["curl", "-s", "--max-time", "600", "-b", jar, "-c", jar, "-w", "\n%{redirect_url}"] + arguments
            + [url + path.dropFirst()]
        let output = try await apart { Result { try runProgram(arguments).output } }.get()
        let end = output.lastIndex(of: "\n") ?? output.startIndex
        let target = output[end...].dropFirst()
        if !target.isEmpty { return try await ask("/" + target.dropFirst(url.count), []) }
        (self.path, page) = (path, String(output[..<end]))
    }
}

@Suite(
    "Two servers with a library on a PostgreSQL server",
    .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil })
struct PostgreSQLServersTests {
    private static let password = "correct horse battery staple"

    private static func signUp(_ name: String, in servers: Servers) async throws {
        try await servers.openAnew("/signup")
        try await servers.submit(["username": name, "password": password, "confirmation": password])
        #expect(servers.path.hasPrefix("/signup/region?going="))
        try await servers.submit(["region": "SE"])
    }

    @Test("A registration continues on the other server after each step")
    func signUp() async throws {
        let servers = try await Servers()
        try await Self.signUp("grace", in: servers)
        #expect(servers.path == "/articles?unread=yes")
        try await servers.open("/account")
        #expect(servers.page.contains("grace"))
    }

    @Test("A second factor is set up, and a login with a code completed, on both servers in turn")
    func secondFactor() async throws {
        let servers = try await Servers()
        try await Self.signUp("grace", in: servers)
        try await servers.open("/account/second-factor/set-up")
        let secret = try #require(servers.page.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        let authenticator = try #require(Authenticator(secret.filter { $0 != " " }))
        try await servers.submit(["code": authenticator.code(at: Date())])
        let codes = try #require(servers.page.firstMatch(of: #/data-copy="([^"]*)" hidden>/#)?.1)
        let code = try #require(codes.split(separator: "\n").first)
        try await servers.openAnew("/login")
        try await servers.submit(["username": "grace", "password": Self.password])
        #expect(servers.path.hasPrefix("/second-factor?going="))
        try await servers.submit(["code": "000000"])
        #expect(servers.path.hasPrefix("/second-factor?going="))
        try await servers.submit(["code": String(code)])
        #expect(servers.path == "/articles?unread=yes")
    }

    @Test("A session that ends on one server is refused at once by the other")
    func logOut() async throws {
        let servers = try await Servers()
        try await Self.signUp("grace", in: servers)
        let account = #"{"username": "grace", "password": "\#(Self.password)"}"#
        for first in 0..<2 {
            let server = servers.servers[first]
            func ask(_ number: Int, _ arguments: String..., token: String) async throws -> String {
                var all = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)"]
                all += arguments + [servers.urls[number] + "api/v1/session"]
                let words = all
                return try await apart { Result { try runProgram(["curl"] + words).output } }.get()
            }
            let response = try await server.curl(
                "-H", "Content-Type: application/json", "-d", account, servers.urls[first] + "api/v1/session")
            let token = String(try #require(response.firstMatch(of: #/"bearer": ?"([^"]+)"/#)?.1))
            #expect(try await ask(0, token: token) == "200")
            #expect(try await ask(1, token: token) == "200")
            #expect(try await ask(first, "-X", "DELETE", token: token) == "204")
            #expect(try await ask(1 - first, token: token) == "401")
        }
        // The same in a browser.
        try await servers.open("/articles")
        try await servers.submit(["agreed": "yes"], pressing: "!log-out")
        for _ in 0..<2 {
            try await servers.open("/account")
            #expect(servers.page.contains("name=\"password\""))
        }
    }

    @Test("Wrong passwords count on both servers together")
    func throttle() async throws {
        let servers = try await Servers()
        var statuses: [String] = []
        // Each failure increases the delay, so that a guess finally comes too early, however slow the machine is. Two
        // servers that count alone would admit ten.
        for number in 0..<10 where statuses.last != "429" {
            statuses.append(
                try await servers.servers[0].curl(
                    "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d",
                    #"{"username": "ada", "password": "not this one"}"#, servers.urls[number % 2] + "api/v1/session"))
        }
        #expect(statuses.prefix(5) == Array(repeating: "403", count: 5)[...] && statuses.last == "429", "\(statuses)")
    }

    @Test("The limit of requests applies to both servers together, one exchange after each other's requests")
    func limit() async throws {
        let servers = try await Servers(
            "--api-limit", "10", "--metrics", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1")
        var metrics: [String] = []
        for server in servers.servers {
            let line = try await server.line(with: "metrics at ")
            metrics.append(String(try #require(line.split(separator: " ").last)))
        }
        /// Sends requests to a server, and returns how many were admitted.
        func send(_ count: Int, to number: Int, from client: String) async throws -> Int {
            var admitted = 0
            for _ in 0..<count {
                let status = try await servers.servers[number].curl(
                    "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Forwarded-For: \(client)",
                    servers.urls[number] + "api/v1/openapi.json")
                #expect(status == "200" || status == "429")
                if status == "200" { admitted += 1 }
            }
            return admitted
        }
        /// Waits for an exchange of a server that begins from now on.
        func exchange(_ number: Int) async throws {
            func count() async throws -> Int {
                let text = try await servers.servers[number].curl(metrics[number])
                let value = try #require(text.firstMatch(of: #/\narticlesd_limit_exchanges_total ([0-9]+)/#)?.1)
                return try #require(Int(value))
            }
            // The present exchange may have begun before.
            let goal = try await count() + 2
            while try await count() < goal {}
        }
        func minute() -> Int { Int(Date().timeIntervalSince1970 / 60) }
        for attempt in 1...10 {
            let (client, beginning) = ("192.0.2.\(attempt)", minute())
            let first = try await send(6, to: 0, from: client)
            try await exchange(0)
            try await exchange(1)
            let second = try await send(7, to: 1, from: client)
            try await exchange(1)
            try await exchange(0)
            let third = try await send(7, to: 0, from: client)
            // Each minute has its own limit.
            guard minute() == beginning else { continue }
            #expect((first, second, third) == (6, 4, 0))
            return
        }
        Issue.record("The machine is too slow to send 20 requests in one minute")
    }
}
