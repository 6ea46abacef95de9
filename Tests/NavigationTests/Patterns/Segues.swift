import Navigation
import Testing

// The code of the page Segues. A test compares the two.

private enum AppRoute: String, Route {
    case welcome = "/welcome"
    case login = "/login"
    case menu = "/menu"

    typealias Event = Segue
    typealias Screen = any Coordinated

    var flow: FlowKind { "app" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

private enum Segue: NavigationEvent { case logIn, openMenu, help }

private let storyboard = FlowGraph(
    nodes: [.init(AppRoute.welcome), .init(AppRoute.login), .init(AppRoute.menu)],
    edges: [
        .init("/welcome", "logIn", "/login"),
        .init("/welcome", "openMenu", "/menu"),
        .init("/login", "back", "/welcome"),
        .init("/menu", "back", "/welcome"),
    ])

private protocol Coordinated {
    var perform: Outlet<Segue> { get }
}

private struct AppScreen: Coordinated {
    let route: AppRoute
    let perform: Outlet<Segue>
}

private final class SegueCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ segue: Segue, in route: AppRoute) async {
        let edge = storyboard.edges.first { $0.from == route.screenName && $0.event == segue.name }
        if let destination = edge.flatMap({ AppRoute(path: $0.to) }) { flow.push(destination) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> any Coordinated {
        AppScreen(route: route, perform: outlet)
    }
}

@Suite("The page Segues")
struct SeguesTests {
    private let navigator = Navigator<AppRoute>(children: [
        ChildFlow("app", make: { SegueCoordinator($0) }) { _ in [] }
    ])

    private func perform(_ segue: Segue) async throws {
        try await navigator.screen()?.perform(segue)
        await navigator.settle()
    }

    @Test("every arrow of the storyboard is taken, and no other")
    func storyboardIsTrue() async throws {
        try await navigator.perform(.show([.welcome]))
        try await perform(.logIn)
        #expect(navigator.state.top?.route == .login)
        _ = await navigator.back()
        try await perform(.openMenu)
        #expect(navigator.state.top?.route == .menu)
        _ = await navigator.back()
        #expect(storyboard.undeclared(in: navigator.journal) == [])
        #expect(storyboard.untaken(by: navigator.journal) == [])
    }

    @Test("an arrow that was forgotten is found")
    func forgotten() async throws {
        try await navigator.perform(.show([.welcome]))
        try await perform(.help)
        #expect(storyboard.undeclared(in: navigator.journal) == [.init("/welcome", "help", "/welcome")])
    }
}
