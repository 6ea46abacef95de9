// The generic code of this module passes closures instead of key paths: the compiler does not specialize a function with a
// key path for the routes of a program.

/// The whole state of navigation as a value: the screens on the stack, the flow of each, and the target that is
/// deferred.
///
/// This value is the source of truth. ``applying(_:)`` changes it and a ``Gate`` judges it, both as pure functions. A
/// ``Navigator`` creates and releases coordinators to match it. An encoded state is a saved session; see
/// ``init(from:)``.
///
/// A state may have sections; see <doc:Sections>. Then ``frames`` is the stack of the selected section, with the modal
/// frames above it, and each other section keeps a stack of its own.
///
/// Three rules hold for every state:
/// - The frames of a flow are adjacent, in a single stack, and their routes have the same ``FlowKind``.
/// - The lowest frame of a stack is not modal, because nothing would remain after dismissing it.
/// - The flow that holds the place of a ``deferred`` target was open when the state was last judged.
public struct NavigationState<R: Route>: Hashable, Sendable {
    /// A screen on the stack.
    public struct Frame: Hashable, Sendable, Identifiable {
        /// The identity of the frame. ``Transition/replace(_:)`` keeps it if the screen stays the same.
        public let id: FrameID
        /// The place that is shown.
        public let route: R
        /// The flow that owns the frame.
        public let flow: FlowID
        /// Whether ``Transition/dismiss`` removes this frame and all frames above it.
        public let isModal: Bool
    }

    /// An open flow on a stack.
    public struct OpenFlow: Hashable, Sendable, Identifiable {
        /// The identity of the flow.
        public let id: FlowID
        /// The kind of the flow.
        public let kind: FlowKind
        /// The flow that owns the frame beneath the first frame of this flow; nil for the lowest flow of a stack.
        public let parent: FlowID?
    }

    /// A target that was requested but not admitted. It is kept until the user leaves the entrance that holds its
    /// place.
    public struct Deferred: Hashable, Sendable {
        /// The requested stack.
        public let target: Target<R>
        /// The user who requested it; nil if nobody was signed in. Then it is for the next user who signs in.
        public let subject: String?
        /// The flow that holds the target's place. The target waits as long as this flow is open.
        public let entrance: FlowID
        /// The place that the user must pass: the last of ``Gate/Verdict/barred(entrance:)``.
        public let needed: R
    }

    /// The stack of a section that is not selected. It is not empty, and its frames are not modal.
    struct Parked: Hashable, Sendable {
        let section: SectionID
        var frames: [Frame]
    }

    /// The stack, lowest frame first. With sections, it is the stack of the selected section and the modal frames above
    /// all sections.
    public internal(set) var frames: [Frame] = []

    /// The sections that the ``Gate`` declared when it last judged this state; empty if it declares none.
    public internal(set) var sections: [NavigationSection<R>] = []

    /// The selected section; nil without sections.
    public internal(set) var section: SectionID?

    /// The stacks of the other sections, by name. A section that was never shown does not have a stack.
    var parked: [Parked] = []

    /// The sections that were selected before, the last one last, each once.
    var history: [SectionID] = []

    /// The target that is shown after access was granted; nil if nothing is deferred.
    public internal(set) var deferred: Deferred?

    /// The user to whom this stack belongs: the ``Gate/subject`` for which it was last judged.
    public internal(set) var subject: String?

    /// The flow on top that asks whether to make a move by which something would be lost; see
    /// ``Coordinator/question(beforeLeaving:)``. It is neither saved nor deferred.
    public internal(set) var question: FlowID?

    /// The memories of the coordinators.
    var memories: [FlowID: R.Memory] = [:]

    private var counters = Counters()

    /// The numbers of identities that were created. They do not count in comparisons, so states with the same stack are
    /// equal.
    private struct Counters: Hashable {
        var flow = 0
        var frame = 0
        /// The navigator to which the identities belong.
        var owner: ObjectIdentifier?

