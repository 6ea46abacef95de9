/// Holds the state of navigation and the coordinators that it needs.
///
/// Every move takes the same way: a new state is proposed, judged by the ``gate``, and assigned. Then coordinators are
/// created for flows that have opened, and released for flows without frames, the topmost first. Only the navigator
/// holds them, so a coordinator lives exactly as long as its flow is on the stack.
///
/// ## Time
///
/// An event, a move, or a restoration, with everything that it causes, is a *turn*. When a handler makes requests to
/// its ``Flow``, they are carried out after it returns, in order, within the same turn. The handlers for ends of flows
/// are called, and coordinators whose first screen is about to be shown are started, until nothing is left to do. Then
/// ``onChange`` is called. Events that are sent during a turn are handled after it, each in a separate turn, in the
/// order in which they were sent. Coordinators that move each other in a circle are stopped after 1,000 steps; see
/// ``NavigationError/endlessTurn(circle:)``.
///
/// A turn is synchronous, so nothing can change the state while a coordinator decides. A method that makes a request
/// returns after the turn. If a handler or an observer of a change calls it within a turn, the request is carried out
/// after that turn instead, and the method returns at once.
///
/// Work that flows have started with ``Flow/run(_:_:)`` or ``Flow/run(_:_:then:)`` continues between turns. Each result
/// is a separate turn.
///
/// ## Isolation
///
/// A navigator is not `Sendable` and not bound to an actor. Its owner decides where it runs, and its coordinators run
/// there too: on the main actor in an application, on an actor for each web session, or in the task of a test.
public final class Navigator<R: Route> {
    /// The judged state of the stack. The ``coordinators`` always match it.
    public internal(set) var state = NavigationState<R>()

    /// The journal of events and moves.
    public private(set) var journal: Journal

    /// The gate that judges every state. After it is set, the present state is judged again: in the present turn, or
    /// otherwise before the next turn or when the owner settles; see ``onPending``.
    public var gate: Gate<R> {
        didSet {
            gateChanged = true
            mailbox.notifyOwner()
        }
    }

    /// The width of the front's window, which decides which screens are visible and may report events; see
    /// ``NavigationState/panes(for:)``. The state does not depend on it. If a flow becomes visible that was not started
    /// yet, it is started in the next turn, or when the owner settles; see ``onPending``.
    public var widthClass = WidthClass.compact {
        didSet { if widthClass != oldValue { mailbox.notifyOwner() } }
    }

    /// Called at the end of each turn that changed the state or called a coordinator. The front must then update the
    /// screen.
    public var onChange: ((NavigationState<R>) -> Void)?

    /// Called if there is something to do and a turn is not running: an ``Outlet`` or a ``Flow`` was used outside a
    /// handler, work has finished, or the gate was set. It may be called on any thread. A function that you set must call
    /// ``settle()`` where you run everything else.
    ///
    /// If this is nil, the navigator settles itself on the actor that has asked for its screens: the main actor or any
    /// other. If no actor has, what there is to do is done before the next move.
    public var onPending: (@Sendable () -> Void)? {
        get { mailbox.wake }
        set { mailbox.wake = newValue }
    }

    /// Called with each refused move, as named in the ``journal``, and the reason.
    ///
    /// If this is nil, a debug build stops at a refused move whose error nobody receives: a move of a ``Flow``, after the
    /// end of a flow, or of a handler that calls the navigator. It does not stop if the coordinator could not know the
    /// reason: another flow is on top, or the gate admits less.
    public var onRejection: ((_ move: String, NavigationError) -> Void)?

    /// Called with each entry of the journal, including entries that the journal does not keep.
    package var onRecord: ((Journal.Entry) -> Void)?

    /// Called with each new coordinator, including a coordinator that is released within the same turn.
    package var onOpen: ((FlowID, FlowKind, any Coordinator<R>) -> Void)?

    let children: [ChildFlow<R>]
    let mailbox = Mailbox<R>()
    var live: [FlowID: OpenFlow] = [:]
    var works: [Work.Key: Work] = [:]
    /// The closures that wait for the results of work.
    var completions: [Work.Key: (R) -> Void] = [:]
    // These are slices, because elements are removed from the front.
    var inbox: ArraySlice<Request> = []
    var steps: ArraySlice<Step> = []
    var trail: [String] = []
    /// The move that waits for the answer to ``NavigationState/question``.
    var held: HeldMove?
    /// The flows that have agreed to leave in the present turn.
    var consent: Set<FlowID> = []
    var gateChanged = false
    /// The actor that has asked for screens. It usually owns the navigator, so the reference is weak.
    weak var home: (any Actor)?
    /// Whether a turn is running.
    var isInTurn = false
    /// The frame whose coordinator is being called, if other frames are above it. The coordinator's first move goes back
    /// to this frame.
    var pane: FrameID?
    /// The number of coordinators that were started.
    var starts = 0
    var lastWork = 0
    let workExecutor: (any TaskExecutor)?
    private var observers: [AsyncStream<Journal.Entry>.Continuation] = []

