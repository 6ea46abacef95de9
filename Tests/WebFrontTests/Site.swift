import LibraryServices
import ArticleStore
import AuthService
import FetchingSupport
import FlowCoordinators
import Foundation
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import WebFront

final class RoundTrips: Sendable {
    let count = Atomic(0)
}

/// A front with its own stores, accounts, and articles.
struct Site: Sendable {
    static let password = "correct horse battery staple"

    let front: WebFront
    /// Another server of the same library.
    let otherFront: WebFront
    let services: Services
    let clock: TestClock
    let counter = CallCounter()
    /// The number of messages to a PostgreSQL server.
    let roundTrips = RoundTrips()
    /// The servers of feeds.
    let web: FakeWeb
    /// The storage of the services, which lives as long as the site.
    private let stores: Stores

    /// - Parameters:
    ///   - before: called before each call to the accounts, with the store that gets the call.
    ///   - visits: returns the store of visits in place of the given one.
    ///   - work: the limits of expensive requests.
    init(
        _ settings: WebFrontSettings = WebFrontSettings(), work: ExpensiveWork.Limits = ExpensiveWork.Limits(),
        before: @escaping @Sendable (WatchedAccounts.Call, any AccountStore) async throws -> Void = { _, _ in },
        visits: (any VisitRepository) -> any VisitRepository = { $0 }
    ) async throws {
        let clock = TestClock()
        let roundTrips = roundTrips
        let stores = counter.counting(
            try await StoreEngine.ofFixtures.open(clock: clock) { roundTrips.count.add(1, ordering: .relaxed) })
        self.clock = clock
        self.stores = stores
        web = FakeWeb(stores, clock: clock)
        let accounts = stores.accounts
        services = Services(
            auth: AuthService(
                store: WatchedAccounts(accounts) { try await before($0, accounts) },
                hasher: PasswordHasher(parameters: .weakest), clock: { clock.now }),
            articles: stores.articles, subscriptions: stores.subscriptions,
            pictures: settings.images == .kept ? stores.pictures : nil, feeds: web.feeds,
            marks: stores.marks,
            reading: stores.reading, clock: { clock.now })
        let visits = visits(stores.visits)
        let work = ExpensiveWork(limits: work)
        front = WebFront(services: services, visits: visits, settings: settings, work: work)
        otherFront = WebFront(services: services, visits: visits, settings: settings, work: work)
    }

    /// Makes a site where `ada` has an account and there are some articles.
    static func furnished(
        _ count: Int = 3, _ settings: WebFrontSettings = WebFrontSettings(),
        work: ExpensiveWork.Limits = ExpensiveWork.Limits(),
        before: @escaping @Sendable (WatchedAccounts.Call, any AccountStore) async throws -> Void = { _, _ in },
        visits: (any VisitRepository) -> any VisitRepository = { $0 }
    ) async throws -> Site {
        let site = try await Site(settings, work: work, before: before, visits: visits)
        try await site.register("ada")
        try await site.add(
            (1...count).map {
                ArticleDraft(
                    slug: "article-\($0)", title: "Article \($0)", authors: ["Ada"], body: "Body \($0)",
                    published: Date(timeIntervalSince1970: Double($0) * 86_400), tags: $0 % 2 == 0 ? ["even"] : ["odd"])
            })
        return site
    }

    func register(_ name: String) async throws {
        _ = try await services.auth.register(
            username: Username(name), password: Password(Self.password), region: Region("SE"), from: .unknown)
    }

    /// Ends the session of a browser, as another browser may.
    func endSession(of browser: Browser) async throws {
        guard let token = browser.cookies["session"].flatMap({ SessionToken($0) }) else { return }
        try await services.auth.logOut(token: token)
    }

    func add(_ drafts: [ArticleDraft]) async throws { try await services.articles.upsert(drafts) }
}

