import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("The bookmark of a session")
struct BookmarkTests {
    /// Returns an application with a signed-in reader, at `target`.
    private func reader(at target: AppRoute = .articles()) async throws -> Application {
        let application = try await Application()
        try await application.seed(3)
        try await application.register("ada")
        try await application.register("eve")
        try await application.coordinator.start(at: target)
        try await application.logIn()
        return application
    }

    @Test("The next start returns to the bookmark, with the positions of its screens")
    func resumed() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark(positions: [
            "/articles": "1", "/articles/article-2": "40", "/articles/article-1": "7",
        ])
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/library", "/articles", "/articles/article-2"])
        #expect(next.coordinator.positions == ["/articles": "1", "/articles/article-2": "40"])
        #expect(try await next.screen.document?.body == "Body 2")
        try await next.back()
        #expect(next.stack == ["/library", "/articles"])
    }

    @Test("A target wins over the bookmark")
    func target() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark(positions: ["/articles": "1"])
        let next = try await application.restarted()
        try await next.coordinator.start(at: .account)
        #expect(next.stack == ["/account"])
        #expect(next.coordinator.positions.isEmpty)
        next.coordinator.positions = ["/account": "2"]
        try await next.coordinator.start(at: .account)
        #expect(next.coordinator.positions.isEmpty)
    }

    @Test("A session that has ended leads to the login, and after it back to the place")
    func expired() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark(positions: ["/articles/article-2": "9"])
        application.advance(days: 365)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/welcome", "/login"])
        #expect(try await next.screen.notice != nil)
        try await next.logIn("ada")
        #expect(next.stack == ["/library", "/articles", "/articles/article-2"])
        #expect(next.coordinator.positions == ["/articles/article-2": "9"])
    }

    @Test("Another user who logs in then gets neither the place nor the positions")
    func otherUser() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark(positions: ["/articles": "1"])
        application.advance(days: 365)
        let next = try await application.restarted()
        try await next.coordinator.start()
        try await next.logIn("eve")
        #expect(next.stack == ["/articles?unread=yes"])
        #expect(next.coordinator.positions.isEmpty)
        // A missing article of a restored place is left out; a missing article that the user chooses is reported.
        try await next.delete("article-2")
        try await next.send(.open(.article("article-2")))
        await #expect(throws: ArticleError.noArticle("article-2")) { try await next.screen }
    }

    @Test("A caller who knows only the name of the session sees nothing of it")
    func forgedToken() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark(positions: ["/articles": "1"])
        let next = try await application.restarted()
        let id = try #require(application.coordinator.currentUser.session?.id)
        next.tokens.token = "\(id)." + String(repeating: "A", count: 43)
        try await next.coordinator.start()
        #expect(next.stack == ["/welcome"])
        #expect(next.coordinator.positions.isEmpty)
    }

    @Test("Logging out deletes the bookmark, here and when the session is ended elsewhere")
    func loggedOut() async throws {
        let application = try await reader(at: .account)
        try await application.saveBookmark()
        let id = try #require(application.coordinator.currentUser.session?.id)
        let next = try await application.restarted()
        try await next.coordinator.start()
        try await next.choose("log-out-everywhere")
        #expect(try await application.reading.bookmark(ofSession: id.description) == nil)
        try await next.saveBookmark()
        #expect(try await application.reading.bookmark(ofSession: id.description) == nil)
        try await application.saveBookmark(positions: ["/account": "1"])
        #expect(try await application.reading.bookmark(ofSession: id.description) == nil)
        let last = try await application.restarted()
        try await last.coordinator.start()
        #expect(last.stack == ["/welcome"])
    }

    @Test("A changed password keeps the bookmark, in the new session")
    func changedPassword() async throws {
        let application = try await reader(at: .password)
        try await application.saveBookmark()
        let new = "another long and strange passphrase"
        try await application.submit([.password: Application.password, .newPassword: new, .confirmation: new])
        try await application.saveBookmark()
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/account"])
    }

    @Test("A deleted article is left out with a notice, and the screen below is shown")
    func goneArticle() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark()
        try await application.delete("article-2")
        let next = try await application.restarted()
        try await next.coordinator.start()
        let screen = try await next.screen
        #expect(next.stack == ["/library", "/articles"])
        #expect(screen.list?.rows.count == 2)
        #expect(screen.notice?.error as? ArticleError == .noArticle("article-2"))
    }

    @Test("A caller who has the ID of a session and not its secret does not learn its place", arguments: [0, 365])
    func forged(days: Double) async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark()
        let id = try #require(application.coordinator.currentUser.session?.id)
        application.advance(days: days)
        let next = try await application.restarted()
        next.tokens.token = "\(id).\(String(repeating: "A", count: 43))"
        try await next.coordinator.start()
        #expect(next.stack == ["/welcome"])
        #expect(next.coordinator.navigator.state.deferred == nil)
    }

    @Test("A deleted article is left out also if it waited behind the log-in")
    func goneBehindLogIn() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark()
        try await application.delete("article-2")
        application.advance(days: 365)
        let next = try await application.restarted()
        try await next.coordinator.start()
        try await next.logIn()
        _ = try await next.screen
        #expect(next.stack == ["/library", "/articles"])
    }

    @Test("An article that is deleted while it is shown is left out too")
    func goneLater() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark()
        let next = try await application.restarted()
        try await next.coordinator.start()
        _ = try await next.screen
        try await application.delete("article-2")
        #expect(try await next.screen.notice?.error as? ArticleError == .noArticle("article-2"))
        #expect(next.stack == ["/library", "/articles"])
    }

    @Test("A bookmark without screens is the same as none, also if its session has ended")
    func empty() async throws {
        let application = try await reader()
        let id = try #require(application.coordinator.currentUser.session?.id)
        try await application.reading.saveBookmark(
            #"{"positions":{},"state":{"version":1,"subject":"1","flows":[]}}"#, ofSession: id.description)
        application.advance(days: 365)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/welcome"])
    }

    @Test("The same place is written for another session")
    func anotherSession() async throws {
        let application = try await reader(at: AppSection.unread.place)
        try await application.saveBookmark()
        let bookmark = try await application.savedBookmark
        try await application.choose("log-out")
        try await application.logIn()
        try await application.saveBookmark()
        #expect(bookmark != nil)
        #expect(try await application.savedBookmark == bookmark)
    }

    @Test("A link to a missing article is an error, also after a restored place")
    func goneTarget() async throws {
        let application = try await reader(at: .article("article-2"))
        try await application.saveBookmark()
        try await application.delete("article-2")
        let next = try await application.restarted()
        try await next.coordinator.start()
        try await next.coordinator.start(at: .article("article-2"))
        await #expect(throws: ArticleError.noArticle("article-2")) { try await next.screen }
    }

    @Test(
        "An unreadable bookmark is the same as none",
        arguments: [
            "", "{}", "null", "[[[[", #"{"positions":{},"state":{"version":9,"subject":"1","flows":[]}}"#,
            #"{"positions":{},"state":{"version":1,"subject":"1","flows":[]}}"#,
            #"{"positions":{},"state":{"version":1,"flows":[{"paths":["/articles","/articles/article-1"]}]}}"#,
            #"{"positions":{"/articles":7},"state":{"version":1,"subject":"1","flows":[{"paths":["/account"]}]}}"#,
            #"{"positions":{},"state":{"version":1,"subject":"2","flows":[{"paths":["/account"]}]}}"#,
        ])
    func unreadable(_ text: String) async throws {
        let application = try await reader()
        let id = try #require(application.coordinator.currentUser.session?.id)
        try await application.reading.saveBookmark(text, ofSession: id.description)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/articles?unread=yes"])
        #expect(try await next.screen.list?.rows.count == 3)
    }

    @Test("A bookmark with an unknown place leads to the place below it")
    func unknownPlace() async throws {
        let application = try await reader()
        let id = try #require(application.coordinator.currentUser.session?.id)
        let text = #"{"positions":{},"state":{"version":1,"subject":"1","flows":[{"paths":["/articles","/nowhere"]}]}}"#
        try await application.reading.saveBookmark(text, ofSession: id.description)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/articles"])
    }

    @Test("A list that cannot continue at its position begins again")
    func staleCursor() async throws {
        let cursor = Cursor(after: .title(key: "a", id: 1), in: ArticleQuery(sort: .title))
        let application = try await reader(at: .articles(ArticleList(cursor: cursor)))
        try await application.saveBookmark()
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(try await next.screen.list?.rows.count == 3)
        #expect(next.stack == ["/library", "/articles"])
    }

    @Test("The same place is not written twice")
    func littleTraffic() async throws {
        let application = try await reader()
        try await application.saveBookmark(positions: ["/articles": "1"])
        let id = try #require(application.coordinator.currentUser.session?.id)
        try await application.reading.saveBookmark("untouched", ofSession: id.description)
        try await application.saveBookmark(positions: ["/articles": "1"])
        #expect(try await application.savedBookmark == "untouched")
        try await application.saveBookmark(positions: ["/articles": "2"])
        #expect(try await application.savedBookmark?.contains(#""/articles":"2""#) == true)
    }

    @Test("A stack that is too high is saved as its top")
    func tooHigh() async throws {
        let application = try await reader()
        let long = String(repeating: "a", count: 2_000)
        for slug in (0..<40).map({ "\(long)-\($0)" }) + ["article-2"] {
            try application.coordinator.navigator.perform(.push(.article(ArticleReference(slug))))
        }
        try await application.saveBookmark(positions: ["/articles/article-2": "3"])
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/library", "/articles", "/articles/article-2"])
        #expect(next.coordinator.positions == ["/articles/article-2": "3"])
    }

    @Test("Nothing is saved while nobody is signed in")
    func signedOut() async throws {
        let application = try await Application()
        try await application.saveBookmark()
        try await application.coordinator.start()
        try await application.saveBookmark(positions: ["/welcome": "1"])
        #expect(try await application.savedBookmark == nil)
    }

    @Test(
        "A restored step of the sign-up begins at the first step, without input",
        arguments: [[.signUpUsername], [.signUpPassword], [.signUpRegion, .signUpUsername, .signUpPassword]]
            as [[AppRoute]])
    func signUp(_ steps: [AppRoute]) async throws {
        let application = try await Application()
        try application.coordinator.navigator.restore(NavigationState([.welcome, .login()] + steps))
        #expect(application.stack == ["/welcome", "/login", "/signup/region"])
        try await application.coordinator.start(at: .signUpPassword)
        #expect(application.stack.last == "/signup/region")
        try await application.submit([.region: "SE"])
        #expect(application.place == "/signup/username")
    }
}
