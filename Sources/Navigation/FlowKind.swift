/// The name of a kind of flow, such as `"login"`.
///
/// The kind decides which coordinator a flow has. It is not an identity: two flows of the same kind may be open at the
/// same time, with different ``FlowID`` values.
public struct FlowKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as diagrams and journals show it.
    public let name: String

    /// Creates a kind with a name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates a kind from a string literal.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The name.
    public var description: String { name }
}

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

/// The identity of a frame on the stack, which shows a screen. It does not depend on the content of the screen.
///
/// It is never reused within a ``Navigator``. A tap on a screen, or going back to a screen, refers to this identity, so
/// it cannot reach another screen in the same position.
public struct FrameID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that created the identity; nil in a state that does not belong to a navigator.
    var owner: ObjectIdentifier?

    /// The number of the frame, as in `@3`.
    public var description: String { "@\(number)" }
}
