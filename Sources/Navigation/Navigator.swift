/// Holds the state of navigation, and the coordinators that state needs.
///
/// Every move takes one path: a new state is proposed, judged by the ``gate``, and assigned once. Then coordinators are
/// created for flows that have opened and released for flows that have no frame any more, the topmost first. The
/// navigator is their only owner, so a coordinator lives exactly as long as its flow is on the stack.
///
/// ## Time
///
/// An event, a move, or a restoration, with all it causes, is a *turn*. Requests of handlers to their ``Flow`` are carried out after
/// they return, in order, within the turn; ends of flows are told, and coordinators whose first screen is about to show
/// are started, until nothing is left to do. Then ``onChange`` is called. Events sent during a turn are handled
/// after it, each in a turn of its own, in the order they were sent, whoever sent them. Coordinators that send each
/// other on in a circle are stopped after 1,000 steps; see ``NavigationError/endlessTurn(circle:)``.
///
/// Each `async` method returns when what it asked for is done, also where another turn was running and it had to wait
/// for that. Called by a handler, in its own task, it cannot wait for the handler's end: it returns at once and is done
/// after it. A handler does not wait for another task that calls one: each would wait for the other.
///
/// Work that flows have begun with ``Flow/run(_:_:)`` goes on between turns. Each result is a turn of its own.
///
/// ## Isolation
///
/// A navigator is not `Sendable` and names no actor. Its owner decides where it runs, and its coordinators run
/// there too: the main actor of an application, an actor for each web session, the task of a test.
public final class Navigator<R: Route> {
    /// The judged state of the stack. ``coordinators`` always match it.
    public internal(set) var state = NavigationState<R>()

    /// The journal of events and moves.
    public private(set) var journal: Journal

    /// Judges every state. Setting it has the present state judged again: in the turn that runs, else before the next
    /// one, or when the owner settles; see ``onPending``.
    public var gate: Gate<R> {
        didSet {
            gateChanged = true
            mailbox.ring()
        }
    }

    /// Called at the end of each turn that changed the state or told a coordinator something: what is shown may be
    /// another.
    public var onChange: ((NavigationState<R>) -> Void)?

    /// Called when there is something to do and no turn runs to do it: an ``Outlet`` or a ``Flow`` was used from outside
    /// a handler, work is done, or the gate was set. It may be called on any thread. The owner answers by running
    /// ``settle()`` where it runs everything else, as in `{ Task { @MainActor in await owner.settle() } }`. Without an
    /// answer, it is done before the next move.
    public var onPending: (@Sendable () -> Void)? {
        get { mailbox.wake }
        set { mailbox.wake = newValue }
    }

    /// Called with each refused move, in the words of the ``journal``, and the reason.
    ///
    /// If this is nil, a debug build stops at a refused move of a coordinator, since only the journal would report that mistake. It does
    /// not stop if the reason may be a change that the coordinator could not know: another flow is on top, or the gate admits less.
    public var onRejection: ((_ move: String, NavigationError) -> Void)?

    /// Told of each entry of the journal, also of those that it will not keep.
    package var onRecord: ((Journal.Entry) -> Void)?

    /// Told of each coordinator that is made, also of one that is released within the turn.
    package var onOpen: ((FlowID, FlowKind, any Coordinator<R>) -> Void)?

    let children: [ChildFlow<R>]
    let mailbox = Mailbox<R>()
    var live: [FlowID: Live] = [:]
    var works: [Work.Key: Work] = [:]
    // Slices, because what is done first is taken from the front.
    var inbox: ArraySlice<Item> = []
    var steps: ArraySlice<Step> = []
    var trail: [String] = []
    /// The move that waits for the answer to ``NavigationState/question``.
    var held: Held?
    /// The flows that have agreed to leave in the turn that runs.
    var consent: Set<FlowID> = []
    var gateChanged = false
    /// The task that runs a turn.
    var turn: Int?
    private var lastWork = 0
    private let workExecutor: (any TaskExecutor)?
    private var observers: [AsyncStream<Journal.Entry>.Continuation] = []

