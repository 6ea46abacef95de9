import AuthService
import Navigation

/// The screens of a program of its own: a door, and a shelf behind it.
enum Room: String, Route {
    case door = "/"
    case shelf = "/shelf"

    enum Event: NavigationEvent {
        case knocked(name: String, password: String)
        case known(Session)
        case unknown(String)
        case left
    }
    typealias Screen = View

    var flow: FlowKind { self == .door ? "door" : "shelf" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

/// What this front draws, and the way out.
struct View {
    let text: String
    /// May be called from any task.
    let leave: @Sendable () -> Void
}
