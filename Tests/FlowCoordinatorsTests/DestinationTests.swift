import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import Testing

@Suite("The destination of an event")
struct DestinationTests {
    @Test(
        "The destination of an event is the same as its effect, on every screen that offers it",
        arguments: AppRoute.screens)
    func agrees(place: AppRoute) async throws {
        let application = try await Application()
        try await application.register()
        try await application.auth.setRole(.operator, of: Username("ada"), by: .system(user: "test"))
        try await application.seed(60)
        try await application.coordinator.start(at: .articles())
        if place.isProtected { try await application.logIn() }
        let place = place.about("article-30")
        func begin() async throws -> Screen? {
            try await application.coordinator.start(at: place)
            return application.coordinator.place == place ? try await application.screen : nil
        }
        guard let screen = try await begin() else { return }
        let events = screen.actions.map(\.event) + (screen.list?.rows.prefix(3).compactMap(\.event) ?? [])
        for event in events {
            guard let destination = place.destination(of: event) else { continue }
            _ = try await begin()
            try await application.send(event)
            #expect(application.coordinator.place == destination, "\(place.path), \(event.name)")
        }
    }
}
