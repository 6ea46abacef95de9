import Navigation
import Testing

// The code of the page EventsWithASharedProvider. A test compares the two.

private enum Tint: String { case yellow, magenta }

private enum AppRoute: Route {
    case first
    case second(Tint)

    enum Event: NavigationEvent {
        case buttonTapped(Tint)
        case closeTapped
    }

    struct Screen: Equatable {
        var title: String
        var tint: Tint?
    }

    var flow: FlowKind { "app" }

    var path: String {
        switch self {
        case .first: "/first"
        case .second(let tint): "/second/\(tint.rawValue)"
        }
    }

    var screenName: String { if case .second = self { "/second/<tint>" } else { path } }

    init?(path: String) {
        switch path.split(separator: "/") {
        case ["first"]: self = .first
        case let words where words.count == 2 && words[0] == "second":
            guard let tint = Tint(rawValue: String(words[1])) else { return nil }
            self = .second(tint)
        default: return nil
        }
    }
}

private struct Provider {
    let title: (Tint) -> String
}

private final class AppCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let provider: Provider

    init(_ flow: Flow<AppRoute, Void>, provider: Provider) {
        self.flow = flow
        self.provider = provider
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        switch event {
        case .buttonTapped(let tint): flow.push(.second(tint))
        case .closeTapped: flow.pop()
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        switch route {
        case .first: .init(title: "First")
        case .second(let tint): .init(title: provider.title(tint), tint: tint)
        }
    }
}

@Suite("The page EventsWithASharedProvider")
struct EventsWithASharedProviderTests {
    private static func navigator() -> Navigator<AppRoute> {
        let provider = Provider { "In \($0.rawValue)" }
        return Navigator(children: [ChildFlow("app", make: { AppCoordinator($0, provider: provider) }) { _ in [] }])
    }

    private let navigator = Self.navigator()

    @Test("tells the second screen its colour and title", arguments: ["yellow", "magenta"])
    func works(colour: String) async throws {
        let tint = try #require(Tint(rawValue: colour))
        try await navigator.perform(.show([.first]))
        await navigator.send(.buttonTapped(tint))
        #expect(try await navigator.screen() == .init(title: "In \(colour)", tint: tint))
        await navigator.send(.closeTapped)
        #expect(try await navigator.screen() == .init(title: "First"))
    }

    @Test("keeps the colour of each screen that is open")
    func two() async throws {
        try await navigator.perform(.show([.first]))
        await navigator.send(.buttonTapped(.yellow))
        await navigator.send(.buttonTapped(.magenta))
        #expect(try await navigator.screen()?.tint == .magenta)
        _ = await navigator.back()
        #expect(try await navigator.screen()?.tint == .yellow)
    }

    @Test("opens from a link as it does from a button")
    func link() async throws {
        let route = try #require(AppRoute(path: "/second/magenta"))
        try await navigator.perform(.show([.first, route]))
        #expect(try await navigator.screen() == .init(title: "In magenta", tint: .magenta))
    }
}
