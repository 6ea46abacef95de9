import ArticleStore
import AuthService
import FetchingSupport
import FlowCoordinators
import Navigation
import Synchronization
import TestSupport
import Testing

@Suite("The graph of the screens")
struct GraphTests {
    /// Runs stories that together take every way, and returns the ways.
    private func ways(words: ScreenWords) async throws -> Set<FlowGraph.Edge> {
        var ways: Set<FlowGraph.Edge> = []
        func story(
            _ start: AppRoute?, signUp: SignUpOptions = SignUpOptions(), registers: Bool = true,
            hasFiles: Bool = true,
            _ steps: (Application) async throws -> Void
        ) async throws {
            let application = try await Application(signUp: signUp, hasFiles: hasFiles)
            try await application.seed(3)
            if registers { try await application.register() }
            application.words = words
            try await application.coordinator.start(at: start)
            await words.record(application)
            try await steps(application)
            ways.formUnion(application.coordinator.navigator.journal.edges)
        }
        func back(_ application: Application) async throws { try await application.back() }
        let password = Application.password

        let account: Answers = [.username: "bob", .password: password, .confirmation: password]
        try await story(nil) { application in
            try await application.choose("log-in")
            try await back(application)
            try await application.choose("register")
            try await back(application)
            try await application.choose("register")
            try await application.submit([.username: "!", .password: password, .confirmation: password])
            try await application.submit([.username: "ada", .password: password, .confirmation: password])
            try await back(application)
            try await back(application)
            try await back(application)
            try await application.choose("stay")
            try await application.submit(account)
            try await application.submit([.region: "nowhere"])
            try await back(application)
            try await application.submit(account)
            try await application.register("bob")
            try await application.submit([.region: "SE"])
            try await back(application)
            try await application.choose("leave")
            try await application.choose("register")
            try await application.submit([.username: "eve", .password: password, .confirmation: password])
            try await application.auth.setRegistration(.closed, by: .system(user: "test"))
            try await application.submit([.region: "SE"])
        }
        try await story(nil, signUp: SignUpOptions(order: .regionFirst, logsIn: false)) { application in
            try await application.choose("register")
            try await back(application)
            try await application.choose("register")
            try await application.submit([.region: "nowhere"])
            try await application.submit([.region: "SE"])
            try await back(application)
            try await back(application)
            try await back(application)
            try await back(application)
            try await application.choose("stay")
            try await back(application)
            try await application.choose("leave")
            try await application.choose("register")
            try await application.submit([.region: "SE"])
            try await application.submit([.username: "!"])
            try await application.submit([.username: "bob"])
            try await back(application)
            try await application.submit([.username: "bob"])
            try await application.register("bob")
            try await application.submit([.password: password, .confirmation: "other"])
            try await application.submit([.password: "weak", .confirmation: "weak"])
            try await application.submit([.password: password, .confirmation: password])
            try await application.submit([.username: "eve"])
            try await application.auth.setRegistration(.closed, by: .system(user: "test"))
            try await application.submit([.password: password, .confirmation: password])
            try await application.auth.setRegistration(.open, by: .system(user: "test"))
            try await application.submit([.password: password, .confirmation: password])
            try await application.submit([.username: "eve", .password: "wrong"])
            try await application.logIn("eve")
        }
        try await story(nil, signUp: SignUpOptions(logsIn: false)) { application in
            try await application.choose("register")
            try await application.submit(account)
            try await application.submit([.region: "SE"])
        }
        try await story(nil) { application in
            try await application.auth.setRegistration(.closed, by: .system(user: "test"))
            try await application.coordinator.start(at: .signUpAccount)
        }
        for target in AppRoute.screens.filter(\.isProtected).map({ $0.about("article-1") }) {
            try await story(target) { try await $0.logIn() }
            try await story(target, registers: false) { application in
                try await application.choose("register")
                try await application.submit(account)
                try await application.submit([.region: "SE"])
            }
            let regionFirst = SignUpOptions(order: .regionFirst)
            try await story(target, signUp: regionFirst, registers: false) { application in
                try await application.choose("register")
                try await application.submit([.region: "SE"])
                try await application.submit([.username: "bob"])
                try await application.submit([.password: password, .confirmation: password])
            }
            try await story(target) { application in
                let authenticator = try await application.addSecondFactor()
                try await application.logIn()
                try await application.giveCode(authenticator)
            }
        }
        try await story(.account) { application in
            let authenticator = try await application.addSecondFactor()
            try await application.logIn()
            try await back(application)
            try await application.logIn()
            try await application.submit([.code: "000000"])
            application.advance(days: 1)
            try await application.giveCode(authenticator)
            try await application.logIn()
            try await application.giveCode(authenticator)
            try await application.choose("/account/second-factor")
            try await application.choose("recoveryCodesChosen")
            try await back(application)
            try await application.choose("secondFactorRemovalChosen")
            try await back(application)
            try await application.choose("/account/second-factor")
            try await application.choose("/account/second-factor/set-up")
            try await back(application)
            try await application.choose("/account/second-factor/set-up")
            try await application.submit([.code: "000000"])
            let address = try #require(try await application.screen.form?.handover?.address)
            try await application.giveCode(try #require(Authenticator(address)))
        }
        try await story(.secondFactorSetUp) { application in
            try await application.logIn()
            application.advance(hours: 2)
            let address = try #require(try await application.screen.form?.handover?.address)
            let authenticator = try #require(Authenticator(address))
            try await application.giveCode(authenticator)
            try await back(application)
            try await application.giveCode(authenticator)
            try await application.submit([.password: password])
            try await back(application)
            application.advance(hours: 2)
            try await application.choose("recoveryCodesChosen")
            try await back(application)
            try await application.choose("secondFactorRemovalChosen")
            try await application.submit([.password: password])
        }
        try await story(.articles(ArticleList(limit: 2))) { application in
            try await application.logIn()
            try await application.send(.moreRowsWanted)
            try await application.send(.earlierRowsWanted)
            try await application.choose("all-read")
            try await application.choose("next-unread")
            try await application.send(.marked(.read(false), ["article-1", "article-2"]))
            try await application.choose("next-unread")
            try await application.choose("next-unread")
            try await application.choose("star")
            try await back(application)
            try await application.choose("only-starred")
            try await application.choose("everything")
            try await application.choose("by-title")
            try await application.send(.lastRowsWanted)
            try await application.send(.firstRowsWanted)
            try await application.send(.searched("article"))
            try await application.choose("everything")
            try await application.chooseRow("article-3")
            try await application.choose("previous-article")
            try await application.choose("next-article")
            try await application.send(.originalChosen)
            try await application.send(.linkFollowed("article-1"))
            try await back(application)
            try await back(application)
            try await application.choose("account")
            try await application.choose("appearance")
            try await application.choose("larger-text")
            try await application.chooseRow("dark")
            try await back(application)
            try await application.choose("/users")
            try await back(application)
            try await application.choose("/audit")
            try await back(application)
            try await application.choose("sessions")
            try await application.send(.sessionRevocationChosen(try #require(Session.ID("0123456789abcdef"))))
            try await back(application)
            try await application.choose("/account/tokens")
            try await application.send(.tokenRevocationChosen(try #require(Session.ID("0123456789abcdef"))))
            try await back(application)
            try await application.choose("password")
            try await back(application)
            try await application.choose("password")
            try await application.submit([.password: password, .newPassword: password, .confirmation: "x"])
            let new = "quite another passphrase, long"
            try await application.submit([.password: "wrong", .newPassword: new, .confirmation: new])
            try await application.submit([.password: password, .newPassword: new, .confirmation: new])
            try await back(application)
            try await application.choose("log-out")
        }
        try await story(.articles()) { application in
            try await application.logIn()
            try await application.choose("library")
            try await application.chooseRow("swift")
            try await back(application)
            try await application.chooseRow("All articles")
            try await application.choose("only-unread")
            try await back(application)
            try await application.chooseRow("article-1")
            try await application.choose("library")
            try await back(application)
            try await application.send(.open(.articles(ArticleList(query: ArticleQuery(tag: "swift")))))
            try await back(application)
        }
        try await story(.articles()) { application in
            try await application.logIn()
            try await application.choose("only-unread")
            try await application.choose("/searches/save")
            try await back(application)
            try await application.choose("/searches/save")
            try await application.fill([.name: "a,b"])
            try await application.fill([.name: "Unread"])
            try await application.choose("/searches/save")
            let removal = try #require(try await application.screen.actions.first { $0.label == "Remove" })
            try await application.send(removal.event)
        }
        try await story(.articles()) { application in
            try await application.logIn()
            try await application.send(.searched("article"))
            try await application.choose("/rules/save")
            try await back(application)
            try await application.choose("/rules/save")
            try await application.fill([.name: "a,b"])
            try await application.send(.tried([.words: "title:"]))
            let answers: Answers = [.name: "Articles", .words: "article", .star: "yes"]
            try await application.send(.tried(answers))
            try await application.choose("/rules/try")
            try await back(application)
            try await application.choose("/rules/try")
            try await application.chooseRow("Article 1")
            try await back(application)
            try await back(application)
            try await application.fill(answers)
            try await application.choose("library")
            try await application.choose("/rules")
            try await back(application)
            try await application.choose("/rules")
            try await application.chooseRow("Articles")
            try await back(application)
            try await application.chooseRow("Articles")
            let removal = try #require(try await application.screen.actions.first { $0.label == "Remove" })
            try await application.send(removal.event)
        }
        try await story(.article("article-1")) { application in
            try await application.logIn()
            try await application.choose("own-tags")
            try await back(application)
            try await application.choose("own-tags")
            try await application.fill([.tags: String(repeating: "x", count: 101)])
            try await application.fill([.tags: "one, two"])
            try await application.choose("note")
            try await back(application)
            try await application.choose("note")
            try await application.fill([.note: String(repeating: "x", count: 65_537)])
            try await application.fill([.note: "one"])
            try await application.send(.readAbove(1))
        }
        try await story(.account) { application in
            try await application.logIn()
            try await application.choose("/account/feed")
            try await back(application)
            try await application.choose("/account/feed")
            try await application.choose("newFeedAddressChosen")
            try await back(application)
            application.advance(hours: 2)
            try await application.choose("newFeedAddressChosen")
            try await back(application)
            try await application.choose("newFeedAddressChosen")
            try await application.submit([.password: password])
            try await back(application)
            try await application.choose("feedAddressRemovalChosen")
        }
        try await story(.articles()) { application in
            try await application.logIn()
            try await application.choose("write")
            try await back(application)
            try await application.choose("write")
            try await application.submit([.text: ""])
            try await application.submit([.text: "# New\n\nText."])
            try await application.choose("edit-form")
            try await back(application)
            try await application.choose("edit-form")
            try await application.submit([.text: ""])
            let form = try #require(try await application.screen.form)
            try await application.submit([.text: form.fields[0].value, .version: form.version ?? ""])
            try await application.send(.articleDeletionChosen)
        }
        try await story(.articles()) { application in
            try await application.logIn()
            application.web.serve("https://blog.example/post", body: Application.page)
            try await application.choose("/add")
            try await back(application)
            try await application.choose("/add")
            try await application.submit([.address: "blog.example/none"])
            try await application.submit([.address: "blog.example/post"])
            try await back(application)
            try await application.send(.readAbove(2))
        }
        try await story(.libraryPart(LibraryPart(.tags)), hasFiles: false) { application in
            try await application.logIn()
            try await application.seed(tags: 130)
            try await application.chooseRow("tag 1")
            try await back(application)
            try await application.send(.open(.libraryPart(LibraryPart(.tags, page: 2))))
            try await back(application)
            try await application.send(.open(.source(1)))
            try await back(application)
            try await back(application)
            try await application.chooseRow("All 131 tags")
            try await back(application)
            try await application.send(.open(.source(1)))
            try await back(application)
            for place in ["/sources/subscribe", "/sources/import"] {
                try await application.choose(place)
                try await back(application)
            }
        }
        try await story(.article("article-1")) { application in
            try await application.logIn()
            try await application.delete("article-1")
            try await application.send(.articleDeletionChosen)
        }
        try await story(.articles()) { application in
            application.serveBlog()
            try await application.logIn()
            try await application.choose("/sources/subscribe")
            try await back(application)
            try await application.choose("/sources/subscribe")
            try await application.submit([.address: ""])
            try await application.submit([.address: "https://none.example/"])
            try await application.submit([.address: SourceTests.address])
            try await back(application)
        }
        try await story(.library()) { application in
            application.serveBlog()
            try await application.logIn()
            try await application.choose("/sources")
            try await back(application)
            try await application.choose("/sources")
            try await application.choose("/sources/subscribe")
            try await back(application)
            try await application.choose("/sources/subscribe")
            try await application.submit([.address: "blog.example"])
            try await back(application)
            try await application.submit([.address: "blog.example"])
            try await application.chooseRow("Comments")
            try await application.chooseRow("Posts")
            try await application.choose("sourceFetchChosen")
            try await application.choose("sourcePauseChosen")
            try await application.choose("sourceResumeChosen")
            try await application.choose("sourceQuietChosen")
            try await application.choose("sourceUnreadChosen")
            try await application.choose("/sources/<id>/edit")
            try await back(application)
            try await application.choose("/sources/<id>/edit")
            try await application.fill([.name: ""])
            try await application.fill([.name: "Mine"])
            try await back(application)
            let id = try #require(try await application.articles.source(named: "Mine")).id
            try await application.send(.sourceFetchChosen(id))
            try await application.send(.open(.sourceEditing(id)))
            try await back(application)
            try await application.send(.open(.sourceEditing(id)))
            try await application.fill([.name: "Mine"])
            try await application.chooseRow("Mine")
            try await application.choose("unsubscriptionChosen")
            try await application.choose("/sources/subscribe")
            try await back(application)
            try await back(application)
            try await application.chooseRow("Mine")
            try await application.choose("/articles")
        }
        try await story(.sources(), hasFiles: false) { application in
            try await application.logIn()
            try await application.send(.open(.sources(page: 2)))
            try await back(application)
            try await application.choose("/sources/import")
            try await back(application)
            try await application.choose("/sources/import")
            try await application.submit([.list: "<opml/>"])
            try await application.submit([
                .list: "<opml><body><outline text='Blog' xmlUrl='https://blog.example/feed'/></body></opml>"
            ])
        }
        try await story(.tokens) { application in
            let answers: Answers = [.name: "backup", .scope: "read", .days: "30"]
            try await application.logIn()
            try await application.choose("/account/tokens/new")
            try await back(application)
            try await application.choose("/account/tokens/new")
            try await application.submit([.name: "backup", .scope: "read", .days: "0"])
            try await application.submit(answers)
            try await back(application)
            application.advance(hours: 2)
            try await application.choose("/account/tokens/new")
            try await application.submit(answers)
            try await back(application)
            try await application.submit(answers)
            try await application.submit([.password: password])
        }
        try await story(.users) { application in
            try await application.logIn()
            for name in ["eve", "bob"] { try await application.register(name) }
            try await application.choose("invitationChosen")
            try await back(application)
            try await application.choose("/users/registration")
            try await back(application)
            try await application.choose("/users/registration")
            try await application.submit([.registration: "everybody"])
            try await application.submit([.registration: "invitation"])
            try await application.chooseRow("eve")
            try await back(application)
            try await application.chooseRow("eve")
            try await application.choose("disable")
            try await application.choose("userResetChosen")
            try await back(application)
            try await application.choose("delete")
            try await application.chooseRow("bob")
            try await application.auth.delete(Username("bob"), by: .system(user: "test"))
            try await application.send(.userResetChosen)
        }
        try await story(.registration) { application in
            try await application.logIn()
            application.accounts.isFull.store(true, ordering: .relaxed)
            try await application.submit([.registration: "closed"])
        }
        try await story(.users) { application in
            try await application.logIn()
            application.accounts.isFull.store(true, ordering: .relaxed)
            try await application.choose("invitationChosen")
        }
        try await story(.articles()) { application in
            try await application.logIn()
            try await application.choose("import")
            try await back(application)
            try await application.choose("import")
            try await application.submit([.path: "~/nothing"])
            try application.write("# Found\n\nText.", to: "found.md")
            try await application.submit([.path: "~/found.md"])
        }
        try await WorkTests.importing { application, _ in
            try await back(application)
            try await back(application)
            try await back(application)
            try await application.coordinator.send(.leaveDeclined)
            try await back(application)
            try await application.coordinator.send(.leaveConfirmed)
            ways.formUnion(application.coordinator.navigator.journal.edges)
        }
        try await story(.account) { application in
            try await application.logIn()
            try await application.choose("/account/name")
            try await back(application)
            try await application.choose("/account/name")
            try await application.submit([.username: "!"])
            try await application.submit([.username: "ada.l"])
            try await application.choose("/account/region")
            try await back(application)
            try await application.choose("/account/region")
            try await application.submit([.region: "nowhere"])
            try await application.submit([.region: "JP"])
            try await application.choose("/account/delete")
            try await back(application)
            try await application.choose("/account/delete")
            try await application.submit([.password: "wrong"])
            try await application.submit([.password: password])
        }
        try await story(.account) { application in
            try await application.logIn()
            application.advance(hours: 2)
            try await application.choose("/account/name")
            for name in ["ada.l", "ada.m"] {
                try await application.submit([.username: name])
                if name == "ada.l" { try await back(application) }
            }
            try await application.submit([.password: "wrong"])
            try await application.submit([.password: password])
            application.advance(hours: 2)
            try await application.choose("sessions")
            let session = AppEvent.sessionRevocationChosen(try #require(Session.ID("0123456789abcdef")))
            try await application.send(session)
            try await back(application)
            try await application.send(session)
            try await application.submit([.password: password])
            application.advance(hours: 2)
            try await back(application)
            try await application.choose("log-out-everywhere")
            try await back(application)
            try await application.choose("log-out-everywhere")
            try await application.submit([.password: password])
        }
        try await story(.login()) { application in
            try await application.choose("/login/reset")
            try await back(application)
            try await application.choose("/login/reset")
            let new = "quite another passphrase, long"
            try await application.submit([.code: "x", .newPassword: new, .confirmation: new])
            let code = try await application.auth.issueReset(for: Username("ada"), by: .system(user: "test")).code
            try await application.submit([.code: code.text, .newPassword: new, .confirmation: new])
        }
        try await story(.account) { application in
            try await application.logIn()
            try await application.choose("log-out")
        }
        try await story(.account) { application in
            try await application.logIn()
            try await application.choose("log-out-everywhere")
        }
        try await story(.sessions) { application in
            try await application.logIn()
            try await application.chooseRow("current")
        }
        try await story(.article("article-1")) { application in
            try await application.logIn()
            try await application.choose("log-out")
        }
        return ways
    }

    @Test("Every declared way is taken, and no other, and the words of the screens equal their golden file")
    func complete() async throws {
        let words = ScreenWords()
        let ways = try await ways(words: words)
        try GoldenFile("screens.txt").check(words.text)
        let declared = Set(AppRoute.graph.edges)
        #expect(ways.subtracting(declared) == [], "not declared")
        #expect(declared.subtracting(ways) == [], "not gone")
        #expect(Set(AppRoute.graph.nodes.map(\.screen)).subtracting(ways.map(\.to)) == [], "not shown")
    }

    @Test("Every row of the table has a coordinator that opens it, and a screen", arguments: AppRoute.screens)
    func shown(place: AppRoute) async throws {
        let application = try await Application()
        try await application.register()
        try await application.seed(1)
        if place.isProtected {
            try await application.coordinator.start(at: .articles())
            try await application.logIn()
        }
        let place = place.about("article-1")
        try await application.coordinator.start(at: place)
        let opened: AppRoute =
            switch place {
            // These screens need an action before them.
            case .secondFactor, .leave: .login()
            case .signUpUsername, .signUpPassword: .signUpRegion
            default: place
            }
        #expect(application.coordinator.place == opened)
        #expect(try await !application.screen.title.isEmpty)
    }

    @Test("Every edge joins two declared screens, and every screen can be drawn")
    func consistent() {
        let places = Set(AppRoute.graph.nodes.map(\.screen))
        for edge in AppRoute.graph.edges { #expect(places.contains(edge.from) && places.contains(edge.to)) }
        for place in places where !place.contains("<") {
            #expect(AppRoute.graph.graphviz().contains(place))
        }
    }
}
