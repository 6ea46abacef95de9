/// The identity of an open flow.
///
/// Identities come from a counter in ``NavigationState`` and are never reused within a ``Navigator``. So a late event
/// for a flow that has ended cannot reach another flow.
public struct FlowID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that created the identity; nil in a state that does not belong to a navigator.
    var owner: ObjectIdentifier?

    /// The number of the flow, as in `#3`.
    public var description: String { "#\(number)" }
}
