/// A place in the application, written as a path: `/articles/42`.
///
/// A route is what is saved, linked to and put on the stack. It says *where*, never *how it looks*, and never carries a
/// secret: paths are stored in saved sessions, printed in journals and typed into address bars.
///
/// `path` and `init(path:)` must be inverses: `R(path: route.path) == route`.
public protocol Route: Hashable, Sendable {
    /// What the screens of this application can report.
    associatedtype Event: NavigationEvent

    /// What the fronts of this application show. The kernel hands it through and never looks inside.
    associatedtype Screen

    /// The kind of flow this place belongs to.
    var flow: FlowKind { get }

    /// The route as a path that ``init(path:)`` reads back.
    var path: String { get }

    /// The screen this is, whatever it shows: `/articles/<slug>` for each article. Names a node of a ``FlowGraph``.
    var place: String { get }

    /// Reads a path, or returns nil where it names no place of this application.
    init?(path: String)
}