        static func == (_: Self, _: Self) -> Bool { true }
        func hash(into _: inout Hasher) {}
    }

    /// Creates the stack of a target.
    public init(_ target: Target<R> = []) {
        show(target)
    }

    /// Creates the stack of the given routes, lowest first. A flow opens wherever ``Route/flow`` changes.
    public init(_ routes: [R]) {
        self.init(Target(routes))
    }

    /// The frame that is shown; nil if the stack is empty.
    public var top: Frame? { frames.last }

    /// The open flows of all sections, lowest first. Those of ``frames`` come last.
    public var flows: [OpenFlow] {
        parked.isEmpty ? flows(of: frames) : parked.flatMap { flows(of: $0.frames) } + flows(of: frames)
    }

    func flows(of frames: [Frame]) -> [OpenFlow] {
        var flows: [OpenFlow] = []
        for frame in frames where frame.flow != flows.last?.id {
            flows.append(OpenFlow(id: frame.flow, kind: frame.route.flow, parent: flows.last?.id))
        }
        return flows
    }

    /// The stacks of all sections without identities and without a ``question``, so that they can be shown elsewhere or
    /// later.
    public var target: Target<R> {
        var target = target(of: answered.frames)
        target.section = section
        target.others = parked.map { .init(section: $0.section, frames: self.target(of: $0.frames).frames) }
        return target
    }

    /// The state without the flow that asks a question.
    var answered: Self {
        guard let question, let first = frames.firstIndex(where: { $0.flow == question }) else { return self }
        var copy = self
        copy.frames.removeSubrange(first...)
        copy.tidy()
        return copy
    }

    fileprivate var picture: String {
        var target = target(of: frames)
        target.section = section
        return target.description
    }

    func target(of frames: some Sequence<Frame>) -> Target<R> {
        var target = Target<R>()
        var last: FlowID?
        for frame in frames {
            let begins = frame.flow != last
            target.add(
                frame.route, isModal: frame.isModal, beginsFlow: begins, memory: begins ? memories[frame.flow] : nil)
            last = frame.flow
        }
        return target
    }

    mutating func openFlow() -> FlowID {
        counters.flow += 1
        return FlowID(number: counters.flow, owner: counters.owner)
    }

    mutating func append(_ route: R, in flow: FlowID, modal: Bool = false) {
        counters.frame += 1
        frames.append(
            Frame(id: FrameID(number: counters.frame, owner: counters.owner), route: route, flow: flow, isModal: modal))
    }

    /// Puts frames of a target on top.
    mutating func append(_ added: some Sequence<Target<R>.Frame>) {
        for frame in added {
            if let top, !frame.beginsFlow, top.route.flow == frame.route.flow {
                append(frame.route, in: top.flow, modal: frame.isModal)
            } else {
                let flow = openFlow()
                memories[flow] = frame.memory
                append(frame.route, in: flow, modal: frame.isModal)
            }
        }
    }

    /// Replaces the stack with a target, in the section of the target, and selects that section. Equal frames from the
    /// bottom up are kept.
    mutating func show(_ target: Target<R>) {
        if let section = target.section { select(section) }
        showFrames(target.frames[...])
        for other in target.others { showBehind(other) }
    }

    /// Replaces ``frames`` with those of a target. Equal frames from the bottom up are kept.
    mutating func showFrames(_ wanted: ArraySlice<Target<R>.Frame>) {
        let kept = zip(frames.indices, wanted).prefix { index, wanted in
            let frame = frames[index]
            return frame.route == wanted.route && frame.isModal == wanted.isModal
                && beginsFlow(at: index) == wanted.beginsFlow
        }.count
        frames.removeSubrange(kept...)
        append(wanted.dropFirst(kept))
    }

    private func beginsFlow(at index: Int) -> Bool { index == 0 || frames[index - 1].flow != frames[index].flow }

