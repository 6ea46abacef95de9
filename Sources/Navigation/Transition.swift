/// A move from one stack to another.
///
/// Stacks are written lowest first, the shown frame starred. `|` begins a flow, `(` begins a modal frame.
public enum Transition<R: Route>: Hashable, Sendable {
    /// Shows another screen of the flow on top: `[A, B*]` → `[A, B, C*]`.
    case push(R)

    /// Shows another screen of the flow on top, modally: `[A*]` → `[A, (B*]`.
    case present(R)

    /// Opens a new flow at its first screen: `[A*]` → `[A | B*]`. Modally: `[A*]` → `[A | (B*]`.
    case begin(R, modal: Bool = false)

    /// Shows another place instead of the one on top, in the same flow: `[A, B*]` → `[A, C*]`.
    ///
    /// Where the two are of one ``Route/screenName``, the frame stays and shows another place; else it is another frame.
    case replace(R)

    /// Removes frames from the top: `pop(2)`: `[A, B, C*]` → `[A*]`.
    ///
    /// A flow whose last frame goes is cancelled: `pop(1)`: `[A | B*]` → `[A*]`. A modal frame is not popped but
    /// dismissed, and the lowest frame is not popped.
    case pop(Int)

    /// Removes all but the lowest frame: `[A, B, C*]` → `[A*]`. Within a modal, all above its first frame:
    /// `[A, (B, C*]` → `[A, (B*]`.
    case popToRoot

    /// Removes the topmost modal frame and all above it: `[A, (B | C*]` → `[A*]`.
    case dismiss

    /// Removes all above a frame, whatever it is: `back(a)`: `[A, B | (C*]` → `[A*]`.
    case back(FrameID)

    /// Makes a target the stack: `show([A, C])`: `[A, B*]` → `[A, C*]`.
    ///
    /// Frames that agree from the bottom up are kept, with their flows. `show([])` leaves the choice to the ``Gate``.
    case show(Target<R>)

    /// Removes the first frame of a flow and all above it: `end(b)`: `[A | B, C | D*]` → `[A*]`.
    case end(FlowID)
}

extension Transition {
    /// Makes these routes the stack, lowest first; a flow opens wherever ``Route/flow`` changes.
    public static func show(_ routes: [R]) -> Transition { .show(Target(routes)) }
}

extension Transition: CustomStringConvertible {
    /// The move and the paths it names, such as `push /articles/42`.
    public var description: String {
        switch self {
        case .push(let route): "push \(route.path)"
        case .present(let route): "present \(route.path)"
        case .begin(let route, let modal): "begin \(route.path)\(modal ? " modally" : "")"
        case .replace(let route): "replace by \(route.path)"
        case .pop(let count): "pop \(count)"
        case .popToRoot: "pop to root"
        case .dismiss: "dismiss"
        case .back(let frame): "back to \(frame)"
        case .show(let target): "show \(target)"
        case .end(let flow): "end \(flow)"
        }
    }
}

extension NavigationState {
    /// The state after a transition. This one is left as it is.
    ///
    /// - Throws: ``TransitionError`` where the transition makes no sense here.
    public func applying(_ transition: Transition<R>) throws(TransitionError) -> Self {
        var next = self
        switch transition {
        case .push(let route):
            next.append(route, in: try flowOnTop(for: route))
        case .present(let route):
            next.append(route, in: try flowOnTop(for: route), modal: true)
        case .begin(let route, let modal):
            guard !modal || !frames.isEmpty else { throw .nothingBeneath(route: route.path) }
            next.append(route, in: next.openFlow(), modal: modal)
        case .replace(let route):
            _ = try flowOnTop(for: route)
            next.replaceTop(with: route)
        case .pop(let count):
            guard (1...).contains(count), count <= poppable else { throw .cannotPop(count, of: poppable) }
            next.frames.removeLast(count)
        case .popToRoot:
            next.frames.removeLast(poppable)
        case .dismiss:
            guard let modal = frames.lastIndex(where: \.isModal) else { throw .nothingToDismiss }
            next.frames.removeSubrange(modal...)
        case .back(let frame):
            guard let index = frames.firstIndex(where: { $0.id == frame }) else { throw .noSuchFrame(frame) }
            next.frames.removeSubrange((index + 1)...)
        case .show(let target):
            next.show(target)
        case .end(let flow):
            guard let first = frames.firstIndex(where: { $0.flow == flow }) else { throw .noSuchFlow(flow) }
            next.frames.removeSubrange(first...)
        }
        next.tidy()
        return next
    }

    /// How many frames are above the lowest one, or above the first frame of the topmost modal.
    private var poppable: Int {
        max(0, frames.count - 1 - (frames.lastIndex(where: \.isModal) ?? 0))
    }

    private func flowOnTop(for route: R) throws(TransitionError) -> FlowID {
        guard let top, top.route.flow == route.flow else {
            throw .belongsToAnotherFlow(route: route.path, flow: route.flow, top: top?.route.flow)
        }
        return top.flow
    }
}
