import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("The address of feeds on a screen")
struct FeedAddressTests {
    private func reader() async throws -> Application {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .feedAddress)
        try await application.logIn()
        return application
    }

    private func fact(_ label: String, in application: Application) async throws -> String? {
        try await application.screen.document?.facts.first { $0.label == label }?.value
    }

    /// Returns the secret in the address on the screen.
    private func secret(in application: Application) async throws -> FeedSecret? {
        let parts = try await fact("Atom", in: application)?.split(separator: "/") ?? []
        guard parts.count == 3, parts[0] == "feeds", parts[2] == "atom" else { return nil }
        return FeedSecret(String(parts[1]))
    }

    @Test("The address is made, shown once, replaced, and removed, and the screen says since when it exists")
    func life() async throws {
        let application = try await reader()
        #expect(application.stack == ["/account", "/account/feed"])
        #expect(try await secret(in: application) == nil)
        #expect(try await application.screen.actions.count == 1)
        try await application.choose("newFeedAddressChosen")
        #expect(application.place == "/account/feed/made")
        let first = try #require(try await secret(in: application))
        #expect(try await fact("JSON Feed", in: application) == "/feeds/\(first.text)/json")
        #expect(try await application.auth.user(of: first)?.username.text == "ada")
        try await application.saveBookmark()
        #expect(try await application.savedBookmark?.contains(first.text) == false)
        #expect(!"\(application.coordinator.navigator.journal)".contains(first.text))
        try await application.back()
        #expect(try await secret(in: application) == nil)
        #expect(try await application.screen.actions.count == 2)
        application.advance(hours: 2)
        try await application.choose("newFeedAddressChosen")
        #expect(application.place == "/account/confirm")
        #expect(try await application.auth.user(of: first) != nil)
        try await application.submit([.password: Application.password])
        let second = try #require(try await secret(in: application))
        #expect(try await application.auth.user(of: first) == nil)
        #expect(try await application.auth.user(of: second) != nil)
        try await application.back()
        let removal = try #require(try await application.screen.actions.last)
        #expect(removal.confirmation != nil)
        try await application.send(removal.event)
        #expect(try await application.hasSucceeded)
        #expect(try await application.auth.user(of: second) == nil)
        #expect(try await application.screen.actions.count == 1)
        try await application.coordinator.start(at: .madeFeedAddress)
        #expect(try await secret(in: application) == nil)
    }
}