    /// Returns the same state, but with the frames of `shown` in place of equal frames that the gate has added. So a
    /// user who is logging in and follows a link that needs the login continues with the same login screen, and a
    /// user at home stays there.
    ///
    /// - Parameter proposed: the state before the gate judged it. Its frames were not added by the gate.
    func keeping(_ shown: Self, besides proposed: Self) -> Self {
        guard shown.subject == subject, shown.section == section else { return self }
        let asked = Set(proposed.allFrames.map { $0.id })
        var kept: [FlowID: FlowID] = [:]
        var copy = self
        for (index, old) in zip(frames.indices, shown.frames) where frames[index].id != old.id {
            let frame = frames[index]
            guard !asked.contains(frame.id), parked.isEmpty || !asked.contains(old.id),
                frame.route == old.route, frame.isModal == old.isModal,
                beginsFlow(at: index) == shown.beginsFlow(at: index)
            else { break }
            kept[frame.flow] = old.flow
            copy.frames[index] = old
        }
        guard !kept.isEmpty else { return self }
        copy.frames = copy.frames.map { frame in
            kept[frame.flow].map { Frame(id: frame.id, route: frame.route, flow: $0, isModal: frame.isModal) } ?? frame
        }
        copy.deferred = deferred.map { waiting in
            Deferred(
                target: waiting.target, subject: waiting.subject, entrance: kept[waiting.entrance] ?? waiting.entrance,
                needed: waiting.needed)
        }
        for flow in kept.values { copy.memories[flow] = shown.memories[flow] }
        copy.tidy()
        return copy
    }

    /// Removes a frame and all frames above it in its stack. If that removes the entrance of a deferred target, the
    /// target becomes the stack.
    mutating func cut(from first: FrameID) {
        changeStack(of: first) { frames, index in frames.removeSubrange(index...) }
        tidy()
        guard let waiting = deferred, !allFrames.contains(where: { $0.flow == waiting.entrance }) else { return }
        deferred = nil
        subject = waiting.subject
        show(waiting.target)
    }

    /// Shows another place in the frame on top. The frame keeps its identity if the screen stays the same.
    mutating func replaceTop(with route: R) {
        guard let top = frames.popLast() else { return }
        if top.route.screenName == route.screenName {
            frames.append(Frame(id: top.id, route: route, flow: top.flow, isModal: top.isModal))
        } else {
            append(route, in: top.flow, modal: top.isModal)
        }
    }

    /// Removes the memories of flows that are no longer open, and a question that is no longer open.
    mutating func tidy() {
        guard question != nil || !memories.isEmpty else { return }
        let open = Set(allFrames.map { $0.flow })
        if let asking = question, !open.contains(asking) { question = nil }
        memories = memories.filter { open.contains($0.key) }
    }

    /// Sets the navigator to which new identities belong, so that other navigators do not accept them.
    mutating func own(by owner: ObjectIdentifier) { counters.owner = owner }

    /// Ensures that identities which `other` has created are not created again.
    mutating func count(after other: Self) {
        counters.flow = max(counters.flow, other.counters.flow)
        counters.frame = max(counters.frame, other.counters.frame)
        counters.owner = other.counters.owner
    }

    /// Returns the same state with new identities, which `other` has not created.
    func renumbered(after other: Self) -> Self {
        var copy = Self()
        copy.count(after: other)
        copy.show(target)
        copy.history = history
        copy.subject = subject
        if let deferred, let position = answered.flows.firstIndex(where: { $0.id == deferred.entrance }) {
            copy.deferred = Deferred(
                target: deferred.target, subject: deferred.subject, entrance: copy.flows[position].id,
                needed: deferred.needed)
        }
        return copy
    }
}

extension NavigationState: CustomStringConvertible {
    /// The stack in the notation of the documentation, and the deferred target: `[/login*], then [/notes, /notes/42*]`.
    public var description: String {
        deferred.map { "\(picture), then \($0.target)" } ?? picture
    }
}
