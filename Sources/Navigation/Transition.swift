/// A move from one stack to another.
///
/// A stack is written with its lowest frame first. An asterisk marks the shown frame, `|` begins a flow, and `(` begins
/// a modal frame.
public enum Transition<R: Route>: Hashable, Sendable {
    /// Shows another screen of the flow on top: `[A, B*]` → `[A, B, C*]`.
    case push(R)

    /// Shows another screen of the flow on top as a modal screen: `[A*]` → `[A, (B*]`.
    case present(R)

    /// Opens a new flow at its first screen: `[A*]` → `[A | B*]`. As a modal flow: `[A*]` → `[A | (B*]`.
    case begin(R, modal: Bool = false)

    /// Shows another place instead of the place on top, in the same flow: `[A, B*]` → `[A, C*]`.
    ///
    /// If both have the same ``Route/screenName``, the frame keeps its identity. Otherwise it is a new frame.
    case replace(R)

    /// Removes frames from the top: `pop(2)`: `[A, B, C*]` → `[A*]`.
    ///
    /// If the last frame of a flow is removed, the flow is canceled: `pop(1)`: `[A | B*]` → `[A*]`. A modal frame
    /// cannot be popped, only dismissed, and the lowest frame cannot be popped.
    case pop(Int)

    /// Removes all frames except the lowest: `[A, B, C*]` → `[A*]`. Within a modal, removes all frames above its first:
    /// `[A, (B, C*]` → `[A, (B*]`.
    case popToRoot

    /// Removes the topmost modal frame and all frames above it: `[A, (B | C*]` → `[A*]`.
    case dismiss

    /// Removes all frames above a frame, including modal frames: `back(a)`: `[A, B | (C*]` → `[A*]`.
    case back(FrameID)

    /// Replaces the stack with a target: `show([A, C])`: `[A, B*]` → `[A, C*]`. If the target is in a section, that
    /// section is selected, and the other sections do not change. Without sections, that section is only remembered while
    /// the target waits behind an entrance.
    ///
    /// Equal frames from the bottom up are kept, with their flows. After `show([])`, the ``Gate`` decides what is
    /// shown.
    case show(Target<R>)

    /// Removes the first frame of a flow and all frames above it: `end(b)`: `[A | B, C | D*]` → `[A*]`.
    case end(FlowID)

    /// Shows the stack of another section, as the user has left it, or its home at the first time. If the section is
    /// selected already, nothing changes.
    ///
    /// It is impossible while a modal frame is on top, because modal frames are above all sections.
    case select(SectionID)

    /// Shows the section that was selected before, and forgets it.
    case selectPrevious

    /// Moves a frame, with all frames above it in its section, to the top of another section. The frames keep their
    /// identities, and the selected section stays selected.
    ///
    /// A flow that moves completely keeps its coordinator. If only a part of a flow moves, that part joins the flow on
    /// top of the other section if the kind is the same. Otherwise a new flow begins with it. An empty section shows
    /// its home beneath the frames. Modal frames do not move: the move is impossible while one is on top.
    case move(FrameID, to: SectionID)
}

extension Transition {
    /// Replaces the stack with these routes, lowest first. A flow opens wherever ``Route/flow`` changes.
    public static func show(_ routes: [R]) -> Transition { .show(Target(routes)) }
}

extension Transition: CustomStringConvertible {
    /// The move with its paths, such as `push /articles/42`.
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
        case .select(let section): "select \(section)"
        case .selectPrevious: "select the previous section"
        case .move(let frame, let section): "move \(frame) to \(section)"
        }
    }
}

extension NavigationState {
    /// Returns the state after a transition.
    ///
    /// - Throws: ``TransitionError`` if the transition is impossible in this state.
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
            guard let modal = frames.lastIndex(where: { $0.isModal }) else { throw .nothingToDismiss }
            next.frames.removeSubrange(modal...)
        case .back(let frame):
            guard let index = frames.firstIndex(where: { $0.id == frame }) else { throw .noSuchFrame(frame) }
            next.frames.removeSubrange((index + 1)...)
        case .show(let target):
            // Before the log-in there may be no sections. A target that waits behind the entrance remembers its section.
            if !sections.isEmpty {
                for section in [target.section].compactMap({ $0 }) + target.others.map({ $0.section }) {
                    try requireSection(section)
                }
            }
            next.show(target)
        case .end(let flow):
            guard allFrames.contains(where: { $0.flow == flow }) else { throw .noSuchFlow(flow) }
            next.removeFrames(from: flow)
        case .select(let section):
            try requireSection(section)
            try requireNoModal()
            next.select(section)
            next.showHomeIfEmpty()
        case .selectPrevious:
            guard let previous = history.last else { throw .noPreviousSection }
            try requireNoModal()
            next.returnToSection(previous)
            next.showHomeIfEmpty()
        case .move(let frame, let section):
            try requireSection(section)
            try requireNoModal()
            guard allFrames.contains(where: { $0.id == frame }) else { throw .noSuchFrame(frame) }
            next.move(frame, to: section)
        }
        next.tidy()
        return next
    }

    /// The number of frames above the lowest frame, or above the first frame of the topmost modal.
    private var poppable: Int {
        max(0, frames.count - 1 - (frames.lastIndex { $0.isModal } ?? 0))
    }

    private func requireSection(_ section: SectionID) throws(TransitionError) {
        guard sections.contains(where: { $0.id == section }) else { throw .noSuchSection(section) }
    }

    private func requireNoModal() throws(TransitionError) {
        let own = ownFrames.count
        if own < frames.count { throw .modalOnTop(path: frames[own].route.path) }
    }

    private func flowOnTop(for route: R) throws(TransitionError) -> FlowID {
        guard let top, top.route.flow == route.flow else {
            throw .belongsToAnotherFlow(route: route.path, flow: route.flow, top: top?.route.flow)
        }
        return top.flow
    }
}
