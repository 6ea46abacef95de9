/// Declares a kind of flow that may be begun: its coordinator, and what happens after its end.
///
/// The declaration says what happens after the end, so the flow that began it does not wait for it. For that reason, a
/// flow that was restored from a saved session ends in the same way as a flow that was begun a moment ago.
public struct ChildFlow<R: Route> {
    /// The kind of flow.
    package let kind: FlowKind
    let make: (FlowID, any FlowOwner<R>) -> any Coordinator<R>
    let cancelled: (Cancellation) -> [Transition<R>]

    /// Declares a kind of flow.
    ///
    /// - Parameters:
    ///   - kind: the kind, as in ``Route/flow``.
    ///   - make: creates the coordinator of a flow of this kind when the flow opens.
    ///   - ended: returns the moves after the flow has ended, starting from the stack without the flow. It is not
    ///     called for a flow that is removed together with the flow beneath it. It may set ``Navigator/gate``.
    public init<Output>(
        _ kind: FlowKind,
        make: @escaping (Flow<R, Output>) -> any Coordinator<R>,
        ended: @escaping (Outcome<Output>) -> [Transition<R>]
    ) {
        self.kind = kind
        self.make = { id, owner in make(Flow(id: id, owner: owner, end: Self.end(id, owner, ended))) }
        self.cancelled = { ended(.cancelled($0)) }
    }

    /// Declares a kind of flow after whose end the flow beneath shows.
    ///
    /// - Parameters:
    ///   - kind: The kind, as in ``Route/flow``.
    ///   - make: Creates the coordinator of a flow of this kind when the flow opens.
    public init<Output>(_ kind: FlowKind, make: @escaping (Flow<R, Output>) -> any Coordinator<R>) {
        self.init(kind, make: make) { _ in [] }
    }

    init(
        _ kind: FlowKind, make: @escaping (FlowID, any FlowOwner<R>) -> any Coordinator<R>,
        cancelled: @escaping (Cancellation) -> [Transition<R>]
    ) {
        self.kind = kind
        self.make = make
        self.cancelled = cancelled
    }

    /// Returns the closure with which a flow requests its own end.
    static func end<Output>(
        _ id: FlowID, _ owner: any FlowOwner<R>, _ ended: @escaping (Outcome<Output>) -> [Transition<R>]
    ) -> (Journal.End, Outcome<Output>) -> Void {
        { [weak owner] end, outcome in owner?.end(id, end) { ended(outcome) } }
    }
}

/// How a flow ended, for the declaration of the flow.
public enum Outcome<Output> {
    /// The flow finished with a result.
    case finished(Output)

    /// The flow ended without a result.
    case cancelled(Cancellation)
}

/// The reason why a flow ended without a result.
public enum Cancellation: Sendable, Hashable {
    /// The flow ended itself with ``Flow/cancel()``.
    case byItself
    /// A move removed it: going back past its first screen, a link, or a move of another flow.
    case left
    /// The ``Gate`` no longer admits it, for example because a session has expired.
    case barred
}

extension Outcome: Sendable where Output: Sendable {}
extension Outcome: Equatable where Output: Equatable {}
extension Outcome: Hashable where Output: Hashable {}
