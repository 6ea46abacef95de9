// The requests to a navigator, and their records.
extension Navigator {
    /// The request that a turn handles.
    enum Request {
        case moves([Transition<R>])
        case event(R.Event, EventOrigin)
        /// An event of ``Flow/leaveAll(then:)``: these flows have agreed to leave.
        case agreedEvent(R.Event, FlowID, Set<FlowID>)
        /// Back to a frame; nil to the one beneath the top.
        case back(to: FrameID?)
        case restoration(NavigationState<R>)
        case step(Step)
        case judging
    }

    /// The result of a turn.
    struct Report: Sendable {
        var failure: NavigationError?
        var isChanged = false
    }

    /// A turn that waits for its time, and who waits for it.
    struct Item {
        let request: Request
        var asker: CheckedContinuation<Report, Never>?
    }

    /// A request of a coordinator.
    enum Step {
        case move(Transition<R>, by: FlowID)
        case end(FlowID, Journal.End, () -> [Transition<R>])
        case follow([Transition<R>])
        case leave(FlowID, R.Event)
        case run(String, @Sendable (Outlet<R.Event>) async -> R.Event, by: FlowID)
        case stop(String, by: FlowID)
        /// The move that was held back, now that these flows agree.
        case resume(Move, agreed: Set<FlowID>)

        /// Whether no circle of moves can be made of it.
        var movesNothing: Bool {
            switch self {
            case .run, .stop: true
            case .move, .end, .follow, .leave, .resume: false
            }
        }

        /// The step as the journal names it.
        var words: String {
            switch self {
            case .move(let transition, _): transition.description
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

        /// As the journal names it.
        var words: String {
            switch self {
            case .transitions(let transitions, _): transitions.map { $0.description }.joined(separator: ", ")
            case .restoration: "restore"
            case .leaving: "leave all"
            }
        }
    }

    struct Held {
        let question: FlowID
        let move: Move
        let agreed: Set<FlowID>
    }

    struct Live {
        let coordinator: any Coordinator<R>
        let child: ChildFlow<R>
        var isStarted = false
        /// How the flow ended by its own word. Its end has then been told.
        var end: Journal.End?
    }
}
