import ArticleStore
import AuthService
import FetchingSupport
import FlowCoordinators
import Foundation
import HTTPClient
import StoreEngines
import TestSupport
import Testing

@Suite("The screens of sources")
struct SourceTests {
    static let address = "https://blog.example/feed"

    /// Returns an application at a place, with the feed of a blog and a page that has two feeds.
    private func application(
        at place: AppRoute, as role: Role = .editor, fetches: Bool = true
    ) async throws -> Application {
        let application = try await Application(fetches: fetches)
        application.serveBlog()
        try await application.register()
        try await application.register("eve")
        try await application.auth.setRole(role, of: Username("eve"), by: .system(user: "test"))
        try await application.coordinator.start(at: place)
        try await application.logIn("eve")
        return application
    }

    private func facts(_ application: Application) async throws -> [String: String] {
        let facts = try await application.screen.document?.facts ?? []
        return Dictionary(uniqueKeysWithValues: facts.map { ($0.label, $0.value) })
    }

    @Test("An editor subscribes from the list of articles, and sees the source and then its articles")
    func subscribe() async throws {
        let application = try await application(at: .articles())
        try await application.choose("/sources/subscribe")
        try await application.submit([.address: " \(Self.address) ", .name: "", .tags: "News, Tech"])
        #expect(try await application.hasSucceeded)
        #expect(try await application.screen.notice?.text == "Subscribed to “Blog”: 2 new articles.")
        #expect(application.stack == ["/library", "/articles", "/sources/1"])
        let facts = try await facts(application)
        #expect(facts["Address"] == Self.address && facts["Tags"] == "News, Tech" && facts["Articles"] == "2")
        try await application.choose("/articles")
        #expect(application.stack == ["/library", "/articles", "/articles?source=Blog"])
        #expect(try await application.screen.list?.rows.count == 2)
    }

    @Test("The library leads to the sources with their fetches, and from there to a subscription and back")
    func list() async throws {
        let application = try await application(at: .library())
        try await application.choose("/sources")
        #expect(try await application.screen.list?.rows.isEmpty == true)
        try await application.choose("/sources/subscribe")
        try await application.submit([.address: Self.address])
        try await application.back()
        #expect(application.stack == ["/library", "/sources"])
        let list = try #require(try await application.screen.list)
        #expect(
            list.columns.map(\.title) == [
                "Name", "Tags", "Articles", "Last fetch", "Next fetch", "Address",
            ])
        let cells = list.rows[0].cells
        #expect(cells[3] == .time(application.now) && cells[5].text == Self.address)
        application.web.serve(Self.address, status: 500)
        try await application.send(try #require(list.rows[0].event))
        try await application.choose("sourceFetchChosen")
        try await application.back()
        let failing = try #require(try await application.screen.list)
        #expect(failing.columns.map(\.title).prefix(2) == ["Name", "Problem"])
        #expect(failing.rows[0].cells[1].text.contains("500"))
    }

    @Test("If a page has several feeds, the user chooses one, and the name and the tags apply to it")
    func several() async throws {
        let application = try await application(at: .subscribing(address: "blog.example"))
        #expect(try await application.screen.form?.fields.first?.value == "blog.example")
        try await application.submit([.address: "blog.example", .name: "Mine", .tags: "News"])
        #expect(application.place == "/sources/subscribe/choice")
        #expect(try await application.screen.list?.rows.map { $0.cells[0].text } == ["Posts", "Comments"])
        try await application.chooseRow("Comments")
        #expect(try await application.screen.notice?.error is SubscribeError)
        try await application.chooseRow("Posts")
        #expect(application.stack == ["/library", "/sources", "/sources/1"])
        let source = try #require(try await application.articles.sources().first)
        #expect(source.name == "Mine" && source.facts.tags.map(\.name) == ["News"])
    }

    @Test(
        "A form that cannot be used stays with the reason",
        arguments: [
            ("", ""), ("https://none.example/", ""), ("https://private.example/", ""), ("file:///x", ""),
            (Self.address, String(repeating: "x", count: 101)),
        ])
    func refused(address: String, tags: String) async throws {
        let application = try await application(at: .subscribing())
        application.web.serve("https://private.example/") { _ throws(HTTPClientError) in
            throw .forbiddenHost("10.0.0.1")
        }
        try await application.submit([.address: address, .tags: tags])
        #expect(try await application.screen.notice?.error != nil)
        #expect(application.place == "/sources/subscribe")
        #expect(try await application.articles.sources().isEmpty)
    }

