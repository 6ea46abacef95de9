/// The whole of navigation as a value: which screens are stacked, which flow owns each, and what waits behind a log-in.
///
/// The value is the truth. It is changed by ``applying(_:)`` and judged by a ``Gate``, both pure, and a ``Navigator``
/// creates and releases coordinators to match it. Encoded, it is a saved session; see ``init(from:)``.
///
/// Three things hold of every state:
/// - The frames of a flow are adjacent, and their routes are of one ``FlowKind``.
/// - The lowest frame is not modal: there would be nothing beneath to dismiss to.
/// - The flow that holds the place of a ``deferred`` target was open when the state was last judged.
public struct NavigationState<R: Route>: Hashable, Sendable {
    /// One screen on the stack.
    public struct Frame: Hashable, Sendable {
        /// The place shown.
        public let route: R
        /// The flow that owns the frame.
        public let flow: FlowID
        /// Whether ``Transition/dismiss`` removes this frame and all above it.
        public let isModal: Bool
    }

    /// One open flow, as the stack shows it.
    public struct OpenFlow: Hashable, Sendable {
        /// The identity of the flow.
        public let id: FlowID
        /// Its kind.
        public let kind: FlowKind
        /// The flow that owns the frame beneath its first one; nil for the lowest flow.
        public let parent: FlowID?
    }

    /// A target that was asked for and not admitted, kept until the entrance in its place is left.
    public struct Deferred: Hashable, Sendable {
        /// The stack that was asked for, lowest first.
        public let routes: [R]
        /// Who asked; nil where nobody was signed in, and then it is for whoever signs in.
        public let subject: String?
        /// The flow that holds the target's place. The target waits exactly as long as this flow is open.
        public let entrance: FlowID
    }

    /// The stack, lowest frame first.
    public internal(set) var frames: [Frame] = []

    /// What is shown once access is granted, if anything waits.
    public internal(set) var deferred: Deferred?

    /// Whose stack this is: the ``Gate/subject`` it was last judged for.
    public internal(set) var subject: String?

    var lastFlow = 0

    /// Creates the stack of the given routes, lowest first. A flow opens wherever ``Route/flow`` changes.
    public init(_ routes: [R] = []) {
        append(routes)
    }

    /// The frame that is shown, nil when the stack is empty.
    public var top: Frame? { frames.last }

    /// The open flows, lowest first.
    public var flows: [OpenFlow] {
        var flows: [OpenFlow] = []
        for frame in frames where frame.flow != flows.last?.id {
            flows.append(OpenFlow(id: frame.flow, kind: frame.route.flow, parent: flows.last?.id))
        }
        return flows
    }

    mutating func openFlow() -> FlowID {
        lastFlow += 1
        return FlowID(number: lastFlow)
    }

    mutating func append(_ route: R, in flow: FlowID, modal: Bool = false) {
        frames.append(Frame(route: route, flow: flow, isModal: modal))
    }

    /// Puts routes on top. A flow goes on where the kind stays the same; a new one opens where it changes.
    mutating func append(_ routes: some Sequence<R>) {
        for route in routes {
            if let top, top.route.flow == route.flow {
                append(route, in: top.flow)
            } else {
                append(route, in: openFlow())
            }
        }
    }

    /// The same state, its flows numbered anew from the one after `last`.
    func renumbered(after last: Int) -> Self {
        var copy = self
        copy.lastFlow = last
        var numbers: [FlowID: FlowID] = [:]
        for flow in flows { numbers[flow.id] = copy.openFlow() }
        copy.frames = frames.compactMap { frame in
            numbers[frame.flow].map { Frame(route: frame.route, flow: $0, isModal: frame.isModal) }
        }
        copy.deferred = deferred.flatMap { target in
            numbers[target.entrance].map { Deferred(routes: target.routes, subject: target.subject, entrance: $0) }
        }
        return copy
    }
}
