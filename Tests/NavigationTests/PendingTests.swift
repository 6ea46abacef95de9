import Navigation
import Testing

@Suite("A navigator whose owner does not watch it")
struct PendingTests {
    private enum Place: PatternRoute {
        case first, second

        enum Event: NavigationEvent { case chosen }
        typealias Screen = Outlet<Event>

        static let patterns = [
            RoutePattern("/first", flow: "places", Place.first), RoutePattern("/second", flow: "places", Place.second),
        ]
    }

    /// Checks in each of its methods where it runs.
    private final class PlaceCoordinator: Coordinator {
        let flow: Flow<Place, Void>
        let check: () -> Void

        init(_ flow: Flow<Place, Void>, check: @escaping () -> Void) {
            self.flow = flow
            self.check = check
        }

        func eventOccurred(_ event: Place.Event, in route: Place) {
            check()
            flow.push(.second)
        }

        func screen(for route: Place, outlet: Outlet<Place.Event>) -> Outlet<Place.Event> { outlet }
    }

    private static func navigator(check: @escaping () -> Void = {}) -> Navigator<Place> {
        Navigator(children: [ChildFlow("places", make: { PlaceCoordinator($0, check: check) }) { _ in [] }])
    }

    @Test("An event of a screen is handled on the main actor, which has called the navigator")
    @MainActor
    func mainActor() async throws {
        let navigator = Self.navigator { MainActor.assertIsolated() }
        try navigator.perform(.show([.first]))
        let outlet = try #require(try await navigator.screen())
        await withCheckedContinuation { continuation in
            navigator.onChange = { _ in continuation.resume() }
            Task.detached { outlet(.chosen) }
        }
        #expect(navigator.state.top?.route == .second)
    }

    private actor Session {
        private let navigator = PendingTests.navigator()

        func report(from tap: @Sendable (Outlet<Place.Event>) -> Void) async throws -> [Place] {
            navigator.onChange = { [unowned self] _ in assertIsolated() }
            try navigator.perform(.show([.first]))
            if let outlet = try await navigator.screen() {
                await withCheckedContinuation { continuation in
                    navigator.onChange = { [unowned self] _ in
                        assertIsolated()
                        continuation.resume()
                    }
                    tap(outlet)
                }
            }
            return navigator.state.frames.map(\.route)
        }
    }

    @Test("An event of a screen is handled on the actor that has called the navigator, and the actor is released")
    func actor() async throws {
        var session: Session? = Session()
        weak let released = session
        let places = try await session?.report { outlet in Task.detached { outlet(.chosen) } }
        #expect(places == [.first, .second])
        session = nil
        // The task that settled may hold the actor until it ends.
        while released != nil { await Task.yield() }
    }

    @Test("Without an actor, the event waits for the next move")
    func noActor() async throws {
        let navigator = Self.navigator()
        try navigator.perform(.show([.first]))
        let outlet = try #require(try await navigator.screen())
        outlet(.chosen)
        #expect(navigator.state.frames.map(\.route) == [.first])
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.first, .second])
    }
}

@Suite("A refused move whose error nobody receives")
struct RefusalTests {
    private enum Place: String, Route {
        case home, other

        enum Event: NavigationEvent { case finished }
        typealias Screen = String

        var flow: FlowKind { FlowKind(rawValue) }
        var path: String { rawValue }
        var screenName: String { rawValue }
        init?(path: String) { self.init(rawValue: path) }
    }

    private final class PlaceCoordinator: Coordinator {
        let flow: Flow<Place, Void>

        init(_ flow: Flow<Place, Void>) { self.flow = flow }

        func eventOccurred(_ event: Place.Event, in route: Place) { flow.finish() }

        func screen(for route: Place, outlet: Outlet<Place.Event>) -> String { route.path }
    }

    @Test("The hook reports it, and then the program continues")
    func hook() throws {
        let navigator = Navigator<Place>(children: [
            ChildFlow("home", make: { PlaceCoordinator($0) }) { _ in [] },
            ChildFlow("other", make: { PlaceCoordinator($0) }) { _ in [.dismiss] },
        ])
        var reports: [String] = []
        navigator.onRejection = { move, error in reports.append("\(move): \(error)") }
        try navigator.perform(.show([.home, .other]))
        navigator.send(.finished)
        #expect(reports == ["dismiss: Nothing to dismiss: no frame is modal."])
        #expect(navigator.state.frames.map(\.route) == [.home])
    }
}
