// The turns of a navigator: each request with everything that it causes.
extension Navigator {
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
    func run(_ request: Request) -> Report? {
        guard !isInTurn else {
            enqueue(request)
            return nil
        }
        isInTurn = true
        mailbox.beginHandling()
        collect()
        if !isFirstMove(request) { drain() }
        let report = handle(request)
        repeat { drain() } while !mailbox.endHandling()
        isInTurn = false
        return report
    }

    /// Whether the request shows something on a stack that nobody has seen. The gate judges the result, so its home need not
    /// be shown before.
    private func isFirstMove(_ request: Request) -> Bool {
        guard state.allFrames.isEmpty, steps.isEmpty, inbox.isEmpty else { return false }
        switch request {
        case .moves(let transitions): return transitions.allSatisfy { if case .show = $0 { true } else { false } }
        case .restoration: return true
        default: return false
        }
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
                let request = inbox.dequeue()
                if let error = handle(request).failure { refused(request.words, error) }
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

    /// Stops a debug build, because nobody receives the error of this move.
    func refused(_ move: String, _ error: NavigationError) {
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
            if let error = adopt(following(transitions, from: next), for: "end \(flow)") {
                refused("end \(flow)", error)
                _ = adopt(next, for: "end \(flow)")
            }
            if let answered { steps.append(.resume(answered.move, agreed: answered.agreed)) }
        case .follow(let transitions):
            if let error = adopt(following(transitions, from: state), for: "\(transitions)") {
                refused(step.words, error)
            }
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

    private func begin(_ job: Job<R>, as key: Work.Key) {
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
    var concernsTop: Bool {
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

// The default of ``Navigator/onPending``.
extension Navigator {
    /// Lets the navigator settle itself on an actor when something is pending.
    ///
    /// The navigator is not `Sendable`, so all its callers run on this actor, unless it was sent to another. Then the
    /// next screen changes the actor.
    func settlePending(on actor: (any Actor)?) {
        guard actor !== home else { return }
        home = actor
        guard let actor else { return mailbox.setDefaultWake(nil) }
        let owned = Owned(navigator: self, actor: actor)
        mailbox.setDefaultWake { owned.settle() }
    }
}

/// A navigator, and the actor that it runs on. Only that actor uses the navigator, so it is safe to send both.
private struct Owned<R: Route>: @unchecked Sendable {
    weak let navigator: Navigator<R>?
    weak let actor: (any Actor)?

    func settle() {
        Task {
            guard let actor else { return }
            await settle(on: actor)
        }
    }

    private func settle(on _: isolated any Actor) async { navigator?.settle() }
}