    /// Creates a navigator with an empty stack. Show something with ``perform(_:)``, ``restore(_:)``, or, for
    /// the gate's home, ``reconsider()``.
    ///
    /// - Parameters:
    ///   - children: The flows that any flow may begin. A flow that is declared nearer, by the coordinator of a flow
    ///     beneath, goes before these.
    ///   - gate: The gate that judges every state.
    ///   - journalCapacity: How many entries the ``journal`` keeps.
    ///   - workExecutor: The executor of the work of flows; nil for the threads that Swift keeps for tasks. An executor that runs on the
    ///     thread that enqueues suits a front that waits for each work anyway.
    public init(
        children: [ChildFlow<R>], gate: Gate<R> = Gate(), journalCapacity: Int = 256,
        workExecutor: (any TaskExecutor)? = nil
    ) {
        self.workExecutor = workExecutor
        self.children = children
        self.gate = gate
        self.journal = Journal(capacity: journalCapacity)
        state.own(by: ObjectIdentifier(self))
    }

    deinit {
        for work in works.values { work.task.cancel() }
        for observer in observers { observer.finish() }
    }

    /// The coordinators of the open flows. How flows lie on each other is told by ``NavigationState/flows``.
    public var coordinators: [FlowID: any Coordinator<R>] {
        live.mapValues { $0.coordinator }
    }

    /// Makes moves as one: they are applied in order, and their result is judged and shown once. If a flow
    /// would lose something by them, its question is shown instead; see ``Coordinator/question(beforeLeaving:)``.
    ///
    /// - Throws: ``NavigationError``. Unless the error is that of an endless turn, nothing changed, but that an empty stack shows the
    ///   home of the ``gate``. From inside a
    ///   handler nothing is thrown: what fails is only journaled.
    public func perform(_ transitions: Transition<R>...) async throws(NavigationError) {
        if let failure = await run(.moves(transitions))?.failure { throw failure }
    }

    /// Reports an event to the flow of the screen that is shown. Where that is not on top any more when the event's
    /// turn comes, the event is dropped.
    public func send(_ event: R.Event) async {
        guard let top = state.top else { return record(.dropped(event.name)) }
        await send(event, from: top.id)
    }

    /// Reports an event of a screen. Unless it is on top, the event is dropped.
    public func send(_ event: R.Event, from frame: FrameID) async {
        _ = await run(.event(event, .screen(frame)))
    }

    /// Goes back: to the screen beneath the one on top. Leaving the first screen of a flow cancels the flow.
    ///
    /// - Returns: True where it went back or a question is shown. False, having done nothing, at the lowest frame, and
    ///   where a flow has a question that cannot be shown, which the ``journal`` says; a flow that asks is declared, and
    ///   admitted by the gate, wherever it may be asked for.
    @discardableResult
    public func back() async -> Bool {
        let isPossible = state.frames.count > 1
        return await run(.back(to: nil))?.isChanged ?? isPossible
    }

    /// Goes back to a screen in one move, for a user interface that has gone back by itself.
    ///
    /// - Returns: False, having done nothing, where it is on top already or not on the stack.
    @discardableResult
    public func back(to frame: FrameID) async -> Bool {
        let isPossible = state.frames.dropLast().contains { $0.id == frame }
        return await run(.back(to: frame))?.isChanged ?? isPossible
    }

    /// Shows a saved state, as far as the gate admits it. Its flows get new identities, and new coordinators, which
    /// recall what theirs kept. A flow that is not declared any more gives way to what is beneath it. Where a flow would
    /// lose something, its question is shown instead, as by ``perform(_:)``; ``NavigationState/question`` tells.
    ///
    /// - Throws: ``NavigationError``, for instance where not even the lowest flow is declared; then nothing changed.
    public func restore(_ state: NavigationState<R>) async throws(NavigationError) {
        if let failure = await run(.restoration(state))?.failure { throw failure }
    }

    /// Judges the present state again: what the gate admits may depend on more than the gate's own values.
    public func reconsider() async {
        gateChanged = true
        await settle()
    }

    /// Does what is waiting to be done; see ``onPending``.
    public func settle() async {
        _ = await run(.judging)
    }

    /// Whether work is in flight.
    public var hasWork: Bool { !works.isEmpty }

    /// Waits until no work is in flight and all that it has caused is done: for a front that shows one screen and ends,
    /// and for tests. Called from inside a handler it does nothing.
    public func finishWork() async {
        guard !isInsideTurn else { return }
        await settle()
        while let work = works.values.first {
            await work.task.value
            await settle()
        }
    }

    /// What to show: the screen of the frame on top, from the coordinator of its flow. Nil when the stack is empty.
    ///
    /// Where the frame on top changes while its screen is being made, the screen of the new one is returned.
    ///
    /// - Throws: The error of the coordinator.
    public func screen() async throws -> R.Screen? {
        while let top = state.top {
            let screen = try await screen(of: top.id)
            if state.top == top { return screen }
        }
        return nil
    }

