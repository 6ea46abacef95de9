import Navigation
import Testing

// The code of the page EventsWithASharedProvider. A test compares the two.

private enum Tint: String, RouteParameter { case yellow, magenta }

private enum AppRoute: PatternRoute {
    case first
    case second(Tint?)

    enum Event: NavigationEvent {
        case navToYellow
        case navToMagenta
    }

    struct Screen {
        let title: String
        let color: UIColor
        let eventOccurred: Outlet<Event>
    }

    static let patterns = [
        RoutePattern("/first", flow: "main", AppRoute.first),
        RoutePattern("/second/<tint>", flow: "main", AppRoute.second),
    ]
}

private struct Provider {
    let title: (Tint) -> String
    let color: (Tint) -> UIColor
}

private final class MainCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let provider: Provider

    init(_ flow: Flow<AppRoute, Void>, provider: Provider) {
        self.flow = flow
        self.provider = provider
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .navToYellow: flow.push(.second(.yellow))
        case .navToMagenta: flow.push(.second(.magenta))
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        switch route {
        case .first: .init(title: "Home", color: .cyan, eventOccurred: outlet)
        case .second(nil): .init(title: "Some Title", color: .white, eventOccurred: outlet)
        case .second(let tint?):
            .init(title: provider.title(tint), color: provider.color(tint), eventOccurred: outlet)
        }
    }
}

private func makeApplication() -> Navigator<AppRoute> {
    let provider = Provider(
        title: { $0 == .yellow ? "Yellow ViewController" : "Magenta ViewController" },
        color: { $0 == .yellow ? .yellow : .magenta })
    return Navigator(children: [ChildFlow("main", make: { MainCoordinator($0, provider: provider) }) { _ in [] }])
}

/// A variant for an A/B test: a color replaces the first screen.
private final class ReplacingCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let screens: MainCoordinator

    init(_ flow: Flow<AppRoute, Void>, provider: Provider) {
        self.flow = flow
        screens = MainCoordinator(flow, provider: provider)
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .navToYellow: flow.replace(with: .second(.yellow))
        case .navToMagenta: flow.replace(with: .second(.magenta))
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        screens.screen(for: route, outlet: outlet)
    }
}

private func makeApplication(replaces: Bool, provider: Provider) -> Navigator<AppRoute> {
    Navigator(children: [
        ChildFlow("main") { (flow: Flow<AppRoute, Void>) in
            if replaces {
                ReplacingCoordinator(flow, provider: provider)
            } else {
                MainCoordinator(flow, provider: provider)
            }
        }
    ])
}

@Suite("The page EventsWithASharedProvider")
struct EventsWithASharedProviderTests {
    private let navigator = makeApplication()

    private func expect(_ title: String, in color: UIColor) async throws {
        let screen = try await navigator.screen()
        #expect(screen?.title == title)
        #expect(screen?.color == color)
    }

    private func tap(_ event: AppRoute.Event) async throws {
        try await navigator.screen()?.eventOccurred(event)
        navigator.settle()
    }

    @Test("Home leads to yellow and to magenta")
    func story() async throws {
        try navigator.perform(.show([.first]))
        try await expect("Home", in: .cyan)
        try await tap(.navToYellow)
        try await expect("Yellow ViewController", in: .yellow)
        #expect(navigator.back())
        try await tap(.navToMagenta)
        try await expect("Magenta ViewController", in: .magenta)
        #expect(navigator.back())
        try await expect("Home", in: .cyan)
    }

    @Test("The default screen is white with a default title, also after magenta")
    func unsaid() async throws {
        try navigator.perform(.show([.first]))
        try await tap(.navToMagenta)
        let route = try #require(AppRoute(path: "/second"))
        try navigator.perform(.push(route))
        try await expect("Some Title", in: .white)
    }

    @Test("Each open screen keeps its color, although none was shown until now")
    func two() async throws {
        try navigator.perform(.show([.first]))
        navigator.send(.navToYellow)
        navigator.send(.navToMagenta)
        try await expect("Magenta ViewController", in: .magenta)
        _ = navigator.back()
        try await expect("Yellow ViewController", in: .yellow)
    }

    @Test("A link and a saved session open a screen as a button does")
    func link() async throws {
        let route = try #require(AppRoute(path: "/second/magenta"))
        try navigator.perform(.show([.first, route]))
        try await expect("Magenta ViewController", in: .magenta)
        let restored = makeApplication()
        try restored.restore(navigator.state)
        #expect(try await restored.screen()?.title == "Magenta ViewController")
    }

    @Test("A variant of the flow shows the same screens in another way", arguments: [false, true])
    func variants(replaces: Bool) async throws {
        let provider = Provider(title: { $0.rawValue }, color: { _ in .yellow })
        let navigator = makeApplication(replaces: replaces, provider: provider)
        try navigator.perform(.show([.first]))
        try await navigator.screen()?.eventOccurred(.navToYellow)
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == (replaces ? [.second(.yellow)] : [.first, .second(.yellow)]))
        #expect(try await navigator.screen()?.title == "yellow")
    }

    @Test("The coordinator is released with the application, although a screen is held")
    func released() async throws {
        weak var coordinator: (any Coordinator<AppRoute>)?
        let screen: AppRoute.Screen?
        do {
            let navigator = makeApplication()
            try navigator.perform(.show([.first]))
            coordinator = navigator.coordinators.values.first
            #expect(coordinator != nil)
            screen = try await navigator.screen()
        }
        #expect(coordinator == nil)
        #expect(screen?.title == "Home")
    }
}
