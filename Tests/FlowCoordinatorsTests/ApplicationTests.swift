import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("The application")
struct ApplicationTests {
    @Test("A user goes from a fresh database to an article and out again")
    func wholeStory() async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.coordinator.start()
        #expect(application.place == "/welcome")

        try await application.choose("register")
        #expect(application.stack == ["/welcome", "/login", "/signup"])
        try await application.submit([
            .username: "Ada", .password: Application.password, .confirmation: Application.password,
        ])
        try await application.submit([.region: "SE"])
        #expect(try await application.hasSucceeded)
        #expect(application.stack == ["/articles?unread=yes"])
        #expect(
            try await application.screen.list?.rows.map(\.cells[1].text) == ["article-3", "article-2", "article-1"])
        #expect(application.tokens.token != nil)

        try await application.chooseRow("article-2")
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
        #expect(try await application.screen.document?.body == "Body 2")
        #expect(try await application.coordinator.back())
        #expect(application.place == "/articles?unread=yes")

        try await application.choose("log-out")
        #expect(application.stack == ["/welcome", "/login"])
        #expect(application.tokens.token == nil)
        #expect(try await application.hasSucceeded)
    }

    @Test("A deep link without a session waits behind the log-in")
    func deepLink() async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        #expect(application.stack == ["/welcome", "/login"])
        try await application.logIn()
        #expect(application.stack == ["/library", "/articles", "/articles/article-1"])
    }

    @Test("Leaving the login forgets the target")
    func cancelledLogIn() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        #expect(try await application.coordinator.back())
        #expect(application.stack == ["/welcome"])
        #expect(application.coordinator.navigator.state.deferred == nil)
        try await application.choose("log-in")
        try await application.logIn()
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("The next start continues the session")
    func resumed() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        let next = try await Application(sharing: application, tokens: application.tokens)
        try await next.coordinator.start()
        #expect(next.stack == ["/articles?unread=yes"])
    }

    @Test("An invalid token, or one without a session, is the same as none", arguments: ["", "x", "a.b", "💥.💥"])
    func badToken(_ token: String) async throws {
        let application = try await Application()
        application.tokens.token = token
        try await application.coordinator.start()
        #expect(application.stack == ["/welcome"])
    }

    @Test("An expired session leads to the login, and after it back to the place")
    func expired() async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        application.advance(days: 365)
        try await application.send(.logOutChosen)
        #expect(application.stack == ["/welcome", "/login"])
        #expect(try await application.screen.notice != nil)
        try await application.logIn()
        #expect(application.stack == ["/library", "/articles", "/articles/article-1"])
    }

    @Test("The waiting target of one user is never shown to another")
    func otherUser() async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.register("ada")
        try await application.register("eve")
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn("ada")
        application.advance(days: 365)
        #expect(try await application.coordinator.back(), "it led somewhere")
        #expect(application.place == "/login")
        try await application.logIn("eve")
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("A session that is revoked elsewhere ends here at the next action")
    func revokedElsewhere() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        let elsewhere = try await Application(sharing: application)
        try await elsewhere.coordinator.start(at: .account)
        try await elsewhere.logIn()
        try await elsewhere.choose("log-out-everywhere")
        #expect(try await elsewhere.screen.notice?.text.contains("2") == true)
        try await application.send(.open(.account))
        #expect(application.stack == ["/welcome", "/login"])
    }

    @Test("A wrong password keeps the name and shows the reason")
    func wrongPassword() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.submit([.username: "ada", .password: "wrong"])
        let screen = try await application.screen
        #expect(application.place == "/login")
        #expect(screen.form?.fields.first?.value == "ada")
        try await application.coordinator.start(at: .login(username: "eve"))
        try await application.submit([.username: "ada", .password: "wrong"])
        #expect(try await application.screen.form?.fields.first?.value == "ada", "typed goes before suggested")
        guard case AuthError.invalidCredentials? = screen.notice?.error else {
            Issue.record("\(String(describing: screen.notice))")
            return
        }
    }

    @Test("The sign-up goes back without losing input, and refuses errors at their step")
    func signUp() async throws {
        let application = try await Application()
        try await application.register("taken")
        try await application.coordinator.start(at: .signUpRegion)
        try await application.submit([.region: "XX"])
        #expect(application.place == "/signup/region")
        #expect(try await application.screen.notice?.error != nil)
        try await application.submit([.region: "DK"])
        try await application.submit([.username: "no spaces"])
        #expect(application.place == "/signup/username")
        #expect(try await application.screen.notice?.error != nil)
        try await application.submit([.username: "taken"])
        #expect(application.place == "/signup/username")
        #expect(try await application.screen.notice?.error != nil)

        try await application.submit([.username: "late"])
        #expect(application.place == "/signup/password")
        _ = try await application.coordinator.back()
        _ = try await application.coordinator.back()
        #expect(try await application.screen.form?.fields.first?.value == "DK")
        try await application.submit([.region: "DK"])
        #expect(try await application.screen.form?.fields.first?.value == "late")
        try await application.submit([.username: "late"])

        try await application.submit([.password: Application.password, .confirmation: "other"])
        #expect(try await application.screen.notice?.error as? FormError == .passwordsDiffer)
        try await application.submit([.password: "password", .confirmation: "password"])
        #expect(application.place == "/signup/password")
        // A name that somebody took in the meantime can be changed only where it was chosen.
        try await application.register("late")
        try await application.submit([.password: Application.password, .confirmation: Application.password])
        #expect(application.place == "/signup/username")
        try await application.submit([.username: "free"])
        try await application.submit([.password: Application.password, .confirmation: Application.password])
        #expect(application.place == "/articles?unread=yes")
        #expect(application.coordinator.currentUser.session?.user.username.text == "free")
    }

    @Test("The sign-up takes the name and the password, then the region, and ends logged in")
    func shortSignUp() async throws {
        let application = try await Application()
        try await application.register("taken")
        try await application.coordinator.start()
        try await application.choose("register")
        let password = Application.password
        func give(_ name: String, _ password: String = Application.password, _ confirmation: String? = nil) async throws
        {
            try await application.submit(
                [.username: name, .password: password, .confirmation: confirmation ?? password])
        }
        for name in ["no spaces", "taken", "admin"] {
            try await give(name)
            #expect(application.place == "/signup")
            #expect(try await application.screen.notice?.error != nil)
        }
        #expect(try await application.screen.notice?.error as? AuthError == .reservedName(Username("admin")))
        try await give("free", "password")
        #expect(application.place == "/signup")
        try await give("free", password, "other")
        #expect(try await application.screen.notice?.error as? FormError == .passwordsDiffer)
        try await give("free")
        #expect(application.place == "/signup/region")
        try await application.submit([.region: "XX"])
        #expect(application.place == "/signup/region")
        // Another user takes the name in the meantime.
        try await application.register("free")
        try await application.submit([.region: "DK"])
        #expect(application.place == "/signup")
        #expect(try await application.screen.form?.fields.first?.value == "free")
        try await give("freer")
        #expect(try await application.screen.form?.fields.first?.value == "DK")
        try await application.submit([.region: "DK"])
        #expect(application.place == "/articles?unread=yes")
        #expect(try await application.hasSucceeded)
        let user = try #require(application.coordinator.currentUser.session?.user)
        #expect(user.username.text == "freer" && user.region.code == "DK")
    }

    @Test("The sign-up leads to the place that waited behind the log-in")
    func signUpOnTheWay() async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.coordinator.start(at: .article("article-1"))
        try await application.choose("register")
        try await application.submit(
            [.username: "ada", .password: Application.password, .confirmation: Application.password])
        try await application.submit([.region: "SE"])
        #expect(application.place == "/articles/article-1")
    }

    @Test("A sign-up by a user who is logged in leaves them logged in")
    func signUpOfAnother() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        try await application.coordinator.start(at: .signUpAccount)
        try await application.submit(
            [.username: "bob", .password: Application.password, .confirmation: Application.password])
        try await application.submit([.region: "SE"])
        #expect(application.place == "/login?username=bob")
        #expect(application.coordinator.currentUser.session?.user.username.text == "ada")
    }

    @Test("The login contains the name just registered, not one that was typed there before")
    func registeredName() async throws {
        let application = try await Application(signUp: SignUpOptions(order: .regionFirst, logsIn: false))
        try await application.coordinator.start(at: .login())
        try await application.submit([.username: "wrong", .password: "wrong"])
        #expect(try await application.screen.form?.fields.first?.value == "wrong")
        try await application.choose("register")
        try await application.submit([.region: "SE"])
        try await application.submit([.username: "ada"])
        try await application.submit([.password: Application.password, .confirmation: Application.password])
        #expect(application.place == "/login?username=ada")
        #expect(try await application.screen.form?.fields.first?.value == "ada")
    }

    @Test("A session whose token cannot be stored is closed")
    func lostToken() async throws {
        struct Full: Error {}
        let application = try await Application()
        let user = try await application.register()
        application.tokens.failure = Full()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        #expect(application.place == "/login")
        #expect(try await application.screen.notice?.error is Full)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)

        application.tokens.failure = nil
        try await application.logIn()
        try await application.coordinator.start(at: .password)
        application.tokens.failure = Full()
        let new = "another long and strange passphrase"
        try await application.submit([.password: Application.password, .newPassword: new, .confirmation: new])
        let failure = try #require(try await application.screen.notice?.error as? FollowUpError)
        #expect(failure.reason is Full)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)
    }

    @Test(
        "Without a session each protected place waits by itself, whatever is below it",
        arguments: [.articles(), .article("article-1"), .account, .sessions, .password, .appearance, .importing]
            as [AppRoute])
    func protected(_ place: AppRoute) async throws {
        let application = try await Application()
        #expect(place.isProtected)
        let navigator = application.coordinator.navigator
        try navigator.perform(.show([place]))
        #expect(application.stack == ["/welcome", "/login"])
        #expect(navigator.state.deferred?.target.routes == [place])
    }

    @Test("A missing article is an error that names it, and the list is one step back")
    func missingArticle() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .article("nowhere"))
        try await application.logIn()
        await #expect(throws: ArticleError.noArticle("nowhere")) { try await application.screen }
        _ = try await application.coordinator.back()
        #expect(application.place == "/articles")
        #expect(try await application.screen.list?.rows.isEmpty == true)
    }

    @Test("A changed password ends every other session and keeps this one")
    func changePassword() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .password)
        try await application.logIn()
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .account)
        try await other.logIn()

        let new = "another long and strange passphrase"
        try await application.submit([.password: "wrong", .newPassword: new, .confirmation: new])
        #expect(application.place == "/account/password")
        #expect(try await application.screen.notice?.error != nil)
        try await application.submit([.password: Application.password, .newPassword: new, .confirmation: "typo"])
        #expect(application.place == "/account/password")
        try await application.submit([.password: Application.password, .newPassword: new, .confirmation: new])
        #expect(application.stack == ["/account"])
        #expect(try await application.hasSucceeded)

        try await other.send(.open(.sessions))
        #expect(other.place == "/login")
        try await other.submit([.username: "ada", .password: new])
        // The event was not handled: the place that sent it is resumed.
        #expect(other.place == "/account")
    }

    @Test("A session is revoked from the list, also the current one")
    func revoke() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .account)
        try await other.logIn()
        #expect(try await application.screen.list?.rows.count == 2)
        let otherID = try #require(other.coordinator.currentUser.session?.id.description)
        try await application.chooseRow(otherID)
        #expect(try await application.screen.list?.rows.count == 1)
        let gone = try #require(Session.ID(otherID))
        try await application.send(.sessionRevocationChosen(gone))
        #expect(try await application.screen.notice?.error as? ScreenError == .noSession(otherID))
        try await application.chooseRow("current")
        #expect(application.stack == ["/welcome", "/login"])
    }

    @Test("No coordinator outlives its frames")
    func released() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .account)
        try await application.logIn()
        let navigator = application.coordinator.navigator
        weak let account = navigator.coordinators.values.first
        #expect(navigator.coordinators.count == 1 && account != nil)
        try await application.choose("/users")
        #expect(navigator.coordinators.count == 2)
        try await application.back()
        #expect(navigator.coordinators.count == 1)
        // Back at the lowest place of a section shows the first section, and keeps the other one.
        try await application.back()
        #expect(navigator.coordinators.count == 2 && account != nil)
        try await application.choose("log-out")
        #expect(account == nil)
        #expect(navigator.coordinators.count == navigator.state.flows.count)
    }

    @Test("A notice belongs to the last action only")
    func notices() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .account)
        #expect(try await application.screen.notice != nil)
        let wrong: Answers = [.username: "ada", .password: "wrong"]
        try await application.submit(wrong)
        #expect(try await application.screen.notice != nil)
        try await application.choose("register")
        #expect(try await application.screen.notice == nil)
        try await application.submit([.username: "bob", .password: "short", .confirmation: "short"])
        #expect(try await application.screen.notice != nil)
        try await application.back()
        #expect(application.place == "/leave/signup")
        #expect(try await application.screen.notice == nil)
        try await application.choose("leave")
        try await application.submit(wrong)
        #expect(try await application.screen.notice != nil)
        try await application.coordinator.start()
        #expect(try await application.screen.notice == nil)
    }

    @Test("Logging out ends the session on the server too, says so, and leaves nothing to come back to")
    func loggedOut() async throws {
        let application = try await Application()
        let user = try await application.register()
        for way in ["log-out", "log-out-everywhere"] {
            try await application.coordinator.start(at: .account)
            try await application.logIn()
            #expect(application.place == "/account")
            try await application.choose(way)
            #expect(try await application.hasSucceeded)
            #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)
            #expect(application.coordinator.navigator.state.deferred == nil)
        }
    }

    @Test("Logging out ends the session also if its token cannot be removed, and says so")
    func tokenStays() async throws {
        struct Full: Error {}
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .account)
        try await application.logIn()
        application.tokens.failure = Full()
        try await application.choose("log-out")
        #expect(application.stack == ["/welcome", "/login"])
        let failure = try #require(try await application.screen.notice?.error as? FollowUpError)
        #expect(failure.reason is Full)
    }

    @Test("Logging in again says what it does, and ends the old session when the new one is stored")
    func again() async throws {
        struct Full: Error {}
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        let first = try #require(application.coordinator.currentUser.session?.id)
        try await application.coordinator.start(at: .login())
        #expect(try await application.screen.notice?.text.contains("ada") == true)

        application.tokens.failure = Full()
        try await application.logIn()
        #expect(application.coordinator.currentUser.session?.id == first)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).map(\.id) == [first])

        application.tokens.failure = nil
        try await application.logIn()
        let second = try #require(application.coordinator.currentUser.session?.id)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).map(\.id) == [second])
        #expect(second != first)
    }

    @Test("If no token could be stored, no session is requested, and no password changed")
    func refused() async throws {
        struct Full: Error {}
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .password)
        application.tokens.refusal = Full()
        try await application.logIn()
        #expect(try await application.screen.notice?.error is Full)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)

        application.tokens.refusal = nil
        try await application.logIn()
        let session = try #require(application.coordinator.currentUser.session)
        application.tokens.refusal = Full()
        let new = "another long and strange passphrase"
        try await application.submit([.password: Application.password, .newPassword: new, .confirmation: new])
        #expect(try await application.screen.notice?.error is Full)
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).map(\.id) == [session.id])
    }

    @Test("A session that ended because of a wrong clock does not come back")
    func clock() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        application.advance(days: -2)
        try await application.send(.open(.account))
        #expect(application.place == "/login")
        application.advance(days: 2)
        try await application.back()
        #expect(application.coordinator.currentUser.session == nil)
    }

    @Test("A token that another front has removed signs nobody in at the next start")
    func tokenRemoved() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .account)
        try await application.logIn()
        try application.tokens.remove()
        try await application.coordinator.start()
        #expect(application.stack == ["/welcome"])
    }
}
