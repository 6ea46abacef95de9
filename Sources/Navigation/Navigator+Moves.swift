// Every change of the state takes the same way: it is proposed, the flows that would lose something are asked, the gate
// judges it, and it is assigned.
extension Navigator {
    /// Makes a move, or shows the question of a flow that would lose something by the move.
    func attempt(_ move: Move, agreed: Set<FlowID> = []) -> NavigationError? {
        let proposed: NavigationState<R>
        var mover: FlowID?
        switch move {
        case .transitions(let transitions, let flow):
            mover = flow
            do throws(TransitionError) {
                proposed = try state.applying(transitions)
            } catch {
                record(.rejected(move.words, .rejected(error)))
                return .rejected(error)
            }
        case .restoration(let saved):
            proposed = saved.renumbered(after: state)
        case .leaving(let flow, let event):
            if let question = objection(to: [], by: nil, agreed: agreed) {
                return ask(question, before: move, agreed: agreed)
            }
            enqueue(.agreedEvent(event, flow, agreed))
            return nil
        }
        let judged = judged(proposed)
        if let question = objection(to: judged.allFrames, by: mover, agreed: agreed) {
            return ask(question, before: move, agreed: agreed)
        }
        return adopt(proposed, judged: judged, for: move.words)
    }

    /// Returns the question of the topmost flow, in any section, that would lose something if only `frames` stayed.
    private func objection(
        to frames: [NavigationState<R>.Frame], by mover: FlowID?, agreed: Set<FlowID>
    ) -> (place: R, flow: FlowID)? {
        let kept = Set(frames.map { $0.id })
        var leaving = state.allFrames.filter { !kept.contains($0.id) }[...]
        while let flow = leaving.last?.flow {
            let places = leaving.reversed().prefix { $0.flow == flow }.reversed().map { $0.route }
            leaving = leaving.dropLast(places.count)
            if flow != mover, !agreed.contains(flow), !consent.contains(flow),
                let question = live[flow]?.coordinator.question(beforeLeaving: places)
            {
                return (question, flow)
            }
        }
        return nil
    }

    /// Shows a question on top and holds the move back. It replaces an earlier question. If the question cannot be
    /// shown, the move is refused.
    private func ask(
        _ question: (place: R, flow: FlowID), before move: Move, agreed: Set<FlowID>
    ) -> NavigationError? {
        record(.held(move.words))
        var asking = state.answered
        let flow = asking.openFlow()
        // The lowest frame is not modal. The stack is empty if only a flow of another section asks.
        asking.append(question.place, in: flow, modal: !asking.frames.isEmpty)
        asking.question = flow
        if let failure = adopt(asking, asker: question.flow, for: "ask \(question.place.path)") { return failure }
        guard state.question == flow else {
            let error = NavigationError.questionNotAdmitted(path: question.place.path)
            record(.rejected(move.words, error))
            return error
        }
        held = HeldMove(question: flow, move: move, agreed: agreed.union([question.flow]))
        return nil
    }

    /// Restores a saved state. Flows that are no longer declared are removed with everything above them in their section.
    func restoring(_ saved: NavigationState<R>, agreed: Set<FlowID> = []) -> NavigationError? {
        var saved = saved
        while true {
            let failure = attempt(.restoration(saved), agreed: agreed)
            guard case .undeclaredFlow(let kind, let path)? = failure,
                let first = saved.allFrames.last(where: { $0.route.flow == kind && $0.route.path == path }),
                saved.section != nil || first.id != saved.frames.first?.id
            else { return failure }
            saved.cut(from: first.id)
        }
    }

    /// Returns the state after all possible transitions. Impossible transitions are recorded in the journal and
    /// skipped.
    func following(_ transitions: [Transition<R>], from start: NavigationState<R>) -> NavigationState<R> {
        transitions.reduce(start) { state, transition in
            do throws(TransitionError) {
                return try state.applying(transition)
            } catch {
                record(.rejected(transition.description, .rejected(error)))
                refused(transition.description, .rejected(error))
                return state
            }
        }
    }

    private func judged(_ proposed: NavigationState<R>) -> NavigationState<R> {
        gate.judging(proposed).keeping(state, besides: proposed)
    }

    func judgeAgain() {
        if adopt(state, for: "judge") != nil { close() }
    }

    /// Empties the stack. This is the last resort if the state cannot be judged, because frames that are not admitted
    /// must not stay.
    func close() {
        var closed = state
        closed.removeAllFrames()
        closed.deferred = nil
        closed.subject = gate.subject
        closed.tidy()
        assign(closed, wanted: state, opening: [:])
        gateChanged = false
    }

    /// Judges a state, creates the coordinators that it needs, and makes it the present state. If that fails, nothing
    /// changes and the error is returned.
    ///
    /// - Parameter asker: the flow whose question the state shows. It may be in any section, and it or a flow beneath it
    ///   may declare the question.
    func adopt(
        _ proposed: NavigationState<R>, judged: NavigationState<R>? = nil, asker: FlowID? = nil,
        for what: @autoclosure () -> String
    ) -> NavigationError? {
        gateChanged = false
        let judged = judged ?? self.judged(proposed)
        guard judged != state else { return nil }
        do throws(NavigationError) {
            assign(judged, wanted: proposed, opening: try open(judged, asker: asker))
            return nil
        } catch {
            gateChanged = true
            // Coordinators were created with these identities and may still send events, so do not use the identities
            // again.
            state.count(after: judged)
            record(.rejected(what(), error))
            guard proposed.deferred != nil, judged.deferred != proposed.deferred else { return error }
            // The deferred target cannot be opened, neither now nor behind another entrance. Forget it; otherwise it
            // would block every further move.
            var forgetting = proposed
            forgetting.count(after: judged)
            forgetting.deferred = nil
            return adopt(forgetting, for: what())
        }
    }