/// A browser without scripts: it stores cookies, follows redirects, and sends the forms of the page that it shows. Its
/// requests go to the two servers of the site in turn.
final class Browser {
    let site: Site
    let isSecure: Bool
    private(set) var cookies: [String: String] = [:]
    private(set) var response = HTTPResponse()
    private(set) var body = ""
    /// The address of the current page.
    private(set) var address = ""
    /// The client's address.
    var peer = PeerAddress.local
    /// Fields that every request also has.
    var fields: HTTPFields = [:]
    /// The types that it accepts; nil to send no such field.
    var accept: String? = "text/html,application/xhtml+xml,*/*;q=0.8"
    /// Whether it follows redirects.
    var followsRedirects = true
    /// Whether the next request goes to the other server.
    private var isAtOther = false

    init(_ site: Site, isSecure: Bool = false) {
        self.site = site
        self.isSecure = isSecure
    }

    struct Missing: Error { let what: String }

    var status: Int { response.status.code }

    /// Whether the page shows an error of the submitted form.
    var isRefused: Bool { body.contains("<p class=\"notice error\" role=\"alert\">") }

    /// Whether the page says that the last action succeeded.
    var hasSucceeded: Bool { body.contains("<p class=\"notice\" role=\"status\">") }

    /// The pattern of the place whose form is on the page, such as `/articles/<slug>/note`.
    var screen: String? { hidden["screen"] }

    func open(_ path: String, from referer: String? = nil) async throws {
        try await ask(.get, path, from: referer)
    }

    /// Sends a HEAD request for a page.
    func look(_ path: String) async throws { try await ask(.head, path, from: nil) }

    func reload() async throws { try await open(address) }

    /// Presses a button with this label, in its form.
    ///
    /// - Parameters:
    ///   - row: The words before the button, if several have the same label.
    ///   - values: The filled-in fields.
    func press(_ label: String, after row: String? = nil, filling values: [String: String] = [:]) async throws {
        try await press(
            matching: "<button[^>]*name=\"do\" value=\"([^\"]*)\"[^>]*>(?:<[^>]*>)*\(label)<", after: row,
            filling: values)
    }

    /// Sends the form of the page with these values.
    func submit(_ values: [String: String]) async throws {
        try await press(matching: "<button[^>]*name=\"do\" value=\"(send)\"", filling: values)
    }

    /// Presses the button of the action with this ID, on the page or in the row after these words.
    func choose(_ id: String, after row: String? = nil) async throws {
        try await press(matching: "<button[^>]*name=\"do\" value=\"(!\(id)(?:[@#][^\"]*)?)\"", after: row)
    }

    /// Sends the form of the page with a file.
    func upload(_ text: String, as field: String) async throws { try await upload(Array(text.utf8), as: field) }

