import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("Managing users on screens")
struct OperatorTests {
    /// Returns an application where `ada`, an operator, is signed in; `eve` is a reader.
    private func application(at place: AppRoute = .users) async throws -> Application {
        let application = try await Application()
        try await application.register("ada")
        try await application.register("eve")
        try await application.coordinator.start(at: place)
        try await application.logIn("ada")
        return application
    }

    private func user(_ name: String, in application: Application) async throws -> User? {
        try await application.auth.users(by: .system(user: "test")).first { $0.username.text == name }
    }

    private func fact(_ label: String, in application: Application) async throws -> String? {
        try await application.screen.document?.facts.first { $0.label == label }?.value
    }

    @Test("A user is made an editor, disabled, enabled, and deleted after questions, and the log records it")
    func deeds() async throws {
        let application = try await application()
        try await application.chooseRow("eve")
        #expect(application.stack == ["/account", "/users", "/users/2"])
        for action in try await application.screen.actions { #expect(action.confirmation != nil, "\(action.label)") }
        try await application.choose("make-editor")
        #expect(try await application.hasSucceeded)
        #expect(try await fact("Role", in: application) == "editor")
        try await application.choose("disable")
        #expect(try await fact("State", in: application)?.hasPrefix("disabled") == true)
        #expect(try await user("eve", in: application)?.disabledAt != nil)
        try await application.choose("enable")
        #expect(try await fact("State", in: application) == "active")
        try await application.choose("delete")
        #expect(application.stack == ["/account", "/users"])
        #expect(try await user("eve", in: application) == nil)
        let log = try await application.auth.events(matching: AuditQuery(), by: .system(user: "test"))
        #expect(Set(log.map(\.event.kind)).isSuperset(of: [.roleChanged, .disabled, .enabled, .deleted]))
    }

    @Test("A user's sessions are ended")
    func sessions() async throws {
        let application = try await application(at: .user(2))
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .articles())
        try await other.logIn("eve")
        try await application.choose("log-out")
        #expect(application.coordinator.notice?.text.contains("1") == true)
        try await other.send(.open(.account))
        #expect(other.place == "/login")
    }

    @Test("An action for a user is not applied to another who has the name now")
    func renamed() async throws {
        let application = try await application(at: .user(2))
        try await application.register("bob")
        let system = Authority.system(user: "test")
        try await application.auth.rename(Username("eve"), to: Username("eve.old"), by: system)
        try await application.auth.rename(Username("bob"), to: Username("eve"), by: system)
        try await application.choose("make-operator")
        #expect(try await user("eve.old", in: application)?.role == .operator)
        #expect(try await user("eve", in: application)?.role == .reader)
    }

    @Test("A lost second factor is turned off, if there is one")
    func secondFactor() async throws {
        let application = try await application(at: .user(2))
        let action = "remove-second-factor"
        #expect(try await !application.screen.actions.contains { $0.id == action })
        _ = try await application.addSecondFactor("eve")
        try await application.choose(action)
        #expect(try await !application.screen.actions.contains { $0.id == action })
    }

    @Test("A new code is shown once, and works")
    func codes() async throws {
        let application = try await application()
        try await application.choose("/users/registration")
        #expect(try await application.screen.form?.fields.first?.value == "open")
        try await application.submit([.registration: "invitation"])
        #expect(try await application.hasSucceeded)
        try await application.choose("invitationChosen")
        #expect(application.place == "/users/code" && application.coordinator.isUnderWay)
        let invitation = try #require(try await fact("Code", in: application))
        _ = try await application.auth.register(
            username: Username("bob"), password: Password(Application.password), region: Region("SE"), from: .test,
            invitation: invitation)
        try await application.back()
        try await application.chooseRow("eve")
        try await application.choose("userResetChosen")
        let reset = try #require(try await fact("Code", in: application))
        #expect(try await application.screen.title.contains("eve"))
        _ = try await application.auth.resetPassword(
            code: reset, new: Password("quite another passphrase, long"), from: .test)
        try await application.back()
        #expect(try await application.screen.title == "eve")
        try application.coordinator.navigator.perform(.push(.madeCode))
        #expect(try await fact("Code", in: application) != reset)
    }

    @Test("A user who is no longer an operator does not see a code when they look again")
    func demoted() async throws {
        let application = try await application()
        try await application.choose("invitationChosen")
        try await application.coordinator.reconsider()
        #expect(application.place == "/users/code")
        let system = Authority.system(user: "test")
        try await application.auth.setRole(.operator, of: Username("eve"), by: system)
        try await application.auth.setRole(.reader, of: Username("ada"), by: system)
        try await application.coordinator.reconsider()
        #expect(application.stack == ["/account"])
        #expect(try await application.screen.notice?.error as? AuthError == .notAllowed(.operator))
    }

    @Test("The own account, and a deleted one, offer no actions")
    func none() async throws {
        let application = try await application(at: .user(1))
        #expect(try await application.screen.actions.isEmpty)
        try await application.coordinator.start(at: .user(7))
        await #expect(throws: ScreenError.noUser(7)) { try await application.screen }
    }

    @Test("An API token sees the screens without actions")
    func token() async throws {
        let application = try await application()
        application.tokens.token = try await application.coordinator.currentUser.account.createToken(
            named: "test", scope: .write, lifetime: 86_400
        ).1.text
        try await application.coordinator.start(at: .user(2))
        #expect(try await application.screen.title == "eve")
        #expect(try await application.screen.actions.isEmpty)
    }
}
