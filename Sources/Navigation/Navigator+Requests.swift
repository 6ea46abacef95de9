// The requests to a navigator, and their records.
extension Navigator {
    /// A request that is handled in a turn.
    enum Request {
        case moves([Transition<R>])
        case event(R.Event, EventOrigin)
        /// The result of work that a closure waits for.
        case result(Work.ID)
        /// An event of ``Flow/leaveAll(then:)``: these flows have agreed to leave.
        case agreedEvent(R.Event, FlowID, Set<FlowID>)
        /// Go back to a frame; nil for the frame beneath the top.
        case back(to: FrameID?)
        case restoration(NavigationState<R>)
        case selection(SectionID)
        case step(Step)
        case judging

        /// The name of the request in messages.
        var words: String {
            switch self {
            case .moves(let transitions): Move.transitions(transitions, by: nil).words
            case .event(let event, _), .agreedEvent(let event, _, _): event.name
            case .result(let work): work.key.name
            case .back: FlowGraph.Edge.back
            case .restoration(let state): Move.restoration(state).words
            case .selection(let section): Transition<R>.select(section).description
            case .step(let step): step.words
            case .judging: "judge"
            }
        }
    }

    /// The result of a turn.
    struct Report {
        var failure: NavigationError?
        var isChanged = false
        var selection: Selection?
    }

    /// A request of a coordinator.
    enum Step {
        case move(Transition<R>, by: FlowID)
        /// A move of a flow in a pane that has a frame above it.
        case moveInPane(FrameID, Transition<R>, by: FlowID)
        case end(FlowID, Journal.End, () -> [Transition<R>])
        case follow([Transition<R>])
        case leave(FlowID, R.Event)
        case run(String, Job<R>, by: FlowID)
        case stop(String, by: FlowID)
        /// Make the move that was held back, after these flows have agreed.
        case resume(Move, agreed: Set<FlowID>)

        /// Whether the step cannot be part of an endless circle of moves.
        var cannotLoop: Bool {
            switch self {
            case .run, .stop: true
            case .move, .moveInPane, .end, .follow, .leave, .resume: false
            }
        }

        /// The name of the step in the journal.
        var words: String {
            switch self {
            case .move(let transition, _), .moveInPane(_, let transition, _): transition.description
            case .end(let flow, _, _): "end \(flow)"
            case .follow(let transitions): "\(transitions)"
            case .leave(_, let event): event.name
            case .run(let name, _, _): "run \(name)"
            case .stop(let name, _): "stop \(name)"
            case .resume(let move, _): move.words
            }
        }
    }

    /// A move about which flows are asked first.
    enum Move {
        case transitions([Transition<R>], by: FlowID?)
        case restoration(NavigationState<R>)
        case leaving(FlowID, then: R.Event)

        /// The name of the move in the journal.
        var words: String {
            switch self {
            case .transitions(let transitions, _): transitions.map { $0.description }.joined(separator: ", ")
            case .restoration: "restore"
            case .leaving: "leave all"
            }
        }
    }

    struct HeldMove {
        let question: FlowID
        let move: Move
        let agreed: Set<FlowID>
    }

    struct OpenFlow {
        let coordinator: any Coordinator<R>
        let child: ChildFlow<R>
        var isStarted = false
        /// How the flow ended itself; nil if it did not. In that case the handler of its end was already called.
        var end: Journal.End?
    }
}
