/// A kind of flow that may be begun, who drives it, and what its end means.
///
/// The meaning of an end is declared beside the beginning instead of being awaited by whoever began the flow, so that a
/// flow restored from a saved session ends the same way as one begun a moment ago.
public struct ChildFlow<R: Route> {
    let kind: FlowKind
    let make: (FlowID, Navigator<R>) -> any Coordinator<R>
    let cancelled: (Cancellation) -> [Transition<R>]

    /// Declares a kind of flow.
    ///
    /// - Parameters:
    ///   - kind: The kind, as ``Route/flow`` names it.
    ///   - make: Creates the coordinator of one such flow, when it opens.
    ///   - ended: Says where to go after it, from the stack without it. Not called for a flow that is swept away
    ///     together with the one beneath it. May set ``Navigator/gate``.
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
