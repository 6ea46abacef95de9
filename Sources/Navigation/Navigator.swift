/// Holds the state of navigation, and the coordinators that state needs.
///
/// Every move takes one path: a new state is proposed, judged by the ``gate``, and assigned once. Then coordinators are
/// created for flows that have opened and released for flows that have no frame any more, the topmost first. The navigator is
/// their only owner, so a coordinator lives exactly as long as its flow is on the stack.
///
/// ## Time
///
/// One event, move or restoration, with all it causes, is a *turn*. What handlers ask of their ``Flow`` is done after
/// they return, in order, within the turn; ends of flows are told, and coordinators whose first screen is about to show
/// are started, until nothing is left to do. Then ``onChange`` is called. Events sent during a turn are handled
/// after it, each in a turn of its own, in the order they were sent, whoever sent them: also when the owner sends
/// another while the first is suspended in an `await`. Coordinators that send each other on in a circle are stopped
/// after 1,000 steps; see ``NavigationError/endlessTurn(circle:)``.
///
/// ## Isolation
///
/// A navigator is not `Sendable` and names no actor. Whoever owns it decides where it runs, and its coordinators run
/// there too: the main actor of an application, an actor for each web session, the task of a test.
public final class Navigator<R: Route> {
    /// What is on the stack, judged. Always matched by ``coordinators``.
    public private(set) var state = NavigationState<R>()

    /// What happened.
    public private(set) var journal: Journal {
        didSet { if let entry = journal.entries.last { onRecord?(entry) } }
    }

    /// Judges every state. Setting it has the present state judged again: in the turn that runs, else before the next
    /// one, or when the owner settles; see ``onPending``.
    public var gate: Gate<R> {
        didSet {
            gateChanged = true
            announce()
        }
    }

    /// Called at the end of each turn that changed the state.
    public var onChange: ((NavigationState<R>) -> Void)?

    /// Called when there is something to do and no turn runs to do it: an ``Outlet`` or ``Flow`` was used from outside
    /// a handler, or the gate was set. The owner answers by running ``settle()`` where it runs everything else, as
    /// in `{ Task { await navigator.settle() } }`. Without an answer, it is done before the next move.
    public var onPending: (() -> Void)?

    /// Told of each entry of the journal, also of those that it will not keep.
    package var onRecord: ((Journal.Entry) -> Void)?

    /// Told of each coordinator that is made, also of one that is released within the turn.
    package var onOpen: ((FlowID, FlowKind, any Coordinator<R>) -> Void)?

    private let children: [ChildFlow<R>]
    private var live: [FlowID: Live] = [:]
    private var inbox: [Work] = []
    private var steps: [Step] = []
    private var trail: [String] = []
    private var isTurning = false
    private var gateChanged = false

    /// What a turn is made for.
    private enum Work {
        case moves([Transition<R>])
        case event(R.Event, NavigationState<R>.Frame)
        case back
        case restoration(NavigationState<R>)
        case step(Step)
        case judging
    }

    /// What a coordinator asks for.
    enum Step {
        case move(Transition<R>, by: FlowID)
        case end(FlowID, Journal.End, () -> [Transition<R>])
        case follow([Transition<R>])
    }

    private struct Live {
        let coordinator: any Coordinator<R>
        let child: ChildFlow<R>
        var isStarted = false
        /// How the flow ended by its own word. Its end has then been told.
        var end: Journal.End?
    }

    /// Creates a navigator with an empty stack. Show something with ``perform(_:)``, ``restore(_:)``, or, for
    /// the gate's home, ``reconsider()``.
    ///
    /// - Parameters:
    ///   - children: The flows that any flow may begin. A flow that is declared nearer, by the coordinator of a flow
    ///     beneath, goes before these.
    ///   - gate: What may be shown.
    ///   - journalCapacity: How many entries the ``journal`` keeps.
    public init(children: [ChildFlow<R>], gate: Gate<R> = Gate(), journalCapacity: Int = 256) {
        self.children = children
        self.gate = gate
        self.journal = Journal(capacity: journalCapacity)
    }

    /// The coordinators of the open flows. How flows lie on each other is told by ``NavigationState/flows``.
    public var coordinators: [FlowID: any Coordinator<R>] {
        live.mapValues(\.coordinator)
    }

    /// Makes moves as one: they are applied in order, and what comes of them is judged and shown once.
    ///
    /// While a turn runs, they are queued and this returns at once; what then fails is only journaled.
    ///
    /// - Throws: ``NavigationError``. Unless the error is that of an endless turn, nothing changed.
    public func perform(_ transitions: Transition<R>...) async throws(NavigationError) {
        try await run(.moves(transitions))
    }

    /// Reports an event to the flow of the screen that is shown, and returns when all it causes is done. While a turn
    /// runs, the event is queued and this returns at once.
    public func send(_ event: R.Event) async {
        guard let top = state.top else { return journal.record(.dropped(event.name)) }
        try? await run(.event(event, top))
    }

