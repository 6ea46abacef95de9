import AuthService
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import TestSupport
import Testing

extension Application {
    /// Sets up a second factor for the signed-in user on the screens, and returns its authenticator. The application is
    /// then at the list.
    func setUpSecondFactor() async throws -> (authenticator: Authenticator, recoveryCodes: [OneTimeCode]) {
        try await coordinator.start(at: .secondFactorSettings)
        try await choose("/account/second-factor/set-up")
        let address = try await screen.form?.handover?.address ?? ""
        guard let authenticator = Authenticator(address) else { throw Missing(what: "a secret", on: place) }
        try await submit([.code: authenticator.code(at: now)])
        guard case .recoveryCodes(let codes) = try await screen.model else { throw Missing(what: "codes", on: place) }
        // The user closes the codes, and goes to another section.
        try await coordinator.start(at: .account)
        _ = try await screen
        try await coordinator.start(at: .articles())
        // The code of the set-up is used up.
        advance(days: 30 / 86_400)
        return (authenticator, codes)
    }

    /// Gives `ada` a second factor without a screen, and returns its authenticator.
    func addSecondFactor(_ username: String = "ada") async throws -> Authenticator {
        let token = try await auth.logIn(
            username: username, password: Password(Self.password), client: "test", from: .test
        ).newSession.token
        let secret = auth.newSecret()
        guard let authenticator = Authenticator(secret.base32) else { throw Missing(what: "a secret", on: place) }
        _ = try await auth.addSecondFactor(secret, code: authenticator.code(at: now), token: token)
        // That code is used up.
        advance(days: 30 / 86_400)
        return authenticator
    }

    /// Returns an application where `ada`, who has a second factor, has logged out.
    static func guarded() async throws -> (Application, Authenticator, recoveryCodes: [OneTimeCode]) {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        let (authenticator, recoveryCodes) = try await application.setUpSecondFactor()
        try await application.choose("log-out")
        return (application, authenticator, recoveryCodes)
    }

    /// Sends the code of the authenticator.
    func giveCode(_ authenticator: Authenticator) async throws {
        try await submit([.code: authenticator.code(at: now)])
    }
}

