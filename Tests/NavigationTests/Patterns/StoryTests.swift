import Navigation
import Testing

/// Login, list, article, and the logout.
nonisolated private enum Scene: Hashable {
    case login, list
    case article(Int)
}

/// A scene, in an application of one flow or of two.
private struct Place: Route {
    enum Event: NavigationEvent {
        case loggedIn, loggedOut
        case selected(Int)
    }

    /// An action of the user on a screen.
    typealias Screen = (Tap) -> Void

    let scene: Scene
    let isSplit: Bool

    var flow: FlowKind { isSplit ? scene == .login ? "login" : "articles" : "app" }

    var path: String {
        switch scene {
        case .login: "/login"
        case .list: "/articles"
        case .article(let number): "/articles/\(number)"
        }
    }

    var screenName: String { path }

    init(_ scene: Scene, isSplit: Bool) {
        self.scene = scene
        self.isSplit = isSplit
    }

    init?(path: String) { nil }
}

private enum Tap {
    case logIn, logOut
    case row(Int)
}

// The same screen in four styles. Each converts a tap into its own report.

private protocol ScreenDelegate {
    func didLogIn()
    func didSelect(article: Int)
    func didLogOut()
}

private struct DelegatingScreen {
    let delegate: any ScreenDelegate

    func tap(_ tap: Tap) {
        switch tap {
        case .logIn: delegate.didLogIn()
        case .row(let number): delegate.didSelect(article: number)
        case .logOut: delegate.didLogOut()
        }
    }
}

extension Outlet: ScreenDelegate where Event == Place.Event {
    func didLogIn() { self(.loggedIn) }
    func didSelect(article: Int) { self(.selected(article)) }
    func didLogOut() { self(.loggedOut) }
}

private struct ClosureScreen {
    let didLogIn: () -> Void
    let didSelect: (Int) -> Void
    let didLogOut: () -> Void

    func tap(_ tap: Tap) {
        switch tap {
        case .logIn: didLogIn()
        case .row(let number): didSelect(number)
        case .logOut: didLogOut()
        }
    }
}

private struct CoordinatedScreen {
    let scene: Scene
    let coordinate: (_ from: Scene, _ to: Scene, _ identifier: String) -> Void

    func tap(_ tap: Tap) {
        switch tap {
        case .logIn: coordinate(scene, .list, "loggedIn")
        case .row(let number): coordinate(scene, .article(number), "selected")
        case .logOut: coordinate(scene, .login, "loggedOut")
        }
    }
}

private struct EventScreen {
    let eventOccurred: Outlet<Place.Event>

    func tap(_ tap: Tap) {
        switch tap {
        case .logIn: eventOccurred(.loggedIn)
        case .row(let number): eventOccurred(.selected(number))
        case .logOut: eventOccurred(.loggedOut)
        }
    }
}

private enum Style: CaseIterable {
    case delegates, closures, segues, events

    func screen(for scene: Scene, reportingTo outlet: Outlet<Place.Event>) -> Place.Screen {
        switch self {
        case .delegates:
            return DelegatingScreen(delegate: outlet).tap
        case .closures:
            return ClosureScreen(
                didLogIn: { outlet(.loggedIn) }, didSelect: { outlet(.selected($0)) },
                didLogOut: { outlet(.loggedOut) }
            ).tap
        case .segues:
            return CoordinatedScreen(scene: scene) { _, destination, identifier in
                switch (identifier, destination) {
                case ("selected", .article(let number)): outlet(.selected(number))
                case ("loggedIn", _): outlet(.loggedIn)
                case ("loggedOut", _): outlet(.loggedOut)
                default: break
                }
            }.tap
        case .events:
            return EventScreen(eventOccurred: outlet).tap
        }
    }
}

