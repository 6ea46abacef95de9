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
    /// handler, work has finished, or the gate was set. It may be called on any thread. The owner should then call
    /// ``settle()`` where it runs everything else, as in `{ Task { @MainActor in owner.settle() } }`. Otherwise
    /// it is done before the next move.
    public var onPending: (@Sendable () -> Void)? {
        get { mailbox.wake }
        set { mailbox.wake = newValue }
    }

    /// Called with each refused move, as named in the ``journal``, and the reason.
    ///
    /// If this is nil, a debug build stops at a refused move of a coordinator, because such a move is usually a mistake
    /// that only the journal would show. It does not stop if the coordinator could not know the reason: another flow is
    /// on top, or the gate admits less.
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
    private var completions: [Work.Key: (R) -> Void] = [:]
    // These are slices, because elements are removed from the front.
    private var inbox: ArraySlice<Request> = []
    var steps: ArraySlice<Step> = []
    var trail: [String] = []
    /// The move that waits for the answer to ``NavigationState/question``.
    var held: HeldMove?
    /// The flows that have agreed to leave in the present turn.
    var consent: Set<FlowID> = []
    var gateChanged = false
    /// Whether a turn is running.
    private var isInTurn = false
    /// The frame whose coordinator is being called, if other frames are above it. The coordinator's first move goes back
    /// to this frame.
    private var pane: FrameID?
    /// The number of coordinators that were started.
    private var starts = 0
    private var lastWork = 0
    private let workExecutor: (any TaskExecutor)?
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
            if onPending == nil { record(.waiting(step.words)) }
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
        !works.isEmpty && state.allFrames.contains { $0.flow == flow && works[Work.Key(frame: $0.id, name: name)] != nil }
    }

    // The turns.

    func enqueue(_ request: Request) {
        collect()
        inbox.append(request)
        mailbox.notifyOwner()
    }

    /// Appends the events from other threads to the inbox, in the order of their arrival.
    private func collect() {
        for message in mailbox.removeAll() {
            switch message {
            case .event(let event, let origin): inbox.append(.event(event, origin))
            case .result(let work): inbox.append(.result(work))
            }
        }
    }

    /// Carries out a request, after those that are already waiting.
    ///
    /// - Returns: the result; nil within a turn, because the request is carried out after it.
    private func run(_ request: Request) -> Report? {
        guard !isInTurn else {
            enqueue(request)
            return nil
        }
        isInTurn = true
        mailbox.beginHandling()
        drain()
        let report = handle(request)
        repeat { drain() } while !mailbox.endHandling()
        isInTurn = false
        return report
    }

    private func drain() {
        while true {
            collect()
            if gateChanged {
                // Apply a new gate first, so that the stack is deferred for the user who saw it.
                _ = handle(.judging)
            } else if !steps.isEmpty {
                // This request was made after a turn, for example by an observer of the change.
                _ = handle(.step(steps.dequeue()))
            } else if !inbox.isEmpty {
                _ = handle(inbox.dequeue())
            } else {
                return
            }
        }
    }

    /// Runs a turn.
    private func handle(_ request: Request) -> Report {
        let before = state
        let startsBefore = starts
        trail = before.top.map { [$0.route.path] } ?? []
        var report = Report()
        var taken: (from: String, event: String)?
        var isDelivered = false
        switch request {
        case .judging:
            break
        case .step(let step):
            execute(step)
        case .moves(let transitions):
            report.failure = attempt(.transitions(transitions, by: nil))
        case .restoration(let saved):
            report.failure = restoring(saved)
        case .selection(let section):
            let isAgain = state.section == section && state.ownFrames.count == state.frames.count
            report.selection = !isAgain ? .shown : state.frames.count > 1 ? .wentToRoot : .wasAtRoot
            report.failure = attempt(.transitions([isAgain ? .popToRoot : .select(section)], by: nil))
        case .back(let frame):
            guard let top = state.top else { break }
            if let goal = state.frames.dropLast().last(where: { $0.id == frame ?? $0.id }) {
                record(.event(name: FlowGraph.Edge.back, path: top.route.path))
                taken = (top.route.screenName, FlowGraph.Edge.back)
                report.failure = attempt(.transitions([.back(goal.id)], by: nil))
            } else if frame == nil, let move = state.moveAtRoot(gate.backAtRoot) {
                record(.event(name: FlowGraph.Edge.back, path: top.route.path))
                report.failure = attempt(.transitions([move], by: nil))
            }
        case .event(let event, let origin):
            (taken, isDelivered) = deliver(event.name, from: origin) { $0.eventOccurred(event, in: $1) }
        case .result(let work):
            let completion = completions[work.key]
            (taken, isDelivered) = deliver(work.key.name, from: .work(work, isDone: true)) {
                completion?($1)
            }
        case .agreedEvent(let event, let flow, let agreed):
            consent = agreed
            (taken, isDelivered) = deliver(event.name, from: .flow(flow)) { $0.eventOccurred(event, in: $1) }
        }

        let endless = followUp()
        consent = []
        if let taken, let top = state.top {
            record(.led(.init(taken.from, taken.event, top.route.screenName)))
        }
        report.failure = report.failure ?? endless
        report.isChanged = state != before
        if report.isChanged || isDelivered || starts != startsBefore { onChange?(state) }
        return report
    }

    /// Calls the coordinator with an event or a result, or drops it.
    ///
    /// - Returns: the screen that reported the event (only if it is visible) and the name of the event; and whether a
    ///   coordinator was called.
    private func deliver(
        _ name: String, from origin: EventOrigin, _ handle: (any Coordinator<R>, R) -> Void
    ) -> (taken: (from: String, event: String)?, isDelivered: Bool) {
        guard let frame = frame(of: origin), let flow = live[frame.flow] else {
            record(.dropped(name))
            return (nil, false)
        }
        record(.event(name: name, path: frame.route.path))
        let taken = state.isActive(frame.id, at: widthClass) ? (frame.route.screenName, name) : nil
        if case .screen = origin, frame != state.top { pane = frame.id }
        handle(flow.coordinator, frame.route)
        pane = nil
        remember()
        return (taken, true)
    }

    /// Returns the frame that may still receive an event of this origin; nil if the event must be dropped.
    private func frame(of origin: EventOrigin) -> NavigationState<R>.Frame? {
        switch origin {
        case .screen(let frame): return state.isActive(frame, at: widthClass) ? state.frame(frame) : nil
        case .flow(let flow): return state.topFrame(of: flow)
        case .work(let work, let isDone):
            guard works[work.key]?.id == work else { return nil }
            if isDone { (works[work.key], completions[work.key]) = (nil, nil) }
            return state.frame(work.key.frame)
        }
    }

    /// Stores the memories of the coordinators in the state, so that they are saved and survive while the screens are
    /// deferred.
    func remember() {
        guard R.Memory.self != Never.self else { return }
        for (id, flow) in live {
            let memory = flow.coordinator.memory
            if state.memories[id] != memory { state.memories[id] = memory }
        }
    }

    /// Carries out everything that the turn has caused, until nothing is left to do.
    private func followUp() -> NavigationError? {
        var count = 0
        while count < 1000 {
            count += 1
            if !steps.isEmpty {
                let step = steps.dequeue()
                if step.cannotLoop { count -= 1 }
                execute(step)
            } else if gateChanged {
                judgeAgain()
            } else if let frame = frameToStart, let flow = live[frame.flow] {
                live[frame.flow]?.isStarted = true
                starts += 1
                record(.started(flow.child.kind))
                if frame != state.top { pane = frame.id }
                flow.coordinator.start()
                pane = nil
                remember()
            } else {
                return nil
            }
        }
        if gateChanged { close() }
        steps = []
        let circleStart = trail.dropLast().lastIndex { $0 == trail.last }
        let error = NavigationError.endlessTurn(circle: circleStart.map { Array(trail[$0...]) } ?? trail.suffix(10))
        record(.rejected("turn", error))
        return error
    }

    /// The visible frame whose flow must be started next: the frame on top, then those of the panes, from the right.
    private var frameToStart: NavigationState<R>.Frame? {
        func mustStart(_ frame: NavigationState<R>.Frame) -> Bool { live[frame.flow].map { !$0.isStarted } ?? false }
        if let top = state.top, mustStart(top) { return top }
        return widthClass == .compact ? nil : state.panes(for: widthClass).active.last(where: mustStart)
    }

    private func refused(_ move: String, _ error: NavigationError) {
        if case .questionNotAdmitted = error { return }
        assert(onRejection != nil, "\(move) was refused: \(error) Set onRejection to continue after such a mistake.")
    }

    private func execute(_ step: Step) {
        switch step {
        case .move(let transition, let flow):
            guard let mover = live[flow] else { return record(.dropped(transition.description)) }
            if transition.concernsTop, state.top?.flow != flow {
                return record(.rejected(transition.description, .rejected(.notOnTop(mover.child.kind))))
            }
            if let error = attempt(.transitions([transition], by: flow)) { refused(transition.description, error) }
        case .moveInPane(let pane, let transition, let flow):
            guard live[flow] != nil, state.frames.contains(where: { $0.id == pane }) else {
                return record(.dropped(transition.description))
            }
            let move: Move = .transitions(
                transition.keepsDetail(isOnTop: state.top?.flow == flow) ? [transition] : [.back(pane), transition],
                by: flow)
            if let error = attempt(move) { refused(move.words, error) }
        case .end(let flow, let end, let transitionsAfterEnd):
            guard live[flow] != nil, let without = try? state.applying(.end(flow)) else {
                return record(.dropped("end \(flow)"))
            }
            let answered = state.question == flow && end == .finished ? held : nil
            live[flow]?.end = end
            let transitions = transitionsAfterEnd()
            // The flow beneath may have changed its memory because of the end. Store it now, because its screens may be
            // deferred at once.
            remember()
            let next = (try? state.applying(.end(flow))) ?? without
            if adopt(following(transitions, from: next), for: "end \(flow)") != nil {
                _ = adopt(next, for: "end \(flow)")
            }
            if let answered { steps.append(.resume(answered.move, agreed: answered.agreed)) }
        case .follow(let transitions):
            _ = adopt(following(transitions, from: state), for: "\(transitions)")
        case .leave(let flow, let event):
            guard live[flow] != nil else { return record(.dropped(event.name)) }
            _ = attempt(.leaving(flow, then: event))
        case .resume(.restoration(let saved), let agreed):
            _ = restoring(saved, agreed: agreed)
        case .resume(let move, let agreed):
            _ = attempt(move, agreed: agreed)
        case .run(let name, let job, let flow):
            guard let frame = state.topFrame(of: flow) else { return record(.dropped(name)) }
            begin(job, as: Work.Key(frame: frame.id, name: name))
        case .stop(let name, let flow):
            for frame in state.allFrames where frame.flow == flow { stop(Work.Key(frame: frame.id, name: name)) }
        }
    }

    // Work.

    private func begin(_ job: Job, as key: Work.Key) {
        stop(key)
        lastWork += 1
        let id = Work.ID(key: key, number: lastWork)
        let outlet = Outlet<R.Event> { [mailbox] event in mailbox.post(event, from: .work(id, isDone: false)) }
        let task: Task<Void, Never>
        switch job {
        case .reporting(let work):
            task = Task(executorPreference: workExecutor) { [mailbox] in
                mailbox.post(await work(outlet), from: .work(id, isDone: true))
            }
        case .completing(let work, let completion):
            completions[key] = completion
            task = Task(executorPreference: workExecutor) { [mailbox] in
                await work(outlet)
                mailbox.post(.result(id))
            }
        }
        works[key] = Work(id: id, task: task)
    }

    func stop(_ key: Work.Key) {
        completions[key] = nil
        works.removeValue(forKey: key)?.task.cancel()
    }
}

extension ArraySlice {
    /// Removes the first element. The storage of a slice holds removed elements, so an empty one is replaced.
    fileprivate mutating func dequeue() -> Element {
        let first = removeFirst()
        if isEmpty { self = [] }
        return first
    }
}

extension Transition {
    /// Whether the move is relative to the frame on top. Only the flow that owns that frame may make such a move.
    fileprivate var concernsTop: Bool {
        switch self {
        case .push, .present, .begin, .replace, .pop, .popToRoot: true
        case .dismiss, .back, .show, .end, .select, .selectPrevious, .move: false
        }
    }

    /// Whether a flow in a list may make the move and the detail stays: its modal screens cover both.
    fileprivate func keepsDetail(isOnTop: Bool) -> Bool {
        switch self {
        case .begin(_, modal: true): true
        case .present: isOnTop
        default: false
        }
    }
}
