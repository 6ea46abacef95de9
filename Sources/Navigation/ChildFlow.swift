/// Declares a kind of flow that may be begun: its coordinator, and what happens after its end.
///
/// The declaration says what happens after the end, so the flow that began it does not wait for it. For that reason, a
/// flow that was restored from a saved session ends in the same way as a flow that was begun a moment ago.
public struct ChildFlow<R: Route> {
    let kind: FlowKind
    let make: (FlowID, Navigator<R>) -> any Coordinator<R>
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
        self.make = { id, navigator in make(Flow(id: id, navigator: navigator, ended: ended)) }
        self.cancelled = { ended(.cancelled($0)) }
    }
}
