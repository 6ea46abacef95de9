/// The reason why a ``Navigator`` did not make a move.
public enum NavigationError: Error, Hashable, Sendable {
    /// The transition is impossible on the present stack. Nothing changed.
    case rejected(TransitionError)

    /// Neither an open flow beneath nor the navigator declares a ``ChildFlow`` of this kind. Nothing changed.
    case undeclaredFlow(FlowKind, path: String)

    /// A flow would lose something, but its question is not admitted, so the user cannot agree. Nothing changed.
    case questionNotAdmitted(path: String)

    /// Coordinators moved each other in an endless circle. The turn was stopped at that point. The paths are the places
    /// in the circle; the last is the same as the first.
    case endlessTurn(circle: [String])
}

extension NavigationError: CustomStringConvertible {
    /// A sentence that names the mistake and the correction.
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