/// The whole story in one coordinator.
private final class AppCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    let style: Style

    init(_ flow: Flow<Place, Void>, _ style: Style) {
        self.flow = flow
        self.style = style
    }

    func eventOccurred(_ event: Place.Event, in route: Place) {
        switch event {
        case .loggedIn: flow.show([Place(.list, isSplit: false)])
        case .selected(let number): flow.push(Place(.article(number), isSplit: false))
        case .loggedOut: flow.show([Place(.login, isSplit: false)])
        }
    }

    func screen(for route: Place, outlet: Outlet<Place.Event>) -> Place.Screen {
        style.screen(for: route.scene, reportingTo: outlet)
    }
}

/// The part of the story before the login, and the part after it.
private final class PartCoordinator: Coordinator {
    let flow: Flow<Place, Void>
    let style: Style

    init(_ flow: Flow<Place, Void>, _ style: Style) {
        self.flow = flow
        self.style = style
    }

    func eventOccurred(_ event: Place.Event, in route: Place) {
        switch event {
        case .loggedIn, .loggedOut: flow.finish()
        case .selected(let number): flow.push(Place(.article(number), isSplit: true))
        }
    }

    func screen(for route: Place, outlet: Outlet<Place.Event>) -> Place.Screen {
        style.screen(for: route.scene, reportingTo: outlet)
    }
}

@Suite("One story in all the patterns")
struct StoryTests {
    private func tell(_ style: Style, isSplit: Bool) async throws -> Journal {
        func part(_ kind: FlowKind, next: Scene) -> ChildFlow<Place> {
            ChildFlow(kind, make: { PartCoordinator($0, style) }) { (outcome: Outcome<Void>) in
                if case .finished = outcome { [.show([Place(next, isSplit: true)])] } else { [] }
            }
        }
        let navigator = Navigator(children: [
            ChildFlow("app", make: { AppCoordinator($0, style) }) { _ in [] },
            part("login", next: .list), part("articles", next: .login),
        ])
        try navigator.perform(.show([Place(.login, isSplit: isSplit)]))
        for tap in [.logIn, .row(7), nil, .row(8), .logOut] as [Tap?] {
            if let tap {
                try await navigator.screen()?(tap)
                navigator.settle()
            } else {
                _ = navigator.back()
            }
        }
        return navigator.journal
    }

    @Test("Delegates, closures, segues, and events leave the same journal")
    func sameJournal() async throws {
        for isSplit in [false, true] {
            let journal = try await tell(.delegates, isSplit: isSplit)
            for style in Style.allCases.dropFirst() {
                #expect(try await tell(style, isSplit: isSplit) == journal, "\(style)")
            }
        }
    }

    @Test("With tabs, each pattern keeps its place in the first tab", arguments: Style.allCases, [false, true])
    fileprivate func tabs(style: Style, isSplit: Bool) async throws {
        let navigator = Navigator<Place>(
            children: ["app", "articles"].map { kind in
                ChildFlow(
                    kind,
                    make: { isSplit ? PartCoordinator($0, style) as any Coordinator<Place> : AppCoordinator($0, style) }
                ) { _ in [] }
            },
            gate: Gate(sections: [
                .init("library", home: [Place(.list, isSplit: isSplit)]),
                .init("later", home: [Place(.article(1), isSplit: isSplit)]),
            ]))
        navigator.reconsider()
        try await navigator.screen()?(.row(7))
        navigator.settle()
        try navigator.select("later")
        #expect(navigator.state.frames.map(\.route.path) == ["/articles/1"])
        try navigator.select("library")
        #expect(navigator.state.frames.map(\.route.path) == ["/articles", "/articles/7"])
    }

    @Test("Child coordinators lead through the same stacks by the same events")
    func sameSplit() async throws {
        func visible(_ journal: Journal) -> [Journal.Entry] {
            journal.entries.filter { entry in
                switch entry {
                case .started, .ended: false
                default: true
                }
            }
        }
        let one = try await tell(.events, isSplit: false)
        let split = try await tell(.events, isSplit: true)
        #expect(visible(one) == visible(split))
        #expect(
            one.edges.map(\.to) == ["/articles", "/articles/7", "/articles", "/articles/8", "/login"])
        #expect(split.entries.contains(.ended("login", .finished)))
    }
}