    @Test("An editor fetches a source, changes its name and its tags, and unsubscribes; the articles stay")
    func change() async throws {
        let application = try await application(at: .subscribing())
        try await application.submit([.address: Self.address])
        application.web.serve(Self.address, status: 500)
        try await application.choose("sourceFetchChosen")
        #expect(try await facts(application)["Problem"]?.contains("500") == true)
        #expect(
            try await application.screen.document?.facts.prefix(4).map(\.label) == [
                "Problem", "Failures", "Last fetch", "Next fetch",
            ])
        application.serveBlog(3)
        try await application.choose("sourceFetchChosen")
        #expect(try await application.screen.notice?.text == "Fetched “Blog”: 1 new, 0 changed.")

        try await application.choose("/sources/<id>/edit")
        try await application.fill([.name: "Mine", .tags: "News", .texts: "pages"])
        #expect(application.place == "/sources/1")
        #expect(try await application.web.subscription().settings.hasFullText)
        #expect(try await application.screen.title == "Mine")
        #expect(try await facts(application)["Tags"] == "News")

        try await application.choose("sourcePauseChosen")
        #expect(try await facts(application)["Next fetch"] == "paused")
        // The button of an earlier copy of the screen does not have the opposite effect.
        try await application.send(.sourcePauseChosen)
        #expect(try await facts(application)["Next fetch"] == "paused")
        try await application.choose("sourceResumeChosen")
        #expect(try await application.web.subscription().isScheduled)
        try await application.choose("/sources/<id>/edit")
        let version = try await application.screen.form?.version ?? ""
        try await application.submit([.kept: "much", .version: version])
        #expect(try await application.screen.notice?.error as? FormError == .badRetention("much"))
        try await application.submit([.kept: "", .version: version])
        #expect(try await application.screen.notice?.error as? FormError == .badRetention(""))
        try await application.fill([.kept: " 30d ", .updates: "unread", .texts: "feed"])
        var settings = Subscription.Settings()
        (settings.retention, settings.marksChangedUnread) = (.days(30), true)
        #expect(try await application.web.subscription().settings == settings)
        #expect(try await facts(application)["Keep"] == "the articles of the last 30 days")

        try await application.choose("unsubscriptionChosen")
        #expect(try await application.hasSucceeded)
        #expect(try await facts(application)["Next fetch"] == nil)
        #expect(try await facts(application)["Articles"] == "3")
        let actions = try await application.screen.actions.map(\.id)
        #expect(actions == ["/articles", "/sources/<id>/edit", "/sources/subscribe"])

