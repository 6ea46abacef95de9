/// A place in the application, written as a path: `/articles/42`.
///
/// Routes are saved, linked to, and put on the stack. A route says *where* the user is, not *how* the place looks. It
/// never contains a secret, because paths are stored in saved sessions, printed in journals, and shown in address bars.
///
/// `path` and `init(path:)` must be inverses: `R(path: route.path) == route`. ``RoutePath`` reads and writes paths with
/// parameters.
public protocol Route: Hashable, Sendable {
    /// The events that the screens of this application report.
    associatedtype Event: NavigationEvent

    /// The screens that the fronts of this application show. The navigator passes them on without using them.
    associatedtype Screen

    /// The memory of a coordinator that is saved with its flow; see ``Coordinator/memory``.
    associatedtype Memory: Codable & Hashable & Sendable = Never

    /// The kind of flow to which this place belongs.
    var flow: FlowKind { get }

    /// The route as a path that ``init(path:)`` can read.
    var path: String { get }

    /// The name of the screen, independent of its content: `/articles/<slug>` for every article. It names a node of a
    /// ``FlowGraph``.
    var screenName: String { get }

    /// The column of a wide window in which this place is shown. By default it is the detail.
    var paneRole: PaneRole { get }

    /// Reads a path; nil if it is not a place of this application.
    init?(path: String)

    /// The version of the application's paths. It is saved with every state. By default it is 1.
    static var pathVersion: Int { get }

    /// Converts a path that an earlier version saved to the present version; nil if the place no longer exists. By
    /// default the path stays the same.
    static func migrated(_ path: String, from version: Int) -> String?
}

extension Route {
    /// The main column.
    public var paneRole: PaneRole { .detail }

    /// The first version.
    public static var pathVersion: Int { 1 }

    /// Returns the same path.
    public static func migrated(_ path: String, from version: Int) -> String? { path }
}
