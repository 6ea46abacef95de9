/// A place in the application, written as a path: `/articles/42`.
///
/// A route is what is saved, linked to and put on the stack. It says *where*, never *how it looks*, and never carries a
/// secret: paths are stored in saved sessions, printed in journals and typed into address bars.
///
/// `path` and `init(path:)` must be inverses: `R(path: route.path) == route`. ``RoutePath`` reads and writes paths with
/// parameters.
public protocol Route: Hashable, Sendable {
    /// The events that the screens of this application report.
    associatedtype Event: NavigationEvent

    /// The screens that the fronts of this application show. The kernel passes them on and never looks inside.
    associatedtype Screen

    /// The memory of a coordinator that is saved with its flow; see ``Coordinator/memory``.
    associatedtype Memory: Codable & Hashable & Sendable = Never

    /// The kind of flow this place belongs to.
    var flow: FlowKind { get }

    /// The route as a path that ``init(path:)`` reads back.
    var path: String { get }

    /// The screen this is, whatever it shows: `/articles/<slug>` for each article. Names a node of a ``FlowGraph``.
    var screenName: String { get }

    /// Reads a path, or returns nil where it names no place of this application.
    init?(path: String)

    /// Which version of its paths the application writes, saved with every state. By default 1.
    static var pathVersion: Int { get }

    /// A path that an earlier version saved, as it is written now; nil where the place is gone. By default the same.
    static func migrated(_ path: String, from version: Int) -> String?
}

extension Route {
    /// The first.
    public static var pathVersion: Int { 1 }

    /// The same path.
    public static func migrated(_ path: String, from version: Int) -> String? { path }
}
