import Navigation

/// The places of a kitchen: the shelf, and a kettle on it.
enum Spot: PatternRoute {
    case shelf, kettle

    enum Event: NavigationEvent {
        case chosen
        case boiled(cups: Int)
        case poured
    }
    typealias Screen = Picture

    static let patterns = [
        RoutePattern("/shelf", flow: "shelf", Spot.shelf), RoutePattern("/kettle", flow: "kettle", Spot.kettle),
    ]
}

/// A screen of this front, with the action of its button.
struct Picture {
    let text: String
    var press: () -> Void = {}
}
