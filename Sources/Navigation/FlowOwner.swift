/// The object that carries out the requests of a ``Flow``: a ``Navigator``, or the adapter of a ``Feature``.
protocol FlowOwner<R>: AnyObject {
    associatedtype R: Route

    func move(_ transition: Transition<R>, by flow: FlowID)
    func end(_ flow: FlowID, _ end: Journal.End, then transitions: @escaping () -> [Transition<R>])
    func leaveAll(then event: R.Event, by flow: FlowID)
    func send(_ event: R.Event, to flow: FlowID)
    func run(_ name: String, _ job: Job<R>, by flow: FlowID)
    func stop(_ name: String, by flow: FlowID)
    func isRunning(_ name: String, in flow: FlowID) -> Bool
}

/// The work that a flow begins.
enum Job<R: Route> {
    /// Its result comes to the coordinator as an event.
    case reporting(@Sendable (Outlet<R.Event>) async -> R.Event)
    /// Its result comes to a closure, with the place of the frame.
    case completing(@Sendable (Outlet<R.Event>) async -> Void, then: (R) -> Void)
}

extension Navigator: FlowOwner {
    func move(_ transition: Transition<R>, by flow: FlowID) { ask(.move(transition, by: flow)) }

    func end(_ flow: FlowID, _ end: Journal.End, then transitions: @escaping () -> [Transition<R>]) {
        ask(.end(flow, end, transitions))
    }

    func leaveAll(then event: R.Event, by flow: FlowID) { ask(.leave(flow, event)) }

    func send(_ event: R.Event, to flow: FlowID) { enqueue(event, for: flow) }

    func run(_ name: String, _ job: Job<R>, by flow: FlowID) { ask(.run(name, job, by: flow)) }

    func stop(_ name: String, by flow: FlowID) { ask(.stop(name, by: flow)) }
}
