import Navigation

/// The places of a kitchen: the shelf, and a kettle on it.
enum Spot: String, Route {
    case shelf = "/shelf"
    case kettle = "/kettle"

    enum Event: NavigationEvent {
        case chosen
        case boiled(cups: Int)
        case poured
    }
    typealias Screen = Picture

    var flow: FlowKind { self == .shelf ? "shelf" : "kettle" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

/// A screen of this front, with the action of its button.
struct Picture {
    let text: String
    var press: () -> Void = {}
}