    /// Creates a navigator with an empty stack. Then show something with ``perform(_:)`` or ``restore(_:)``, or show
    /// the gate's home with ``reconsider()``.
    ///
    /// - Parameters:
    ///   - children: the flows that any flow may begin. If a coordinator beneath declares the same kind of flow, its
    ///     declaration takes precedence.
    ///   - gate: the gate that judges every state.
    ///   - journalCapacity: the maximum number of entries in the ``journal``.
    ///   - workExecutor: the executor for the work of flows; nil for Swift's own threads for tasks. A front that waits
    ///     for each work anyway can pass an executor that runs on the same thread.
    public init(
        children: [ChildFlow<R>], gate: Gate<R> = Gate(), journalCapacity: Int = 256,
        workExecutor: (any TaskExecutor)? = nil
    ) {
        self.workExecutor = workExecutor
        self.children = children
        self.gate = gate
        self.journal = Journal(capacity: journalCapacity)
        state.own(by: ObjectIdentifier(self))
        state.sections = gate.sections
    }

    deinit {
        for work in works.values { work.task.cancel() }
        for observer in observers { observer.finish() }
    }

    /// The coordinators of the open flows. ``NavigationState/flows`` gives their order.
    public var coordinators: [FlowID: any Coordinator<R>] {
        live.mapValues { $0.coordinator }
    }

    /// Makes several moves as a unit: they are applied in order, and the result is judged and shown once. If a flow
    /// would lose something, its question is shown instead; see ``Coordinator/question(beforeLeaving:)``.
    ///
    /// - Throws: ``NavigationError``. In that case nothing has changed, except after an endless turn, and except that
    ///   an empty stack shows the ``gate``'s home. Inside a handler it does not throw: failures are only recorded in
    ///   the journal.
    public func perform(_ transitions: Transition<R>...) throws(NavigationError) {
        if let failure = run(.moves(transitions))?.failure { throw failure }
    }

    /// Reports an event to the flow of the shown screen. If that screen is no longer on top when the event is handled,
    /// the event is dropped.
    public func send(_ event: R.Event) {
        guard let top = state.top else { return record(.dropped(event.name)) }
        send(event, from: top.id)
    }

    /// Reports an event of a screen. If the screen is not on top, and not in another visible pane, the event is dropped.
    public func send(_ event: R.Event, from frame: FrameID) {
        _ = run(.event(event, .screen(frame)))
    }

    /// Goes back to the screen beneath the top. Leaving the first screen of a flow cancels the flow.
    ///
    /// At the root of a section, ``Gate/backAtRoot`` decides what happens.
    ///
    /// - Returns: true if it went back or a question is shown. False if nothing changed: the frame is the lowest, or a
    ///   flow has a question that cannot be shown, which the ``journal`` records. To avoid that, the flow that asks
    ///   must be declared and admitted by the gate.
    @discardableResult
    public func back() -> Bool {
        let isPossible = state.frames.count > 1 || state.moveAtRoot(gate.backAtRoot) != nil
        return run(.back(to: nil))?.isChanged ?? isPossible
    }

    /// Goes back to a screen in a single move, for a user interface that has already gone back itself.
    ///
    /// - Returns: false, without a change, if the screen is already on top or not on the stack.
    @discardableResult
    public func back(to frame: FrameID) -> Bool {
        let isPossible = state.frames.dropLast().contains { $0.id == frame }
        return run(.back(to: frame))?.isChanged ?? isPossible
    }

    /// Selects a section, as a tap on its tab does. If it is selected already, its stack goes back to the root.
    ///
    /// - Returns: the effect. At the root of the selected section nothing changes, and the front should scroll the screen
    ///   to its top. Within a turn it is nil, because the section is selected after the turn.
    /// - Throws: ``NavigationError``, for example if a modal frame is on top. Then nothing has changed.
    @discardableResult
    public func select(_ section: SectionID) throws(NavigationError) -> Selection? {
        let report = run(.selection(section))
        if let failure = report?.failure { throw failure }
        return report?.selection
    }

