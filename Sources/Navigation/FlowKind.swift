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
