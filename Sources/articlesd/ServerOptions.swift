import ArticleFetching
import ArticleStore
import Arguments
import Text
import HTTPServer
import LibraryStores
import Platform
import WebAPI
import WebFront

/// The checked options of the server.
struct ServerOptions {
    let database: StorePlace
    let addresses: [ListenAddress]
    /// The files of the certificate and its key; nil for a server without TLS.
    let identity: (certificate: String, key: String)?
    let proxies: TrustedProxies
    /// The path below which users see the server.
    let basePath: BasePath
    /// Whether a proxy connects over the network. A proxy on this machine may use a Unix socket only.
    let hasProxies: Bool
    /// Whether `--listen` was given but is ignored because a service manager passed sockets.
    let ignoresListen: Bool
    let front: WebFrontSettings
    let metrics: ListenAddress?
    let logFormat: RequestLog.Format
    let limits: HTTPLimits
    let patience: Duration
    /// The number of API requests per minute that one program may send.
    let apiLimit: Int
    /// The origins whose pages may call the API from scripts.
    let apiOrigins: Set<String>
    /// The settings of fetches; nil if the server does not fetch.
    let fetch: FetchSettings?
    /// The address at which others reach the server, without a slash at its end, to which hubs send their requests; nil if the
    /// server does not use WebSub.
    let hubAddress: String?
    /// The limits of expensive requests.
    let work: ExpensiveWork.Limits

    /// - Parameters:
    ///   - parsed: the command line.
    ///   - sockets: the sockets from a service manager, which replace `--listen`.
    init(_ parsed: ParsedCommand, sockets: [ServiceManager.Socket], environment: (String) -> String?) throws {
        database = StorePlace(try Self.database(parsed.filled("database"), environment: environment))
        let given = parsed.values("listen")
        ignoresListen = !sockets.isEmpty && !given.isEmpty
        addresses =
            sockets.isEmpty
            ? try (given.isEmpty ? ["127.0.0.1:8080"] : given).map { try Self.address($0, of: "listen", in: parsed) }
            : sockets.map { .descriptor($0.descriptor) }
        if let twice = Self.repeated(addresses) {
            throw ServerError("--listen \(twice) is given twice", hint: "remove one of them", code: .usage)
        }
        switch (try parsed.filled("tls-certificate"), try parsed.filled("tls-key")) {
        case (let certificate?, let key?): identity = (certificate, key)
        case (nil, nil): identity = nil
        default:
            throw ServerError(
                "--tls-certificate and --tls-key must be used together", hint: "pass both or neither", code: .usage)
        }
        var proxies = TrustedProxies()
        for text in parsed.values("trusted-proxy") where !proxies.insert(text) {
            throw ServerError(
                "“\(text)” is not a proxy address",
                hint: "use an IP address such as 10.0.0.7, a network such as 10.0.0.0/8, or unix",
                code: .usage)
        }
        self.proxies = proxies
        hasProxies = parsed.values("trusted-proxy").contains { $0 != "unix" }
        let basePath = try parsed.filled("base-path").map(Self.basePath) ?? .root
        self.basePath = basePath
        front = WebFrontSettings(
            name: try parsed.filled("name") ?? "Articles",
            images: parsed.value("images").flatMap(WebFrontSettings.Images.init) ?? .off)
        metrics = try parsed.filled("metrics").map { try Self.address($0, of: "metrics", in: parsed) }
        logFormat = parsed.value("log").flatMap(RequestLog.Format.init) ?? .text
        fetch = parsed.value("fetch") == "off" ? nil : try Self.fetching(parsed)
        let address = try parsed.filled("public-address").map(Self.publicAddress)
            .map { $0.hasSuffix(basePath.text) ? $0 : $0 + basePath.text }
        hubAddress = fetch == nil || parsed.value("websub") == "off" ? nil : address
        var limits = HTTPLimits()
        limits.connections = try parsed.integer("connections", in: 1...100_000) ?? 2_000
        let perAddress = try parsed.integer("connections-per-address", in: 1...100_000) ?? 100
        limits.connectionsPerAddress = hasProxies ? nil : perAddress
        limits.bodyBytes = { [hasHubs = hubAddress != nil] in Site.bodyLimit(of: basePath.reading($0), hasHubs: hasHubs)
        }
        // libmicrohttpd accepts chunk extensions and bare line feeds, which a proxy may read differently.
        limits.allowsChunks = false
        self.limits = limits
        apiOrigins = try Set(parsed.values("api-origin").map(Self.origin))
        apiLimit = try parsed.integer("api-limit", in: 1...1_000_000) ?? WebAPI.defaultLimit
        var work = ExpensiveWork.Limits()
        work.requestsPerUser = try parsed.integer("long-requests", in: 1...100_000) ?? work.requestsPerUser
        work.requests = max(work.requests, 4 * work.requestsPerUser)
        if let seconds = try parsed.integer("long-seconds", in: 1...1_000_000) { work.budget = .seconds(seconds) }
        self.work = work
        patience = .seconds(try parsed.integer("stop-after", in: 0...3_600) ?? 10)
    }

