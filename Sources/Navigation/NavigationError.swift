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

/// The reason why a transition is impossible on a stack.
public enum TransitionError: Error, Hashable, Sendable {
    /// The route was meant for the flow on top, but belongs to another kind of flow: use
    /// ``Transition/begin(_:modal:)``. `top` is nil if the stack is empty.
    case belongsToAnotherFlow(route: String, flow: FlowKind, top: FlowKind?)

    /// A coordinator tried to move the stack although its flow is not on top.
    case notOnTop(FlowKind)

    /// This number of frames cannot be popped. `of` is the largest possible number.
    case cannotPop(Int, of: Int)

    /// None of the frames on the stack is modal.
    case nothingToDismiss

    /// The lowest frame cannot be modal.
    case nothingBeneath(route: String)

    /// The flow is not on the stack.
    case noSuchFlow(FlowID)

    /// The frame is not on the stack.
    case noSuchFrame(FrameID)

    /// The gate does not declare this section.
    case noSuchSection(SectionID)

    /// No other section was selected before.
    case noPreviousSection

    /// A modal frame is above all sections, so they cannot change.
    case modalOnTop(path: String)
}

extension TransitionError: CustomStringConvertible {
    /// A sentence that names the mistake and the correction.
    public var description: String {
        switch self {
        case .belongsToAnotherFlow(let route, let flow, let top?):
            "\(route) belongs to the flow \(flow), but \(top) is on top: begin a flow with it."
        case .belongsToAnotherFlow(let route, let flow, nil):
            "\(route) belongs to the flow \(flow), but no flow is open: begin one with it."
        case .notOnTop(let flow):
            "The flow \(flow) is not on top: end or dismiss what is above it first."
        case .cannotPop(let count, let available):
            "Cannot pop \(count): \(available) can be popped here, and a modal frame is dismissed instead."
        case .nothingToDismiss:
            "Nothing to dismiss: no frame is modal."
        case .nothingBeneath(let route):
            "\(route) cannot be modal: there is nothing beneath it."
        case .noSuchFlow(let flow):
            "The flow \(flow) is not open."
        case .noSuchFrame(let frame):
            "The frame \(frame) is not on the stack."
        case .noSuchSection(let section):
            "There is no section \(section): declare it in the gate's sections."
        case .noPreviousSection:
            "No other section was selected before: select a section by its name."
        case .modalOnTop(let path):
            "The modal screen \(path) is above all sections: dismiss it first."
        }
    }
}
