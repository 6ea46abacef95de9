/// The identity of one open flow.
///
/// Identities come from a counter in ``NavigationState`` and are never used again within a ``Navigator``, so that an
/// event sent late, to a flow that has ended, cannot reach another flow.
public struct FlowID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that gave it; nil in a state that no navigator holds.
    var owner: ObjectIdentifier?

    /// The number of the flow, as `#3`.
    public var description: String { "#\(number)" }
}