    private static func basePath(_ text: String) throws -> BasePath {
        guard text != "/" else { return .root }
        guard let path = BasePath(text) else {
            throw ServerError(
                "“\(text)” is not a path for --base-path",
                hint: "use a slash and then letters, digits, or -._~, such as /rss", code: .usage)
        }
        guard !Site.isOwn(path) else {
            throw ServerError(
                "--base-path \(path.text) begins like an address of the server itself",
                hint: "use another path, such as /rss",
                code: .usage)
        }
        return path
    }

    private static func database(_ option: String?, environment: (String) -> String?) throws -> String {
        if let given = option ?? environment("ARTICLESCTL_DATABASE").flatMap({ $0.isEmpty ? nil : $0 }) { return given }
        if let folder = environment("XDG_DATA_HOME"), folder.hasPrefix("/") {
            return folder + "/articlesctl/articles.db"
        }
        if let folder = environment("STATE_DIRECTORY"), folder.hasPrefix("/") { return folder + "/articles.db" }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw ServerError(
                "HOME is not set, so the default database has no path", hint: "pass the path with --database",
                code: .usage)
        }
        return home + "/.local/share/articlesctl/articles.db"
    }

    private static func fetching(_ parsed: ParsedCommand) throws -> FetchSettings {
        var settings = FetchSettings()
        for text in parsed.values("fetch-host") {
            guard let host = FetchSettings.host(text) else {
                throw parsed.error(.invalidValue(of: "--fetch-host", value: text, expected: "a name or an IP address"))
            }
            settings.trustedHosts.insert(host)
        }
        settings.contact = try parsed.filled("fetch-contact")
        guard FetchSettings.isContact(settings.contact ?? "") else {
            throw ServerError(
                "“\(settings.contact ?? "")” is not an address for --fetch-contact",
                hint: "use a web or e-mail address without spaces: https://example.org/about", code: .usage)
        }
        return settings
    }

    /// Returns the address of this server without a slash at its end.
    private static func publicAddress(_ text: String) throws -> String {
        guard var address = WebAddress.valid(text), !WebAddress.hasUser(address),
            address.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else {
            throw ServerError(
                "“\(text)” is not an address for --public-address",
                hint: "use the address at which browsers open the server: https://articles.example", code: .usage)
        }
        while address.hasSuffix("/") { address.removeLast() }
        return address
    }

    /// Returns an origin in the spelling of browsers (RFC 6454, section 6.1).
    private static func origin(_ text: String) throws -> String {
        let origin = text.lowercased()
        let parts = origin.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/?#@*,".utf8.contains($0) })
        else {
            throw ServerError(
                "“\(text)” is not an origin", hint: "use a scheme, a host, and an optional port: https://app.example",
                code: .usage)
        }
        return origin
    }

    /// Returns an address that occurs twice. Port 0 is a different port each time, so it does not count.
    private static func repeated(_ addresses: [ListenAddress]) -> ListenAddress? {
        var seen: Set<ListenAddress> = []
        return addresses.first { address in
            if case .internet(_, 0) = address { return false }
            return !seen.insert(address).inserted
        }
    }

    private static func address(_ text: String, of option: String, in parsed: ParsedCommand) throws -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw ServerError(
                "“\(text)” is not a valid address for --\(option)",
                hint: "use HOST:PORT, such as 127.0.0.1:8080, [::1]:8080, or :8080, or use unix:PATH",
                code: .usage)
        }
        return address
    }
}

extension ListenAddress {
    /// Parses an address on the command line; nil if it is invalid.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty else { return nil }
            self = .local(path: String(path), mode: 0o660)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        } else if host == "localhost" {
            host = "127.0.0.1"
        }
        self = .internet(host: host.isEmpty ? "::" : String(host), port: port)
    }

    /// Whether other machines can reach it.
    var isOpenToOthers: Bool {
        guard case .internet(let host, _) = self else { return false }
        return host != "::1" && !host.hasPrefix("127.")
    }

    /// Returns the URL for browsers; nil if they cannot reach it.
    func url(port: Int?, isSecure: Bool) -> String? {
        guard case .internet(let host, _) = self, let port else { return nil }
        let shown = host == "::" || host == "0.0.0.0" ? "localhost" : host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(shown):\(port)/"
    }
}
