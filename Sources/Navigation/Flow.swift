/// The handle by which a coordinator moves: one open flow, seen from inside.
///
/// Every method makes a request and returns at once. Requests are carried out in order, after the handler has returned
/// and within the same turn; see ``Navigator``. A move that makes no sense is journaled and changes nothing, and once
/// the flow has ended, so is every move.
///
/// A flow holds its navigator weakly.
public struct Flow<R: Route, Output> {
    /// The identity of this flow.
    public let id: FlowID

    private weak let navigator: Navigator<R>?
    private let ended: (Outcome<Output>) -> [Transition<R>]

    init(id: FlowID, navigator: Navigator<R>, ended: @escaping (Outcome<Output>) -> [Transition<R>]) {
        self.id = id
        self.navigator = navigator
        self.ended = ended
    }

    /// Shows another screen of this flow: `[A*]` → `[A, B*]`.
    public func push(_ route: R) { perform(.push(route)) }

    /// Shows another screen of this flow, modally: `[A*]` → `[A, (B*]`.
    public func present(_ route: R) { perform(.present(route)) }

    /// Begins a child flow at its first screen: `[A*]` → `[A | B*]`.
    public func begin(_ route: R, modal: Bool = false) { perform(.begin(route, modal: modal)) }

    /// Shows another place in the frame on top: `[A, B*]` → `[A, C*]`.
    public func replace(with route: R) { perform(.replace(route)) }

    /// Goes back: `[A, B*]` → `[A*]`. Going back past the first screen cancels the flow.
    public func pop(_ count: Int = 1) { perform(.pop(count)) }

    /// Goes back to the lowest screen, or to the first of the topmost modal: `[A, B, C*]` → `[A*]`.
    public func popToRoot() { perform(.popToRoot) }

    /// Removes the topmost modal screen and all above it, this flow's own or a child's: `[A, (B*]` → `[A*]`.
    public func dismiss() { perform(.dismiss) }

    /// Makes a target the whole stack: `[A, B*]` → `[A, C*]`. Frames that agree from the bottom up are kept.
    public func show(_ target: Target<R>) { perform(.show(target)) }

    /// Makes these routes the whole stack, lowest first; a flow opens wherever ``Route/flow`` changes.
    public func show(_ routes: [R]) { show(Target(routes)) }

    /// Ends this flow with a result: `[A | B, C*]` → `[A*]`, and from there where the flow's declaration says.
    public func finish(with output: Output) {
        let ended = ended
        navigator?.ask(.end(id, .finished, { ended(.finished(output)) }))
    }

    /// Ends this flow without a result: `[A | B, C*]` → `[A*]`, and from there where the flow's declaration says.
    public func cancel() {
        let ended = ended
        navigator?.ask(.end(id, .cancelled, { ended(.cancelled(.byItself)) }))
    }

    /// Reports an event to this flow itself. It is handled in a turn of its own, after those sent before it.
    public func send(_ event: R.Event) {
        navigator?.enqueue(event, for: id)
    }

    /// Reports an event to this flow as soon as nobody objects to everything leaving the stack: at once, or when the
    /// questions of those that do have been answered. For what cannot be taken back and clears the stack: a log-out.
    public func leaveAll(then event: R.Event) {
        navigator?.ask(.leave(id, event))
    }

    // Work.

    /// Begins work that goes on while other events are handled.
    ///
    /// It belongs to the frame of this flow that is on top when this is taken up: when the frame leaves, the work is
    /// cancelled. Work of the same name that the frame has already is cancelled and replaced. Whether it runs is told
    /// by ``isRunning(_:)``, for the screen to say.
    ///
    /// - Parameters:
    ///   - name: The name of the work, such as `log-in`.
    ///   - work: Runs on no actor. Its result comes to this flow as an event in a turn of its own, also where another
    ///     screen lies above by then. If the work was cancelled, the event is dropped.
    public func run(_ name: String, _ work: @escaping @Sendable () async -> R.Event) {
        run(name, reporting: { _ in await work() })
    }

    /// Begins work that says on its way how far it is, by an outlet, and else is as that of ``run(_:_:)``.
    public func run(_ name: String, reporting work: @escaping @Sendable (Outlet<R.Event>) async -> R.Event) {
        navigator?.ask(.run(name, work, by: id))
    }

    /// Cancels the work of a name, if it runs.
    public func stop(_ name: String) {
        navigator?.ask(.stop(name, by: id))
    }

    /// Whether work of a name belongs to a frame of this flow and has not come to its result.
    public func isRunning(_ name: String) -> Bool {
        navigator?.isRunning(name, in: id) ?? false
    }

    private func perform(_ transition: Transition<R>) {
        navigator?.ask(.move(transition, by: id))
    }
}

extension Flow where Output == Void {
    /// Ends this flow, whose only result is its completion.
    public func finish() { finish(with: ()) }
}