        try await application.choose("/sources/subscribe")
        #expect(try await application.screen.form?.fields.first?.value == Self.address)
        try await application.submit([.address: Self.address])
        #expect(application.stack == ["/library", "/sources", "/sources/1"])
        #expect(try await facts(application)["Next fetch"] != nil)
    }

    @Test("An editor fetches the whole text of an article")
    func page() async throws {
        let application = try await application(at: .subscribing())
        let text = String(repeating: "The whole text of the page, with commas, and words. ", count: 30)
        let page = "https://blog.example/post"
        application.web.serve(page, ["Content-Type": "text/html"], body: "<html><title>P</title><p>\(text)</p></html>")
        application.web.serve(
            Self.address,
            body: "<rss><channel><title>Blog</title><item><guid>1</guid><title>P</title><link>\(page)</link>"
                + "<description>Short.</description></item></channel></rss>")
        try await application.submit([.address: Self.address])
        try await application.choose("/articles")
        try await application.chooseRow("P")
        #expect(try await application.screen.document?.body == "Short.")
        try await application.choose("fetch-page")
        #expect(try await application.screen.notice?.text == "Fetched the full text.")
        #expect(try await application.screen.document?.body.contains("The whole text of the page") == true)
        try await application.choose("fetch-page")
        #expect(try await application.screen.notice?.text == "The page has no more text.")
        application.web.serve(page, status: 404)
        try await application.choose("fetch-page")
        #expect(try await application.screen.notice?.error != nil)
    }

    @Test("A change from elsewhere is not overwritten unseen")
    func conflict() async throws {
        let application = try await application(at: .subscribing())
        try await application.submit([.address: Self.address])
        try await application.choose("/sources/<id>/edit")
        let version = try await application.screen.form?.version
        try await application.articles.changeSource("Blog", tags: .all([TagName("Other")]))
        let settings = SubscriptionChange(fullText: true, unreadOnUpdate: true, retention: .days(30))
        let ids = try await application.articles.sources().map(\.id)
        try await application.web.stores.subscriptions.change(ids, as: settings)
        try await application.submit([.name: "Mine", .tags: "", .version: version ?? ""])
        #expect(try await application.screen.notice?.reportsEditConflict == true)
        let words = "the main texts of the pages, updates make articles unread again, the articles of the last 30 days"
        #expect(try await application.screen.notice?.text.contains("to “Blog, Other, \(words)”") == true)
        #expect(try await application.screen.form?.hasEditConflict == true)
        try await application.fill([.name: "Mine", .tags: ""])
        #expect(try await application.articles.sources().map(\.name) == ["Mine"])
    }

    @Test("A reader sees the sources without actions that change them, and makes one quiet for themselves")
    func reader() async throws {
        let application = try await application(at: .library(), as: .reader)
        try await application.web.subscribe(to: Self.address, name: "Blog")
        try await application.choose("/sources")
        #expect(try await application.screen.actions.isEmpty)
        #expect(try await application.rowActions == [[]])
        try await application.send(.sourceFetchChosen(1))
        #expect(application.web.requests.isEmpty)
        try await application.chooseRow("Blog")
        #expect(try await application.screen.actions.map(\.id) == ["/articles", "sourceQuietChosen"])
        try await application.choose("sourceQuietChosen")
        #expect(try await facts(application)["Quiet"] != nil)
        let eve = try #require(application.coordinator.currentUser.session?.user.id)
        #expect(try await application.web.stores.subscriptions.subscriptions(for: eve).map(\.isQuiet) == [true])
        try await application.choose("sourceUnreadChosen")
        #expect(try await facts(application)["Quiet"] == nil)
        for event in [AppEvent.sourceFetchChosen(), .unsubscriptionChosen, .sourcePauseChosen] {
            try await application.send(event)
        }
        #expect(try await application.web.subscription().isScheduled)
        #expect(try await application.web.subscription().address == Self.address)
        #expect(application.web.requests.isEmpty)
        try await application.send(.open(.subscribing()))
        #expect(application.place == "/sources/1")
    }

    @Test("A row of the list of sources fetches its source and opens the form that changes it")
    func rows() async throws {
        let application = try await application(at: .library())
        try await application.web.subscribe(to: Self.address, name: "Blog")
        try await application.articles.upsert([ArticleDraft(slug: "a", title: "A", body: "B")])
        try await application.choose("/sources")
        #expect(try await application.rowActions == [["Fetch now", "Change"], ["Change"]])
        try await application.send(.sourceFetchChosen(1))
        #expect(try await application.hasSucceeded && application.web.requests.count == 1)
        #expect(application.place == "/sources")
        try await application.send(.open(.sourceEditing(1)))
        try await application.fill([.name: "Other"])
        #expect(try await application.hasSucceeded && application.place == "/sources")
        try await application.chooseRow("Other")
    }

    @Test("Without fetching, subscriptions are shown and ended, but not offered")
    func off() async throws {
        let application = try await application(at: .articles(), fetches: false)
        try await application.web.subscribe(to: Self.address, name: "Blog")
        #expect(try await !application.screen.actions.contains { $0.id == "/sources/subscribe" })
        try await application.coordinator.start(at: .source(1))
        #expect(try await !application.screen.actions.contains { $0.id == "sourceFetchChosen" })
        try await application.choose("unsubscriptionChosen")
        #expect(try await application.hasSucceeded)
        try await application.coordinator.start(at: .subscribing())
        try await application.submit([.address: Self.address])
        #expect(try await application.screen.notice?.error as? SubscribeError == .fetchingIsOff)
    }
}

extension Application {
    /// The labels of the actions on each row.
    fileprivate var rowActions: [[String]] {
        get async throws { try await screen.list?.rows.map { $0.actions.map(\.label) } ?? [] }
    }

    /// Serves a feed with this number of entries, and a page with two feeds, the second of which is missing.
    func serveBlog(_ count: Int = 2) {
        let times = (0..<count).map { now.addingTimeInterval(-60 * Double($0)) }
        web.serve(SourceTests.address, body: FakeWeb.feed(times, title: "Blog"))
        let links = [("feed", "Posts"), ("comments", "Comments")].map { path, title in
            #"<link rel="alternate" type="application/atom+xml" href="/\#(path)" title="\#(title)">"#
        }
        web.serve("https://blog.example/", body: "<html><head>\(links.joined())</head></html>")
        web.serve("https://none.example/", body: "<html></html>")
    }
}