    /// Goes back: dismisses a modal frame, pops another. Leaving the first screen of a flow cancels the flow.
    ///
    /// - Returns: False, having done nothing, at the lowest frame.
    public func back() async -> Bool {
        guard state.frames.count > 1 else { return false }
        try? await run(.back)
        return true
    }

    /// Shows a saved state, as far as the gate admits it. Its flows get new identities and new coordinators.
    ///
    /// - Throws: ``NavigationError``, for instance where a saved flow is not declared any more; then nothing changed.
    public func restore(_ state: NavigationState<R>) async throws(NavigationError) {
        try await run(.restoration(state))
    }

    /// Judges the present state again: what the gate admits may depend on more than the gate's own values.
    public func reconsider() async {
        gateChanged = true
        await settle()
    }

    /// Does what is waiting to be done; see ``onPending``.
    public func settle() async {
        try? await run(nil)
    }

    /// What to show: the screen of the frame on top, from the coordinator of its flow. Nil when the stack is empty.
    ///
    /// Where the frame on top changes while its screen is being made, the screen of the new one is returned.
    ///
    /// - Throws: What the coordinator throws.
    public func screen() async throws -> R.Screen? {
        while let top = state.top, let coordinator = live[top.flow]?.coordinator {
            let screen = try await coordinator.screen(for: top.route)
            if state.top == top { return screen }
        }
        return nil
    }

    // How flows speak to their navigator.

    func ask(_ step: Step) {
        if isTurning {
            steps.append(step)
        } else {
            inbox.append(.step(step))
            announce()
        }
    }

    func enqueue(_ event: R.Event, for flow: FlowID) {
        guard let frame = state.frames.last(where: { $0.flow == flow }) else {
            return journal.record(.dropped(event.name))
        }
        inbox.append(.event(event, frame))
        announce()
    }

    private func announce() {
        if !isTurning { onPending?() }
    }

    // Turns.

    private func run(_ work: Work?) async throws(NavigationError) {
        guard !isTurning else {
            if let work { inbox.append(work) }
            return
        }
        isTurning = true
        defer { isTurning = false }
        await drain()
        var failure: NavigationError?
        if let work { failure = await turn(work) }
        await drain()
        if let failure { throw failure }
    }

    private func drain() async {
        while gateChanged || !inbox.isEmpty {
            // A new gate goes first, so that what the old one showed is deferred in the name of who saw it.
            _ = await turn(gateChanged ? .judging : inbox.removeFirst())
        }
    }

    private func turn(_ work: Work) async -> NavigationError? {
        let before = state
        trail = before.top.map { [$0.route.path] } ?? []
        var failure: NavigationError?
        var taken: (from: String, event: String)?
        switch work {
        case .judging:
            break
        case .step(let step):
            take(step)
        case .moves(let transitions):
            failure = move(transitions)
        case .restoration(let saved):
            failure = adopt(saved.renumbered(after: state.lastFlow), for: "restore")
        case .back:
            guard state.frames.count > 1, let top = state.top else { break }
            journal.record(.event(name: "back", path: top.route.path))
            taken = (top.route.place, "back")
            failure = move([top.isModal ? .dismiss : .pop(1)])
        case .event(let event, let frame):
            guard let coordinator = live[frame.flow]?.coordinator else {
                journal.record(.dropped(event.name))
                break
            }
            journal.record(.event(name: event.name, path: frame.route.path))
            taken = (frame.route.place, event.name)
            await coordinator.eventOccurred(event, in: frame.route)
        }

        let endless = await followUp()
        if let taken, let top = state.top {
            journal.record(.led(.init(taken.from, taken.event, top.route.place)))
        }
        if state != before { onChange?(state) }
        return failure ?? endless
    }

    /// Does what the turn has caused, until nothing is left to do.
    private func followUp() async -> NavigationError? {
        for _ in 0..<1000 {
            if !steps.isEmpty {
                take(steps.removeFirst())
            } else if gateChanged {
                judgeAgain()
            } else if let top = state.top, let flow = live[top.flow], !flow.isStarted {
                live[top.flow]?.isStarted = true
                journal.record(.started(flow.child.kind))
                await flow.coordinator.start()
            } else {
                return nil
            }
        }
        if gateChanged { close() }
        steps = []
        let circleStart = trail.dropLast().lastIndex { $0 == trail.last }
        let error = NavigationError.endlessTurn(circle: circleStart.map { Array(trail[$0...]) } ?? trail.suffix(10))
        journal.record(.rejected("turn", error))
        return error
    }

