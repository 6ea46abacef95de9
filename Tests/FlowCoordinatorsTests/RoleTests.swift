import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("Screens for each role")
struct RoleTests {
    /// Returns an application where `eve`, who has this role, is signed in; `ada` is the operator.
    private func application(as role: Role, at target: AppRoute? = nil) async throws -> Application {
        let application = try await Application()
        try await application.register("ada")
        try await application.register("eve")
        try await application.auth.setRole(role, of: Username("eve"), by: .system(user: "test"))
        try await application.coordinator.start(at: target ?? .articles())
        try await application.logIn("eve")
        return application
    }

    @Test(
        "A place that the role bars is not shown, whatever leads there, and the reason is given",
        arguments: [
            (Role.reader, AppRoute.users), (.editor, .users), (.reader, .importing), (.reader, .writing),
            (.reader, .subscribing()), (.reader, .feedList), (.reader, .savingPage()),
        ])
    func barred(role: Role, target: AppRoute) async throws {
        let needed = try #require(target.role)
        let behindLogIn = try await application(as: role, at: target)
        #expect(behindLogIn.stack == ["/articles?unread=yes"])
        #expect(try await behindLogIn.screen.notice?.error as? AuthError == .notAllowed(needed))
        let linked = try await application(as: role)
        try await linked.coordinator.start(at: target)
        #expect(!linked.stack.contains(target.path))
        #expect(try await linked.screen.notice?.error as? AuthError == .notAllowed(needed))
        try? linked.coordinator.navigator.perform(.push(target))
        #expect(!linked.stack.contains(target.path))
    }

    @Test("The way to a place is offered only if the role permits it", arguments: Role.allCases)
    func offered(role: Role) async throws {
        let application = try await application(as: role)
        for id in ["import", "write"] {
            #expect(try await application.screen.actions.contains { $0.id == id } == (role >= .editor))
        }
        try await application.choose("account")
        #expect(try await application.screen.actions.contains { $0.id == "/users" } == (role >= .operator))
        #expect(try await application.screen.document?.facts.first?.value == role.rawValue)
    }

    @Test("An operator sees the list of users")
    func users() async throws {
        let application = try await application(as: .operator, at: .users)
        #expect(application.stack == ["/account", "/users"])
        #expect(try await application.screen.list?.rows.map { $0.cells[1].text } == ["ada", "eve"])
        guard case .users(let users) = try await application.screen.model else {
            Issue.record("no users")
            return
        }
        #expect(users.map(\.role) == [.operator, .operator])
    }

    @Test("A user who loses a role leaves its places with the next action")
    func demoted() async throws {
        let application = try await application(as: .operator, at: .users)
        try await application.auth.setRole(.reader, of: Username("eve"), by: .system(user: "test"))
        try await application.send(.moreRowsWanted)
        #expect(application.stack == ["/account"])
        #expect(try await application.screen.notice?.error as? AuthError == .notAllowed(.operator))
        #expect(try await !application.screen.actions.contains { $0.id == "/users" })
    }

    @Test("An editor of articles refuses a user who has lost the role, and says so")
    func demotedEditor() async throws {
        let application = try await application(as: .editor, at: .importing)
        try await application.coordinator.authorizeEditing()
        try await application.auth.setRole(.reader, of: Username("eve"), by: .system(user: "test"))
        await #expect(throws: AuthError.notAllowed(.editor)) { try await application.coordinator.authorizeEditing() }
    }

    @Test("A user who gets a role stays at the place, and sees the new ways")
    func promoted() async throws {
        let application = try await application(as: .reader, at: .account)
        try await application.auth.setRole(.operator, of: Username("eve"), by: .system(user: "test"))
        try await application.send(.open(.sessions))
        #expect(application.place == "/account/sessions")
        try await application.back()
        try await application.choose("/users")
        #expect(application.place == "/users")
    }