@Suite("A second factor")
struct SecondFactorTests {
    @Test("The code is requested after the password, before anything protected, and then leads to the target")
    func logIn() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        #expect(application.stack == ["/welcome", "/login", "/second-factor"])
        #expect(application.coordinator.currentUser.session == nil)
        #expect(application.tokens.token == nil)
        try await application.submit([.code: "000000"])
        #expect(application.place == "/second-factor")
        #expect(try await application.screen.notice?.error as? AuthError == .wrongCode)
        try await application.giveCode(authenticator)
        #expect(application.stack == ["/account", "/account/sessions"])
        #expect(application.coordinator.currentUser.session?.user.username.text == "ada")
        #expect(application.tokens.token != nil)
    }

    @Test(
        "Protected places are behind the factor's own entrance, whatever leads there",
        arguments: AppRoute.screens.filter(\.isProtected))
    func entrance(target: AppRoute) async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        try await application.coordinator.start(at: target)
        #expect(application.stack == ["/welcome", "/login", "/second-factor"])
        try? application.coordinator.navigator.perform(.show([target]))
        #expect(application.stack == ["/welcome", "/login", "/second-factor"])
        try await application.giveCode(authenticator)
        #expect(application.coordinator.currentUser.session != nil && application.place != "/second-factor")
    }

    @Test("The code's place cannot be reached without the password")
    func linked() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .secondFactor)
        #expect(application.stack == ["/welcome", "/login"])
        try await application.logIn()
        try await application.giveCode(authenticator)
        #expect(application.stack == ["/articles?unread=yes"])
        try await application.coordinator.start(at: .secondFactor)
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("Going back from the code cancels the login, and keeps the name and the target")
    func back() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        try await application.back()
        #expect(application.stack == ["/welcome", "/login"])
        #expect(try await application.screen.form?.fields.first?.value == "ada")
        try await application.logIn()
        try await application.giveCode(authenticator)
        #expect(application.place == "/account/sessions")
    }

    @Test("A second factor that is left while its code is checked opens no session", .timeLimit(.minutes(30)))
    func left() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let opening = application.accounts.hold(.openSession)
        try await application.coordinator.send(.submitted([.code: authenticator.code(at: application.now)]))
        await opening.reached.wait()
        try await application.back()
        await application.accounts.ended.wait()
        #expect(application.stack == ["/welcome", "/login"])
        #expect(application.coordinator.currentUser.session == nil)
        #expect(application.tokens.token == nil)
        // The password must be entered again.
        try await application.coordinator.start(at: .secondFactor)
        #expect(application.stack == ["/welcome", "/login"])
    }

    @Test("A login that waited too long for the code begins again, and keeps its target")
    func late() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        application.advance(days: 1)
        try await application.giveCode(authenticator)
        #expect(application.stack == ["/welcome", "/login"])
        #expect(try await application.screen.notice?.error as? AuthError == .logInEnded)
        try await application.logIn()
        try await application.giveCode(authenticator)
        #expect(application.place == "/account/sessions")
    }

    @Test("The code is requested after a session has ended, and leads back to its place")
    func resumed() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.logIn()
        try await application.giveCode(authenticator)
        try await application.coordinator.start(at: .tokens)
        try await application.saveBookmark()
        application.advance(days: 60)
        let next = try await application.restarted()
        try await next.coordinator.start()
        try await next.logIn()
        try await next.giveCode(authenticator)
        #expect(next.stack == ["/account", "/account/tokens"])
    }

    @Test("A login over another user's session requests the code, and that session continues until then")
    func overSession() async throws {
        let (application, authenticator, _) = try await Application.guarded()
        try await application.register("eve")
        try await application.logIn("eve")
        try await application.coordinator.start(at: .login())
        try await application.logIn("ada")
        #expect(application.place == "/second-factor")
        #expect(application.coordinator.currentUser.session?.user.username.text == "eve")
        try await application.giveCode(authenticator)
        #expect(application.coordinator.currentUser.session?.user.username.text == "ada")
    }

    @Test("A recovery code replaces a code, once")
    func recovered() async throws {
        let (application, _, codes) = try await Application.guarded()
        try await application.logIn()
        try await application.submit([.code: codes[0].text])
        #expect(application.place == "/articles?unread=yes")
        try await application.choose("log-out")
        try await application.logIn()
        try await application.submit([.code: codes[0].text])
        #expect(application.place == "/second-factor")
        try await application.submit([.code: codes[1].text])
        try await application.coordinator.start(at: .secondFactorSettings)
        #expect(try await application.screen.document?.facts.last?.value == "8 left")
    }

    @Test("The factor is set up with a secret that stays while it is shown, and only with a valid code")
    func setUp() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .secondFactorSetUp)
        try await application.logIn()
        let handover = try #require(try await application.screen.form?.handover)
        #expect(handover.address == "otpauth://totp/articlesctl:ada?secret=\(handover.text)&issuer=articlesctl")
        #expect("\(handover)" == "<redacted>")
        try await application.submit([.code: "000000"])
        #expect(try await application.screen.notice?.error as? AuthError == .wrongCode)
        #expect(try await application.screen.form?.handover?.text == handover.text)
        try await application.back()
        try await application.choose("/account/second-factor/set-up")
        let other = try #require(try await application.screen.form?.handover)
        #expect(other.text != handover.text)
        let authenticator = try #require(Authenticator(other.address))
        try await application.giveCode(authenticator)
        #expect(
            application.stack == ["/account", "/account/second-factor", "/account/second-factor/codes"])
        #expect(try await application.screen.document?.facts.count == 10)
        try await application.back()
        guard case .secondFactor(.some) = try await application.screen.model else { return #expect(Bool(false)) }
        #expect(!"\(application.coordinator.navigator.journal)".contains(other.text))
    }

    @Test("Recovery codes are shown once, and others replace them")
    func renewed() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        let first = try await application.setUpSecondFactor().recoveryCodes
        try await application.coordinator.start(at: .recoveryCodes)
        #expect(try await application.screen.document?.facts.count == 1)
        try await application.back()
        try await application.choose("recoveryCodesChosen")
        let facts = try await application.screen.document?.facts.map(\.value)
        #expect(facts?.count == 10 && Set(facts ?? []).isDisjoint(with: first.map(\.text)))
    }

    @Test("The factor is turned off, and then the password is enough")
    func turnedOff() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        _ = try await application.setUpSecondFactor()
        try await application.coordinator.start(at: .secondFactorSettings)
        try await application.choose("secondFactorRemovalChosen")
        #expect(try await application.screen.document?.facts.first?.value == "off")
        try await application.coordinator.start(at: .articles())
        try await application.choose("log-out")
        try await application.logIn()
        #expect(application.place == "/articles?unread=yes")
    }
}
