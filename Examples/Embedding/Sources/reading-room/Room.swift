import Navigation

/// The places of a program of its own: a door, and a shelf behind it.
enum Room: String, Route {
    case door = "/"
    case shelf = "/shelf"

    enum Event: NavigationEvent {
        case knocked(name: String, password: String)
        case left
    }
    typealias Screen = String

    var flow: FlowKind { self == .door ? "door" : "shelf" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}