    @Test("The graph of a role does not contain barred places")
    func graph() {
        let screens = Dictionary(
            uniqueKeysWithValues: Role.allCases.map { role in
                (role, Set(AppRoute.graph(for: role).nodes.map(\.screen)))
            })
        #expect(screens[.operator] == Set(AppRoute.graph.nodes.map(\.screen)))
        #expect(
            screens[.operator]?.subtracting(screens[.editor] ?? []) == [
                "/users", "/users/<id>", "/users/registration", "/users/code", "/audit",
            ])
        #expect(
            screens[.editor]?.subtracting(screens[.reader] ?? []) == [
                "/articles/<slug>/edit", "/import", "/leave/import", "/sources/<id>/edit", "/sources/import",
                "/sources/subscribe", "/sources/subscribe/choice", "/write", "/add",
            ])
        for role in Role.allCases {
            for edge in AppRoute.graph(for: role).edges {
                #expect(screens[role]?.isSuperset(of: [edge.from, edge.to]) == true)
            }
        }
    }

    @Test(
        "An API token goes where its scope permits, and nowhere else",
        arguments: [
            (
                APIToken.Scope.read,
                [
                    "/articles", "/articles/article-1", "/library", "/library/sources", "/rules", "/sources",
                    "/sources/1",
                    "/account",
                ]
            ),
            (
                .write,
                [
                    "/articles", "/articles/article-1", "/articles/article-1/tags", "/articles/article-1/note",
                    "/articles/article-1/edit", "/write", "/add", "/searches/save", "/rules", "/rules/save",
                    "/rules/try",
                    "/library", "/library/sources", "/sources", "/sources/1", "/sources/1/edit", "/sources/import",
                    "/sources/subscribe",
                    "/sources/subscribe/choice", "/account", "/users", "/users/1", "/audit", "/import",
                ]
            ),
        ])
    func scopes(scope: APIToken.Scope, open: [String]) async throws {
        let application = try await application(as: .operator)
        try await application.seed(1)
        let token = try await application.coordinator.currentUser.account.createToken(
            named: "test", scope: scope, lifetime: 86_400
        ).secret
        application.tokens.token = token.text
        for screen in AppRoute.screens where screen.isProtected {
            let target = screen.about("article-1")
            try await application.coordinator.start(at: target)
            let isOpen = open.contains(target.path)
            #expect((application.place == target.path) == isOpen, "\(target.path)")
            let error = try await application.screen.notice?.error as? AuthError
            #expect(error == (isOpen ? nil : .outOfScope), "\(target.path)")
        }
    }

    @Test("The sign-up asks for an invitation if required, and is not offered while registration is closed")
    func registration() async throws {
        let application = try await Application()
        try await application.register("ada")
        let system = Authority.system(user: "test")
        try await application.auth.setRegistration(.closed, by: system)
        try await application.coordinator.start(at: .signUpRegion)
        #expect(application.place == "/login")
        #expect(try await application.screen.notice?.error as? AuthError == .registrationClosed)
        for entrance: AppRoute in [.login(), .welcome] {
            try await application.coordinator.start(at: entrance)
            #expect(try await !application.screen.actions.contains { $0.id == "register" })
        }

        try await application.auth.setRegistration(.invitation, by: system)
        let code = try await application.auth.invite(by: system).code
        try await application.coordinator.start(at: .welcome)
        try await application.choose("register")
        #expect(try await application.screen.form?.fields.map(\.name) == [.code, .username, .password, .confirmation])
        let password = Application.password
        var answers: Answers = [.code: "x", .username: "eve", .password: password, .confirmation: password]
        try await application.submit(answers)
        try await application.submit([.region: "SE"])
        #expect(try await application.screen.notice?.error as? AuthError == .invalidCode)
        #expect(application.place == "/signup")
        answers[.code] = code.text
        try await application.submit(answers)
        try await application.submit([.region: "SE"])
        #expect(application.place == "/articles?unread=yes")
    }
}
