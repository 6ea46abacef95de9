/// Why a transition makes no sense on a stack.
public enum TransitionError: Error, Hashable, Sendable {
    /// A route was to join the flow on top, and is of another kind: it needs ``Transition/begin(_:modal:)``. `top` is nil
    /// when the stack is empty.
    case belongsToAnotherFlow(route: String, flow: FlowKind, top: FlowKind?)

    /// A coordinator moved a stack whose top is not its own.
    case notOnTop(FlowKind)

    /// A number of frames that cannot be popped; `of` is how many could be.
    case cannotPop(Int, of: Int)

    /// No frame of the stack is modal.
    case nothingToDismiss

    /// The lowest frame cannot be modal.
    case nothingBeneath(route: String)

    /// The flow has no frame on the stack.
    case noSuchFlow(FlowID)

    /// The frame is not on the stack.
    case noSuchFrame(FrameID)
}

extension TransitionError: CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
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
        }
    }
}
