import AuthService
import Navigation

/// The places of this program: a door, and a shelf behind it.
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

/// A screen of this front: its text, and the action that leaves it.
struct View {
    let text: String
    /// Leaves the screen. It may be called from any task.
    let leave: @Sendable () -> Void
}