    /// The screen of one frame, for a user interface that shows more than the one on top. Nil when it is not on the stack.
    ///
    /// - Throws: The error of the coordinator.
    public func screen(of frame: FrameID) async throws -> R.Screen? {
        guard let frame = state.frames.first(where: { $0.id == frame }), let flow = live[frame.flow] else { return nil }
        let outlet = Outlet<R.Event> { [mailbox] event in mailbox.post(event, from: .screen(frame.id)) }
        return try await flow.coordinator.screen(for: frame.route, outlet: outlet)
    }

    /// Entries of the journal from now on, for as many observers as like to, each of which gets all. The stream ends with
    /// the navigator.
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

    // How flows speak to their navigator.

    func ask(_ step: Step) {
        if turn != nil {
            steps.append(step)
        } else {
            if onPending == nil { record(.waiting(step.words)) }
            enqueue(.step(step))
        }
    }

    func enqueue(_ event: R.Event, for flow: FlowID) {
        enqueue(.event(event, .flow(flow)))
    }

    func isRunning(_ name: String, in flow: FlowID) -> Bool {
        // Mostly there is none.
        !works.isEmpty && state.frames.contains { $0.flow == flow && works[Work.Key(frame: $0.id, name: name)] != nil }
    }

    // Turns.

    func enqueue(_ request: Request, asker: CheckedContinuation<Report, Never>? = nil) {
        collect()
        inbox.append(Item(request: request, asker: asker))
        mailbox.ring()
    }

    /// Brings what has come from outside into its place among the rest.
    private func collect() {
        for letter in mailbox.take() {
            inbox.append(Item(request: .event(letter.event, letter.origin)))
        }
    }

    /// Whether the turn that runs waits for the caller, which then cannot wait for the turn: they are one task.
    private var isInsideTurn: Bool { turn != nil && turn == Self.presentTask }

    private static var presentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Has a request done, after what waits already.
    ///
    /// - Returns: The result; nil from inside a handler, where the request waits until the handler is done.
    private func run(_ request: Request) async -> Report? {
        if isInsideTurn {
            enqueue(request)
            return nil
        }
        guard turn == nil else {
            return await withCheckedContinuation { enqueue(request, asker: $0) }
        }
        turn = Self.presentTask
        mailbox.attend()
        await drain()
        let report = await take(request)
        repeat { await drain() } while !mailbox.leave()
        turn = nil
        return report
    }

    private func drain() async {
        while true {
            collect()
            if gateChanged {
                // A new gate goes first, so that what the old one showed is deferred in the name of who saw it.
                _ = await take(.judging)
            } else if !steps.isEmpty {
                // A request that was made after the turn, as by an observer of the change.
                _ = await take(.step(steps.removeFirst()))
            } else if !inbox.isEmpty {
                let item = inbox.removeFirst()
                let report = await take(item.request)
                item.asker?.resume(returning: report)
            } else {
                return
            }
        }
    }

    /// Runs a turn.
    private func take(_ request: Request) async -> Report {
        let before = state
        trail = before.top.map { [$0.route.path] } ?? []
        var report = Report()
        var taken: (from: String, event: String)?
        var isTold = false
        switch request {
        case .judging:
            break
        case .step(let step):
            take(step)
        case .moves(let transitions):
            report.failure = attempt(.transitions(transitions, by: nil))
        case .restoration(let saved):
            report.failure = restoring(saved)
        case .back(let frame):
            guard let top = state.top, let goal = state.frames.dropLast().last(where: { $0.id == frame ?? $0.id })
            else { break }
            record(.event(name: FlowGraph.Edge.back, path: top.route.path))
            taken = (top.route.screenName, FlowGraph.Edge.back)
            report.failure = attempt(.transitions([.back(goal.id)], by: nil))
        case .event(let event, let origin):
            (taken, isTold) = await tell(event, from: origin)
        case .agreedEvent(let event, let flow, let agreed):
            consent = agreed
            (taken, isTold) = await tell(event, from: .flow(flow))
        }

        let endless = await followUp()
        consent = []
        if let taken, let top = state.top {
            record(.led(.init(taken.from, taken.event, top.route.screenName)))
        }
        report.failure = report.failure ?? endless
        report.isChanged = state != before
        if report.isChanged || isTold { onChange?(state) }
        return report
    }

