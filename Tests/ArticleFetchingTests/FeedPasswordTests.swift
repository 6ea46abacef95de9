import ArticleFetching
import ArticleStore
import FetchingSupport
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Testing

@Suite("Feeds behind a login")
struct FeedPasswordTests {
    private let address = "https://example.org/feed"
    private let login: FeedLogin

    init() throws { login = try FeedLogin(username: "ada", password: "secret") }

    /// Returns servers in memory with a feed that only `ada:secret` gets, and a page with a link to it.
    private func web(on engine: StoreEngine = .sqlite) async throws -> FakeWeb {
        let web = FakeWeb(try await engine.open())
        let feed = FakeWeb.feed([web.clock.now], title: "Blog")
        let page = #"<html><link rel="alternate" type="application/atom+xml" href="/feed"></html>"#
        for (address, body) in [(address, feed), ("https://example.org/", page)] {
            web.serve(address) { request throws(HTTPClientError) in
                try ClientResponse(status: request.login == "ada:secret" ? 200 : 401, address, body: body)
            }
        }
        return web
    }

    @Test(
        "A feed is subscribed with a password, by its address or its page, and fetched with it",
        arguments: StoreEngine.allCases, ["https://example.org/feed", "example.org"])
    func subscribed(engine: StoreEngine, typed: String) async throws {
        let web = try await web(on: engine)
        await #expect(throws: SubscribeError.self) { try await web.editor().subscribe(to: typed) }
        #expect(try await web.stores.articles.sources().isEmpty)
        guard case .subscribed(let result) = try await web.editor().subscribe(to: typed, login: login) else {
            Issue.record("not subscribed")
            return
        }
        #expect(result.changes.new == 1)
        #expect(try await web.subscription().hasPassword)
        web.clock.advance(by: 25 * 3_600)
        #expect(try await web.fetch().map(\.outcome) == [.unchanged])
        #expect(web.requests.last?.login == "ada:secret")
    }

    @Test("Another password replaces the first one, a wrong one is reported, and each change is recorded")
    func changed() async throws {
        let web = try await web()
        let source = try await web.subscribe(to: address)
        let changes = Mutex<[String]>([])
        let editor = web.editor { change in changes.withLock { $0.append(change) } }
        #expect(try await web.fetch().first?.problem?.contains("--password-stdin") == true)
        let wrong = try FeedLogin(username: "ada", password: "wrong")
        guard case .known(let known) = try await editor.subscribe(to: address, login: wrong) else {
            Issue.record("not known")
            return
        }
        _ = try await editor.fetch(known)
        #expect(try await web.subscription().lastError?.contains("refuses") == true)
        _ = try await editor.subscribe(to: address, login: login)
        #expect(try await editor.fetch(known).changes.new == 1)
        try await editor.removePassword(of: known)
        try await editor.removePassword(of: known)
        #expect(try await editor.fetch(known).problem?.contains("401") == true)
        #expect(
            changes.withLock { $0 } == [
                "password: \(known.uid)", "password: \(known.uid)", "password removed: \(known.uid)",
            ])
        #expect(known.id == source)
    }

    @Test(
        "A password is not sent to another host, port, or scheme, after a redirect or a move of the feed",
        arguments: ["https://other.example/feed", "https://example.org:8443/feed", "http://example.org/feed"])
    func otherPlaces(target: String) async throws {
        let web = try await web()
        _ = try await web.editor().subscribe(to: address, login: login)
        web.serve(target, body: FakeWeb.feed([web.clock.now]))
        web.serve(address, status: 301, ["Location": target])
        for _ in 0..<3 {
            web.clock.advance(by: 25 * 3_600)
            _ = try await web.fetch()
        }
        #expect(try await web.subscription().address == target)
        let requests = web.requests.filter { $0.address == target }
        #expect(requests.count >= 3 && requests.allSatisfy { $0.login == nil })
    }

    @Test("A feed on another host than its page is subscribed without the password")
    func otherHost() async throws {
        let web = try await web()
        let link = #"<link rel="alternate" type="application/atom+xml" href="https://b.example/feed">"#
        web.serve("https://example.org/", body: "<html>\(link)</html>")
        web.serve("https://b.example/feed", body: FakeWeb.feed([web.clock.now]))
        _ = try await web.editor().subscribe(to: "example.org", login: login)
        #expect(try await !web.subscription().hasPassword)
        #expect(web.requests.map(\.login) == ["ada:secret", nil])
    }

    @Test(
        "An address with a user name or a password is refused, and the message does not repeat it",
        arguments: ["https://ada:secret@example.org/feed", "ada:secret@example.org/feed", "https://ada@example.org/"])
    func inAddress(text: String) async throws {
        let web = try await web()
        let error = await #expect(throws: SubscribeError.addressWithLogin) {
            try await web.editor().subscribe(to: text, login: login)
        }
        #expect(error?.description.contains("secret") == false && web.requests.isEmpty)
        let list =
            "<opml><body><outline text='F' xmlUrl='\(text.contains("//") ? text : "https://" + text)'/></body></opml>"
        await #expect(throws: SubscribeError.unknownFile) { try await web.editor().importFile(Array(list.utf8)) }
        #expect(try await web.stores.articles.sources().isEmpty)
    }

    @Test(
        "A login that cannot be sent is refused, and no description shows a password",
        arguments: [
            ("", "x"), ("a:b", "x"), ("a\n", "x"), ("a", "x\r\n"), (String(repeating: "a", count: 1_025), "x"),
            ("a", String(repeating: "x", count: 1_025)),
        ])
    func invalid(username: String, password: String) {
        #expect(throws: SubscribeError.self) { try FeedLogin(username: username, password: password) }
        var text = ""
        dump(FeedPassword(login, for: "https://example.org:443"), to: &text)
        #expect(!text.contains("secret") && !"\(login)".contains("secret"))
    }

    @Test("A user name in an address is found only before the host")
    func users() {
        #expect(WebAddress.hasUser("http://a@b.example") && WebAddress.hasUser("a:b@c.example/x"))
        #expect(!WebAddress.hasUser("https://b.example/@a") && !WebAddress.hasUser("b.example?x=a@b"))
        #expect(WebAddress.withoutUser("https://a:b@c.example/@d") == "https://c.example/@d")
        #expect(WebAddress.withoutUser("https://c.example/@d") == "https://c.example/@d")
    }
}