    /// Sends the form of the page with a file.
    func upload(_ content: [UInt8], as field: String) async throws {
        guard let start = body.range(of: "<form class=\"fields\"")?.lowerBound else { throw Missing(what: "a form") }
        var values = Self.inputs(of: String(body[start...].prefix { _ in true }))
        values["do"] = "send"
        let parts = values.map { name, value in
            "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let file = """
            --x\r\nContent-Disposition: form-data; name="\(field)"; filename="feeds.opml"\r\nContent-Type: text/x-opml\r\n\r\n
            """
        try await ask(
            .post, address, from: address,
            content: (
                "multipart/form-data; boundary=x",
                Array((parts.joined() + file).utf8) + content + Array("\r\n--x--\r\n".utf8)
            ))
    }

    /// Presses the button that leads back.
    func back() async throws { try await press(matching: "<button[^>]*name=\"do\" value=\"(back)\"") }

    private func press(
        matching pattern: String, after row: String? = nil, filling values: [String: String] = [:]
    ) async throws {
        let start =
            try row.map { row in
                guard let range = body.range(of: row) else { throw Missing(what: row) }
                return range.upperBound
            } ?? body.startIndex
        guard
            let button = body.firstMatch(
                of: try Regex(pattern), from: start),
            let formStart = body.range(
                of: "<form", options: .backwards, range: body.startIndex..<button.range.lowerBound)
        else { throw Missing(what: pattern) }
        let form = body[formStart.lowerBound...].prefix { _ in true }
        let end = form.range(of: "</form>")?.lowerBound ?? form.endIndex
        try await send(String(form[..<end]), command: button.value, filling: values)
    }

    /// Follows a link with this text. A link in the content takes precedence over one in the sidebar.
    func follow(_ label: String) async throws {
        let regex = try Regex("<a [^>]*href=\"([^\"]*)\"[^>]*>(?:<[^>]*>)*\(label)<")
        let main = body.range(of: "<main")?.lowerBound ?? body.startIndex
        guard let link = body.firstMatch(of: regex, from: main) ?? body.firstMatch(of: regex, from: body.startIndex)
        else { throw Missing(what: label) }
        try await ask(.get, link.value, from: address)
    }

    func post(_ path: String, _ values: [String: String]) async throws {
        try await ask(.post, path, from: address, form: values)
    }

    func logIn(_ name: String = "ada", at path: String = "/articles") async throws {
        try await open(path)
        try await submit(["username": name, "password": Site.password])
    }

    func logOut() async throws {
        try await choose("log-out")
        try await press("Yes")
    }

    /// The hidden fields of the forms on the page, such as the token that proves their origin.
    var hidden: [String: String] { Self.inputs(of: body) }

    private func send(_ form: String, command: String, filling values: [String: String]) async throws {
        guard let action = form.firstMatch(of: try Regex("action=\"([^\"]*)\""), from: form.startIndex)?.value else {
            throw Missing(what: "action")
        }
        var all = Self.inputs(of: form)
        all.merge(values) { $1 }
        all["do"] = command
        try await ask(.post, action, from: address, form: all)
    }

    private static func inputs(of form: String) -> [String: String] {
        var (values, checked): ([String: String], Set<String>) = ([:], [])
        for input in form.matches(of: #/<input([^>]*)name="([^"]*)" value="([^"]*)"([^>]*)>/#) {
            let (name, isBox) = (unescaped(input.2), input.1.contains("checkbox"))
            if isBox, !input.4.contains("checked") { continue }
            // Of a checked box and the empty value after it, the server reads the first.
            if isBox { checked.insert(name) } else if checked.contains(name) { continue }
            values[name] = unescaped(input.3)
        }
        return values
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, from referer: String?, form: [String: String]? = nil,
        content: (type: String, body: [UInt8])? = nil
    ) async throws {
        // Browsers do not send the fragment of an address.
        guard let target = HTTPTarget(String(path.prefix { $0 != "#" })) else { throw Missing(what: path) }
        var request = HTTPRequest(method, target, fields: fields, peer: peer, isSecure: isSecure)
        request.fields[.host] = "library.test"
        if request.fields["accept"] == nil, let accept { request.fields["accept"] = try HTTPFieldValue(accept) }
        if !cookies.isEmpty {
            request.fields[.cookie] = try HTTPFieldValue(cookies.map { "\($0)=\($1)" }.joined(separator: "; "))
        }
        if let referer {
            request.fields["referer"] = try HTTPFieldValue("http\(isSecure ? "s" : "")://library.test" + referer)
        }
        if let form {
            request.fields[.contentType] = "application/x-www-form-urlencoded"
            request.body = Array(form.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&").utf8)
        }
        if let content {
            request.fields[.contentType] = try HTTPFieldValue(content.type)
            request.body = content.body
        }
        response = await (isAtOther ? site.otherFront : site.front).answer(request)
        isAtOther.toggle()
        for value in response.fields.values(of: .setCookie) {
            let pair = value.text.split(separator: ";")[0].split(separator: "=", maxSplits: 1).map(String.init)
            cookies[pair[0]] = value.text.contains("Max-Age=0") ? nil : pair[1]
        }
        if followsRedirects, response.status == .seeOther, let location = response.fields[.location]?.text {
            guard location.hasPrefix("/") else { return address = location }
            return try await ask(.get, location, from: path)
        }
        address = path
        guard case .bytes(let bytes) = response.body else {
            guard !followsRedirects else { throw Missing(what: "a body") }
            return
        }
        body = String(decoding: bytes, as: UTF8.self)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

private func unescaped(_ text: Substring) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(String(text)) {
        $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
}

extension String {
    /// Returns the first group of the first match after a position.
    fileprivate func firstMatch(of regex: Regex<AnyRegexOutput>, from start: Index) -> (
        range: Range<Index>, value: String
    )? {
        self[start...].firstMatch(of: regex).flatMap { match in
            match.output[1].substring.map { (match.range, unescaped($0)) }
        }
    }
}