    /// Assigns the state, releases the coordinators of flows that have ended, and calls the handlers for their ends.
    ///
    /// - Parameter wanted: the state before it was judged. Flows of it that are missing from the next state were
    ///   barred.
    private func assign(_ next: NavigationState<R>, wanted: NavigationState<R>, opening opened: [FlowID: OpenFlow]) {
        let previous = state
        state = next
        live.merge(opened) { old, _ in old }
        if let section = next.section, section != previous.section { record(.selected(section)) }
        if next.frames != previous.frames {
            record(.transition(before: previous.frames.map { $0.route.path }, after: next.frames.map { $0.route.path }))
            trail.append(next.top?.route.path ?? "nothing")
        }
        if !(next.parked.isEmpty && previous.parked.isEmpty) { recordChanges(behind: next, since: previous) }
        let frames = Set(next.allFrames.map { $0.id })
        for key in works.keys where !frames.contains(key.frame) { stop(key) }
        let open = Set(next.flows.map { $0.id })
        let wanted = Set(wanted.flows.map { $0.id })
        if let asked = held?.question, !open.contains(asked) { held = nil }
        var cancelled: [(child: ChildFlow<R>, reason: Cancellation)] = []
        for flow in previous.flows.reversed() where !open.contains(flow.id) {
            guard let gone = live.removeValue(forKey: flow.id) else { continue }
            record(.ended(flow.kind, gone.end ?? .cancelled))
            // If the flow beneath was removed too, it cannot handle the end of this flow, so do not call the handler.
            if gone.end == nil, flow.parent.map(open.contains) ?? true {
                cancelled.append((gone.child, wanted.contains(flow.id) ? .barred : .left))
            }
        }
        // Flows may have ended in several sections, so call the handlers when all of them are released.
        for (child, reason) in cancelled {
            let transitionsAfterEnd = child.cancelled(reason)
            remember()
            if !transitionsAfterEnd.isEmpty { steps.append(.follow(transitionsAfterEnd)) }
        }
    }

    /// Records the stacks that have changed in sections that are not selected.
    private func recordChanges(behind next: NavigationState<R>, since previous: NavigationState<R>) {
        let sections = Set((next.parked + previous.parked).map { $0.section }).subtracting(
            [next.section].compactMap { $0 })
        for section in sections.sorted(by: { $0.name < $1.name }) {
            let (before, after) = (previous.frames(in: section), next.frames(in: section))
            if before != after {
                record(
                    .sectionChanged(section, before: before.map { $0.route.path }, after: after.map { $0.route.path }))
            }
        }
    }

    /// Creates the coordinators of flows that are not open yet, lowest first, because a flow may be declared by a
    /// coordinator that was just created.
    private func open(
        _ next: NavigationState<R>, asker: FlowID?
    ) throws(NavigationError) -> [FlowID: OpenFlow] {
        var opened: [FlowID: OpenFlow] = [:]
        var beneath: [any Coordinator<R>] = []
        for flow in next.flows {
            if flow.parent == nil { beneath = [] }
            if let asker, flow.id == next.question { beneath += ancestry(of: asker, in: next) }
            if let open = live[flow.id] {
                beneath.append(open.coordinator)
                continue
            }
            guard let child = declaration(of: flow.kind, beneath: beneath) else {
                let path = next.allFrames.first { $0.flow == flow.id }?.route.path ?? ""
                throw .undeclaredFlow(flow.kind, path: path)
            }
            let coordinator = child.make(flow.id, self)
            onOpen?(flow.id, flow.kind, coordinator)
            if let memory = next.memories[flow.id] { coordinator.recall(memory) }
            opened[flow.id] = OpenFlow(coordinator: coordinator, child: child)
            beneath.append(coordinator)
        }
        return opened
    }

    /// Returns the coordinators of a flow and of those beneath it, lowest first.
    private func ancestry(of flow: FlowID, in state: NavigationState<R>) -> [any Coordinator<R>] {
        var found: [any Coordinator<R>] = []
        var next: FlowID? = flow
        for open in state.flows.reversed() where open.id == next {
            if let coordinator = live[open.id]?.coordinator { found.append(coordinator) }
            next = open.parent
        }
        return found.reversed()
    }

    private func declaration(of kind: FlowKind, beneath: [any Coordinator<R>]) -> ChildFlow<R>? {
        for coordinator in beneath.reversed() {
            if let child = coordinator.children.first(where: { $0.kind == kind }) { return child }
        }
        return children.first { $0.kind == kind }
    }
}

extension NavigationState {
    /// Returns the state after several transitions in order.
    ///
    /// - Throws: ``TransitionError`` if a transition is impossible.
    func applying(_ transitions: [Transition<R>]) throws(TransitionError) -> Self {
        var next = self
        for transition in transitions { next = try next.applying(transition) }
        return next
    }
}
