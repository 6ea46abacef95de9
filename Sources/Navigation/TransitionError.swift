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
        }
    }
}