    /// The effect of ``select(_:)``.
    public enum Selection: Hashable, Sendable {
        /// The stack of the section is shown, or a flow asks first.
        case shown
        /// The section was selected already. It shows its root, or a flow asks first.
        case wentToRoot
        /// The section was selected already and shows its root. The front should scroll to the top.
        case wasAtRoot
    }

    /// Restores a saved state, as far as the gate admits it. Its flows get new identities and new coordinators, which
    /// recall the saved memories. A flow that is no longer declared is removed with everything above it. If a flow
    /// would lose something, its question is shown instead, as in ``perform(_:)``; ``NavigationState/question`` tells.
    ///
    /// - Throws: ``NavigationError``, for example if even the lowest flow is not declared. In that case nothing has
    ///   changed.
    public func restore(_ state: NavigationState<R>) throws(NavigationError) {
        if let failure = run(.restoration(state))?.failure { throw failure }
    }

    /// Judges the present state again. Call it if the decisions of the gate depend on values that have changed.
    public func reconsider() {
        gateChanged = true
        settle()
    }

    /// Does everything that waits to be done; see ``onPending``.
    public func settle() {
        _ = run(.judging)
    }

    /// The frame to which the user wanted to go back when the question was shown; nil without a question, or if another
    /// move waits for its answer.
    package var heldDestination: FrameID? {
        if case .transitions(let transitions, by: nil)? = held?.move, case .back(let frame)? = transitions.first {
            frame
        } else {
            nil
        }
    }

    /// Whether work is running.
    public var hasWork: Bool { !works.isEmpty }

    /// Whether work of a frame in this section is running.
    public func hasWork(in section: SectionID) -> Bool {
        state.frames(in: section).contains { frame in works.keys.contains { $0.frame == frame.id } }
    }

    /// Waits until all work has finished and everything that it caused is done. It is for a front that shows a single
    /// screen and ends, and for tests.
    public func finishWork() async {
        settle()
        while let work = works.values.first {
            await work.task.value
            settle()
        }
    }

    /// Returns the screen of the frame on top, created by the coordinator of its flow; nil if the stack is empty.
    ///
    /// If the frame on top changes while the screen is created, the result is the screen of the new frame.
    ///
    /// - Throws: the error of the coordinator.
    public func screen() async throws -> R.Screen? {
        while let top = state.top {
            let screen = try await screen(of: top.id)
            if state.top == top { return screen }
        }
        return nil
    }

    /// Returns the screen of a frame of any section, for a user interface that shows more than the frame on top; nil if
    /// the frame is not there.
    ///
    /// - Throws: the error of the coordinator.
    public func screen(of frame: FrameID) async throws -> R.Screen? {
        settlePending(on: #isolation)
        guard let frame = state.frame(frame), let flow = live[frame.flow] else { return nil }
        let outlet = Outlet<R.Event> { [mailbox] event in mailbox.post(event, from: .screen(frame.id)) }
        return try await flow.coordinator.screen(for: frame.route, outlet: outlet)
    }

    /// Returns the entries of the journal from now on. There may be any number of observers, and each receives all
    /// entries. The stream ends with the navigator.
    public func entries() -> AsyncStream<Journal.Entry> {
        let (stream, continuation) = AsyncStream.makeStream(of: Journal.Entry.self)
        observers.append(continuation)
        return stream
    }

    func record(_ entry: Journal.Entry) {
        journal.record(entry)
        if case .rejected(let move, let error) = entry { onRejection?(move, error) }
        onRecord?(entry)
        observers.removeAll { observer in
            if case .terminated = observer.yield(entry) { true } else { false }
        }
    }

    // The requests of flows to their navigator.

    func ask(_ step: Step) {
        if isInTurn {
            steps.append(inPane(step))
        } else {
            if !mailbox.isWatched { record(.waiting(step.words)) }
            enqueue(.step(step))
        }
    }

    /// Returns the step of a coordinator as a step from the pane that it handles.
    private func inPane(_ step: Step) -> Step {
        guard let frame = pane, case .move(let transition, let flow) = step, transition.concernsTop,
            state.frame(frame)?.flow == flow
        else { return step }
        pane = nil
        return .moveInPane(frame, transition, by: flow)
    }

    func enqueue(_ event: R.Event, for flow: FlowID) {
        enqueue(.event(event, .flow(flow)))
    }

    func isRunning(_ name: String, in flow: FlowID) -> Bool {
        // Usually the list of work is empty, so check that first.
        !works.isEmpty
            && state.allFrames.contains { $0.flow == flow && works[Work.Key(frame: $0.id, name: name)] != nil }
    }
}
