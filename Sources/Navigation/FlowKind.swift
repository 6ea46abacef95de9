/// The name of a kind of flow, such as `"login"`.
///
/// A kind says which coordinator drives a flow. It is not an identity: two flows of one kind may be open at once, and
/// are told apart by their ``FlowID``.
public struct FlowKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself, as diagrams and journals show it.
    public let name: String

    /// Creates a kind of the given name.
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
