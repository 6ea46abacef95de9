/// Why a ``Navigator`` did not go where it was told.
public enum NavigationError: Error, Hashable, Sendable {
    /// The transition makes no sense on the present stack. Nothing changed.
    case rejected(TransitionError)

    /// No open flow beneath, and not the root, declares a ``ChildFlow`` of this kind. Nothing changed.
    case undeclaredFlow(FlowKind, path: String)

    /// The question of a flow that would lose something is not admitted, so that nobody could agree. Nothing changed.
    case questionNotAdmitted(path: String)

    /// Coordinators sent each other on without end. The turn was stopped where it was; the paths are the places it
    /// went round, the last one the first again.
    case endlessTurn(circle: [String])
}

extension NavigationError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to change.
    public var description: String {
        switch self {
        case .rejected(let error):
            error.description
        case .undeclaredFlow(let kind, let path):
            "Nothing says how to open the flow \(kind), which \(path) belongs to: declare a ChildFlow for it."
        case .questionNotAdmitted(let path):
            "A flow would lose something, and the gate does not admit the question \(path) that asks: admit it."
        case .endlessTurn(let circle):
            "Navigation went round in a circle and was stopped: \(circle.joined(separator: " → "))."
        }
    }
}
