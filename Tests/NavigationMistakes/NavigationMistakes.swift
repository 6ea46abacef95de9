import Navigation

/// Makes the mistake that the argument names, which stops this program: `navigation-mistakes refused-move`.
///
/// `MistakeTests` run it. The exit tests of Swift Testing would need no program, but their thread looks for ended
/// processes all the time, which takes a third of a processor while other tests run programs.
@main
struct NavigationMistakes {
    static func main() throws {
        switch CommandLine.arguments.dropFirst().first {
        case "place-without-pattern": _ = Place.forgotten.path
        case "value-without-name": _ = RoutePattern("/notes", flow: "notes", Place.note)
        case "refused-move": try move(.dismiss)
        case "accepted-move": try move(.begin(.home))
        case "refused-move-in-handler":
            let navigator = navigator(then: .dismiss)
            navigator.onChange = { [unowned navigator] _ in try? navigator.perform(.dismiss) }
            try navigator.perform(.show([.home]))
        case let name: print("There is no mistake \(name ?? "without a name").")
        }
    }

    private static func navigator(then move: Transition<Place>) -> Navigator<Place> {
        Navigator<Place>(children: [
            ChildFlow("home", make: { PlaceCoordinator($0) }) { _ in [] },
            ChildFlow("notes", make: { PlaceCoordinator($0) }) { _ in [move] },
        ])
    }

    /// Shows a flow above another, and makes a move after its end. Nobody receives the error if the move is refused.
    private static func move(_ move: Transition<Place>) throws {
        let navigator = navigator(then: move)
        try navigator.perform(.show([.home, .note(1)]))
        navigator.send(.finished)
    }
}

private enum Place: PatternRoute {
    case home
    case note(Int)
    case forgotten

    enum Event: NavigationEvent { case finished }
    typealias Screen = String

    static let patterns = [
        RoutePattern("/", flow: "home", Place.home), RoutePattern("/notes/<number>", flow: "notes", Place.note),
    ]
}

private final class PlaceCoordinator: Coordinator {
    let flow: Flow<Place, Void>

    init(_ flow: Flow<Place, Void>) { self.flow = flow }

    func eventOccurred(_ event: Place.Event, in route: Place) { flow.finish() }

    func screen(for route: Place, outlet: Outlet<Place.Event>) -> String { route.path }
}