    private func take(_ step: Step) {
        switch step {
        case .move(let transition, let flow):
            guard let mover = live[flow] else { return journal.record(.dropped(transition.description)) }
            if transition.concernsTop, state.top?.flow != flow {
                return journal.record(.rejected(transition.description, .rejected(.notOnTop(mover.child.kind))))
            }
            _ = move([transition])
        case .end(let flow, let end, let whereTo):
            guard live[flow] != nil, let without = try? state.applying(.end(flow)) else {
                return journal.record(.dropped("end \(flow)"))
            }
            live[flow]?.end = end
            if adopt(following(whereTo(), from: without), for: "end \(flow)") != nil {
                _ = adopt(without, for: "end \(flow)")
            }
        case .follow(let transitions):
            _ = adopt(following(transitions, from: state), for: "\(transitions)")
        }
    }

    /// The state after all transitions that make sense; the others are journaled.
    private func following(_ transitions: [Transition<R>], from start: NavigationState<R>) -> NavigationState<R> {
        transitions.reduce(start) { state, transition in
            do throws(TransitionError) {
                return try state.applying(transition)
            } catch {
                journal.record(.rejected(transition.description, .rejected(error)))
                return state
            }
        }
    }

    /// Makes all of the moves, or none.
    private func move(_ transitions: [Transition<R>]) -> NavigationError? {
        var proposed = state
        for transition in transitions {
            do throws(TransitionError) {
                proposed = try proposed.applying(transition)
            } catch {
                journal.record(.rejected(transition.description, .rejected(error)))
                return .rejected(error)
            }
        }
        return adopt(proposed, for: transitions.map(\.description).joined(separator: ", "))
    }

    // The one path to a new state.

    private func judgeAgain() {
        if adopt(state, for: "judge") != nil { close() }
    }

    /// Empties the stack: where it cannot be judged, what is not admitted may not stay.
    private func close() {
        var closed = state
        closed.frames = []
        closed.deferred = nil
        closed.subject = gate.subject
        assign(closed, opening: [:])
        gateChanged = false
    }

    /// Judges a state and makes it the present one, with the coordinators it needs; or changes nothing and says why.
    private func adopt(_ proposed: NavigationState<R>, for what: String) -> NavigationError? {
        gateChanged = false
        let judged = gate.judging(proposed)
        guard judged != state else { return nil }
        do throws(NavigationError) {
            assign(judged, opening: try open(judged))
            return nil
        } catch {
            gateChanged = true
            journal.record(.rejected(what, error))
            guard proposed.deferred != nil, judged.deferred == nil else { return error }
            // The target that waited cannot be opened, now or later: it is forgotten, or it would bar every way on.
            var forgetting = proposed
            forgetting.deferred = nil
            return adopt(forgetting, for: what)
        }
    }

    /// Assigns the state, releases the coordinators of flows that are gone, and has their ends told.
    private func assign(_ next: NavigationState<R>, opening opened: [FlowID: Live]) {
        let previous = state
        state = next
        live.merge(opened) { old, _ in old }
        if next.frames != previous.frames {
            journal.record(.transition(before: previous.frames.map(\.route.path), after: next.frames.map(\.route.path)))
            trail.append(next.top?.route.path ?? "nothing")
        }
        let open = Set(next.flows.map(\.id))
        for flow in previous.flows.reversed() where !open.contains(flow.id) {
            guard let gone = live.removeValue(forKey: flow.id) else { continue }
            journal.record(.ended(flow.kind, gone.end ?? .cancelled))
            // A flow swept away with the one beneath it has nobody to tell, and no stack that its end could be about.
            if gone.end == nil, flow.parent.map(open.contains) ?? true {
                let whereTo = gone.child.cancelled()
                if !whereTo.isEmpty { steps.append(.follow(whereTo)) }
            }
        }
    }

    /// Makes coordinators for flows that are not open yet, lowest first: a flow may be declared by one just created.
    private func open(_ next: NavigationState<R>) throws(NavigationError) -> [FlowID: Live] {
        var opened: [FlowID: Live] = [:]
        var beneath: [any Coordinator<R>] = []
        for flow in next.flows {
            if let open = live[flow.id] {
                beneath.append(open.coordinator)
                continue
            }
            guard let child = declaration(of: flow.kind, beneath: beneath) else {
                let path = next.frames.first { $0.flow == flow.id }?.route.path ?? ""
                throw .undeclaredFlow(flow.kind, path: path)
            }
            let coordinator = child.make(flow.id, self)
            onOpen?(flow.id, flow.kind, coordinator)
            opened[flow.id] = Live(coordinator: coordinator, child: child)
            beneath.append(coordinator)
        }
        return opened
    }

    private func declaration(of kind: FlowKind, beneath: [any Coordinator<R>]) -> ChildFlow<R>? {
        for coordinator in beneath.reversed() {
            if let child = coordinator.children.first(where: { $0.kind == kind }) { return child }
        }
        return children.first { $0.kind == kind }
    }
}

extension Transition {
    /// Whether the move is relative to the frame on top, and so is made only by the flow that owns it.
    fileprivate var concernsTop: Bool {
        switch self {
        case .push, .present, .begin, .replace, .pop, .popToRoot: true
        case .dismiss, .show, .end: false
        }
    }
}