    /// Tells a coordinator of an event, or drops the event.
    ///
    /// - Returns: The screen that the event led from, if that is on top, and the event; whether a coordinator was told.
    private func tell(
        _ event: R.Event, from origin: EventOrigin
    ) async -> (taken: (from: String, event: String)?, isTold: Bool) {
        let name = event.name
        guard let frame = frame(of: origin), let flow = live[frame.flow] else {
            record(.dropped(name))
            return (nil, false)
        }
        record(.event(name: name, path: frame.route.path))
        let taken = state.top == frame ? (frame.route.screenName, name) : nil
        await flow.coordinator.eventOccurred(event, in: frame.route)
        remember()
        return (taken, true)
    }

    /// The frame that an event of this origin may still be told about.
    private func frame(of origin: EventOrigin) -> NavigationState<R>.Frame? {
        switch origin {
        case .screen(let frame): return state.top.flatMap { $0.id == frame ? $0 : nil }
        case .flow(let flow): return state.frames.last { $0.flow == flow }
        case .work(let work, let isDone):
            guard works[work.key]?.id == work else { return nil }
            if isDone { works[work.key] = nil }
            return state.frames.first { $0.id == work.key.frame }
        }
    }

    /// Keeps what coordinators want kept, where the state is saved or their screens leave.
    func remember() {
        guard R.Memory.self != Never.self else { return }
        for (id, flow) in live {
            let memory = flow.coordinator.memory
            if state.memories[id] != memory { state.memories[id] = memory }
        }
    }

    /// Does what the turn has caused, until nothing is left to do.
    private func followUp() async -> NavigationError? {
        var count = 0
        while count < 1000 {
            count += 1
            if !steps.isEmpty {
                let step = steps.removeFirst()
                if step.movesNothing { count -= 1 }
                take(step)
            } else if gateChanged {
                judgeAgain()
            } else if let top = state.top, let flow = live[top.flow], !flow.isStarted {
                live[top.flow]?.isStarted = true
                record(.started(flow.child.kind))
                await flow.coordinator.start()
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

    private func refused(_ move: String, _ error: NavigationError) {
        if case .questionNotAdmitted = error { return }
        assert(onRejection != nil, "\(move) was refused: \(error) Set onRejection to continue after such a mistake.")
    }

    private func take(_ step: Step) {
        switch step {
        case .move(let transition, let flow):
            guard let mover = live[flow] else { return record(.dropped(transition.description)) }
            if transition.concernsTop, state.top?.flow != flow {
                return record(.rejected(transition.description, .rejected(.notOnTop(mover.child.kind))))
            }
            if let error = attempt(.transitions([transition], by: flow)) { refused(transition.description, error) }
        case .end(let flow, let end, let whereTo):
            guard live[flow] != nil, let without = try? state.applying(.end(flow)) else {
                return record(.dropped("end \(flow)"))
            }
            let answered = state.question == flow && end == .finished ? held : nil
            live[flow]?.end = end
            let transitions = whereTo()
            // The flow beneath may have learned something from the end: save it, even if its screens are deferred at once.
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
        case .run(let name, let work, let flow):
            guard let frame = state.frames.last(where: { $0.flow == flow }) else { return record(.dropped(name)) }
            begin(work, as: Work.Key(frame: frame.id, name: name))
        case .stop(let name, let flow):
            for frame in state.frames where frame.flow == flow { stop(Work.Key(frame: frame.id, name: name)) }
        }
    }

    // Work.

    private func begin(_ work: @escaping @Sendable (Outlet<R.Event>) async -> R.Event, as key: Work.Key) {
        stop(key)
        lastWork += 1
        let id = Work.ID(key: key, number: lastWork)
        let outlet = Outlet<R.Event> { [mailbox] event in mailbox.post(event, from: .work(id, isDone: false)) }
        let task = Task(executorPreference: workExecutor) { [mailbox] in
            mailbox.post(await work(outlet), from: .work(id, isDone: true))
        }
        works[key] = Work(id: id, task: task)
    }

    func stop(_ key: Work.Key) {
        works.removeValue(forKey: key)?.task.cancel()
    }
}

extension Transition {
    /// Whether the move is relative to the frame on top, and so is made only by the flow that owns it.
    fileprivate var concernsTop: Bool {
        switch self {
        case .push, .present, .begin, .replace, .pop, .popToRoot: true
        case .dismiss, .back, .show, .end: false
        }
    }
}
