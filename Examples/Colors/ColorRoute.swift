import Navigation

enum Tint: String, RouteParameter { case yellow, magenta }

/// The places: a first screen with two buttons, and a second screen in the chosen color.
enum ColorRoute: PatternRoute {
    case first
    case second(Tint?)

    enum Event: String, NavigationEvent, CaseIterable {
        case navToYellow, navToMagenta
    }

    struct Screen {
        let title: String
        /// The name of the color, for a terminal and a style sheet.
        let color: String
        let buttons: [Event]
        let eventOccurred: Outlet<Event>
    }

    static let patterns = [
        RoutePattern("/first", flow: "main", ColorRoute.first),
        RoutePattern("/second/<tint>", flow: "main", ColorRoute.second),
    ]
}

/// The data that all screens share and that is not part of a place.
struct Provider: Sendable {
    var titles: [Tint: String] = [.yellow: "Yellow ViewController", .magenta: "Magenta ViewController"]
}

final class MainCoordinator: Coordinator {
    private let flow: Flow<ColorRoute, Void>
    private let provider: Provider

    init(_ flow: Flow<ColorRoute, Void>, provider: Provider) {
        self.flow = flow
        self.provider = provider
    }

    func eventOccurred(_ event: ColorRoute.Event, in route: ColorRoute) {
        switch event {
        case .navToYellow: flow.push(.second(.yellow))
        case .navToMagenta: flow.push(.second(.magenta))
        }
    }

    func screen(for route: ColorRoute, outlet: Outlet<ColorRoute.Event>) -> ColorRoute.Screen {
        switch route {
        case .first:
            .init(title: "Home", color: "cyan", buttons: ColorRoute.Event.allCases, eventOccurred: outlet)
        case .second(let tint):
            .init(
                title: tint.flatMap { provider.titles[$0] } ?? "Some Title", color: tint?.rawValue ?? "white",
                buttons: [], eventOccurred: outlet)
        }
    }
}

/// Creates the navigator that both fronts use, at a place above the first screen.
func makeNavigator(at place: ColorRoute) async throws -> Navigator<ColorRoute> {
    let provider = Provider()
    let navigator = Navigator(children: [ChildFlow("main") { MainCoordinator($0, provider: provider) }])
    try navigator.perform(.show(place == .first ? [.first] : [.first, place]))
    return navigator
}
