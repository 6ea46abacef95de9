import AuthService
import FlowCoordinators
import Foundation
import Navigation
import Testing

extension Application {
    /// Returns an application that continues with the state of this one, as in another process.
    fileprivate func resumed() async throws -> Application {
        let next = try await restarted()
        #expect(try await next.coordinator.resume(coordinator.suspended))
        #expect(next.stack == stack)
        return next
    }

    fileprivate var sessionToken: SessionToken {
        get throws { try #require(tokens.token.flatMap { SessionToken($0) }) }
    }

    /// Returns an application where `ada` is logged in.
    fileprivate static func loggedIn(at place: AppRoute) async throws -> Application {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: place)
        try await application.logIn()
        return application
    }
}

@Suite("An application that continues in another process")
struct SuspensionTests {
    @Test("A registration continues with the password, which no bookmark contains")
    func signUp() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpAccount)
        try await application.submit([
            .username: "grace", .password: Application.password, .confirmation: Application.password,
        ])
        let next = try await application.resumed()
        #expect(next.place == "/signup/region" && next.coordinator.isUnderWay)
        let bookmark = try JSONEncoder().encode(next.coordinator.navigator.state)
        #expect(!String(decoding: bookmark, as: UTF8.self).contains(Application.password))
        try await next.submit([.region: "SE"])
        #expect(next.coordinator.currentUser.session?.user.username.text == "grace")
    }

    @Test("A login continues with its code")
    func code() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let next = try await application.resumed()
        try await next.submit([.code: "000000"])
        #expect(try await next.screen.notice?.error as? AuthError == .wrongCode)
        let last = try await next.resumed()
        #expect(try await last.screen.notice?.error != nil)
        try await last.giveCode(authenticator)
        #expect(last.stack == ["/account", "/account/sessions"])
    }

    @Test("A login that waits for its code does not continue after its time")
    func lateCode() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let late = try await application.resumed()
        application.advance(hours: 0.1)
        try await late.giveCode(authenticator)
        #expect(late.coordinator.currentUser.session == nil && late.place == "/login")
        // The form has the name.
        #expect(try await late.screen.form?.fields.first?.value == "ada")
    }

    @Test("A login that waits for its code does not continue after the password has changed")
    func changedPassword() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let code = try await application.auth.issueReset(for: Username("ada"), by: .system(user: "test")).code
        _ = try await application.auth.resetPassword(
            code: code.text, new: Password("another battery staple"), client: "test", from: .test)
        let changed = try await application.resumed()
        application.advance(hours: 30.0 / 3_600)
        try await changed.giveCode(authenticator)
        #expect(changed.coordinator.currentUser.session == nil)
    }

    /// A request that needs the password again, and the place that shows its result.
    enum Request: CaseIterable {
        case rename, feedAddress, recoveryCodes, secondFactorRemoval, sessionEnd, logOutEverywhere

        var place: AppRoute {
            switch self {
            case .rename: .name
            case .feedAddress: .feedAddress
            case .recoveryCodes, .secondFactorRemoval: .secondFactorSettings
            case .sessionEnd, .logOutEverywhere: .sessions
            }
        }

        var result: String {
            switch self {
            case .rename: "/account"
            case .feedAddress: "/account/feed/made"
            case .recoveryCodes: "/account/second-factor/codes"
            case .secondFactorRemoval: "/account/second-factor"
            case .sessionEnd: "/account/sessions"
            case .logOutEverywhere: "/login"
            }
        }
    }

    @Test("A request continues after the password was given again", arguments: Request.allCases)
    func confirmation(request: Request) async throws {
        let application = try await Application.loggedIn(at: request.place)
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .account)
        try await other.logIn()
        let otherSession = try #require(other.coordinator.currentUser.session?.id)
        if case .secondFactorSettings = request.place { _ = try await application.addSecondFactor() }
        application.advance(hours: 2)
        let event: AppEvent =
            switch request {
            case .rename: .submitted([.username: "grace"])
            case .feedAddress: .newFeedAddressChosen
            case .recoveryCodes: .recoveryCodesChosen
            case .secondFactorRemoval: .secondFactorRemovalChosen
            case .sessionEnd: .sessionRevocationChosen(otherSession)
            case .logOutEverywhere: .logOutEverywhereChosen
            }
        try await application.send(event)
        try #require(application.place == "/account/confirm")
        let next = try await application.resumed()
        try await next.submit([.password: "wrong"])
        #expect(next.place == "/account/confirm")
        let last = try await next.resumed()
        try await last.submit([.password: Application.password])
        #expect(last.place == request.result)
        #expect(try await last.screen.notice?.error == nil)
        let session = try await application.auth.currentSession(token: other.sessionToken)
        #expect((session == nil) == (request == .sessionEnd || request == .logOutEverywhere))
    }

    @Test("A secret that is shown once stays the same")
    func secrets() async throws {
        let application = try await Application.loggedIn(at: .feedAddress)
        try await application.send(.newFeedAddressChosen)
        #expect(application.place == "/account/feed/made")
        let facts = try await application.screen.document?.copies.map(\.text)
        #expect(try await application.resumed().screen.document?.copies.map(\.text) == facts)
    }

    @Test("A text that is not a state is refused, and the application starts as usual", arguments: ["", "{}", "[1]"])
    func invalid(text: String) async throws {
        let application = try await Application()
        #expect(try await !application.coordinator.resume(text))
        try await application.coordinator.start()
        #expect(application.stack == ["/welcome"])
    }

    @Test("If the session has ended, the login is shown instead of a protected place")
    func ended() async throws {
        let application = try await Application.loggedIn(at: .secondFactorSetUp)
        let state = try application.coordinator.suspended
        try await application.auth.logOut(token: application.sessionToken)
        let next = try await application.restarted()
        #expect(try await next.coordinator.resume(state))
        #expect(next.coordinator.currentUser.session == nil && next.place == "/login")
    }
}
