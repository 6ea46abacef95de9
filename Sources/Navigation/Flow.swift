internal import Synchronization

/// The handle with which a coordinator moves its open flow.
///
/// Every method makes a request and returns at once. The requests are carried out in order after the handler has
/// returned, within the same turn; see ``Navigator``. An impossible move is recorded in the journal and does not change
/// anything. After the flow has ended, all its moves are ignored in this way.
///
/// A flow holds its navigator weakly.
public struct Flow<R: Route, Output> {
    /// The identity of this flow.
    public let id: FlowID

    private weak let owner: (any FlowOwner<R>)?
    private let end: (Journal.End, Outcome<Output>) -> Void

    /// - Parameter end: Requests the end of this flow. It does not keep the owner alive.
    init(id: FlowID, owner: any FlowOwner<R>, end: @escaping (Journal.End, Outcome<Output>) -> Void) {
        self.id = id
        self.owner = owner
        self.end = end
    }

    /// Shows another screen of this flow: `[A*]` → `[A, B*]`.
    public func push(_ route: R) { perform(.push(route)) }

    /// Shows another screen of this flow as a modal screen: `[A*]` → `[A, (B*]`.
    public func present(_ route: R) { perform(.present(route)) }

    /// Begins a child flow at its first screen: `[A*]` → `[A | B*]`.
    public func begin(_ route: R, modal: Bool = false) { perform(.begin(route, modal: modal)) }

    /// Shows another place in the frame on top: `[A, B*]` → `[A, C*]`.
    public func replace(with route: R) { perform(.replace(route)) }

    /// Goes back: `[A, B*]` → `[A*]`. Going back past the first screen cancels the flow.
    public func pop(_ count: Int = 1) { perform(.pop(count)) }

    /// Goes back to the lowest screen, or to the first screen of the topmost modal: `[A, B, C*]` → `[A*]`.
    public func popToRoot() { perform(.popToRoot) }

    /// Removes the topmost modal screen and everything above it, whether it belongs to this flow or to a child: `[A,
    /// (B*]` → `[A*]`.
    public func dismiss() { perform(.dismiss) }

    /// Replaces the whole stack with a target: `[A, B*]` → `[A, C*]`. Equal frames from the bottom up are kept.
    public func show(_ target: Target<R>) { perform(.show(target)) }

    /// Replaces the whole stack with these routes, lowest first. A flow opens wherever ``Route/flow`` changes.
    public func show(_ routes: [R]) { show(Target(routes)) }

    /// Shows the stack of another section, as the user has left it; see ``Transition/select(_:)``.
    public func select(_ section: SectionID) { perform(.select(section)) }

    /// Moves a frame, with all frames above it in its section, to the top of another section; see
    /// ``Transition/move(_:to:)``.
    public func move(_ frame: FrameID, to section: SectionID) { perform(.move(frame, to: section)) }

    /// Ends this flow with a result: `[A | B, C*]` → `[A*]`. The declaration of the flow decides what happens then.
    public func finish(with output: Output) { end(.finished, .finished(output)) }

    /// Ends this flow without a result: `[A | B, C*]` → `[A*]`. The declaration of the flow decides what happens then.
    public func cancel() { end(.cancelled, .cancelled(.byItself)) }

    /// Reports an event to this flow itself. It is handled in a separate turn, after the events that were sent before.
    public func send(_ event: R.Event) {
        owner?.send(event, to: id)
    }

    /// Reports an event to this flow after all flows have agreed to leave the stack. If a flow has a question, the user
    /// must answer it first. Use it before an action that clears the stack and cannot be undone, such as logging out.
    public func leaveAll(then event: R.Event) {
        owner?.leaveAll(then: event, by: id)
    }

    // Work.

    /// Starts work that continues while other events are handled.
    ///
    /// The work belongs to the frame of this flow that is on top when the request is carried out. If that frame leaves
    /// the stack, the work is canceled. If the frame has work with the same name, that work is canceled and replaced.
    /// A screen can use ``isRunning(_:)`` to show whether the work runs.
    ///
    /// - Parameters:
    ///   - name: the name of the work, such as `log-in`.
    ///   - work: the work, which runs outside any actor. Its result is an event for this flow in a separate turn, even
    ///     if another screen is on top by then. If the work was canceled, the event is dropped.
    public func run(_ name: String, _ work: @escaping @Sendable () async -> R.Event) {
        run(name, reporting: { _ in await work() })
    }

    /// Starts work that can report its progress through an outlet. Otherwise it is the same as ``run(_:_:)``.
    public func run(_ name: String, reporting work: @escaping @Sendable (Outlet<R.Event>) async -> R.Event) {
        owner?.run(name, .reporting(work), by: id)
    }

    /// Starts work whose result comes to a closure instead of as an event. Otherwise it is the same as ``run(_:_:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the work. The ``Journal`` and the ``FlowGraph`` also name its result by it.
    ///   - work: Runs on no actor. It may report its progress through the outlet.
    ///   - completion: Called in a separate turn with the result and the place that the frame of the work then shows. It
    ///     runs where the coordinators run. If it needs an answer of a service, it starts further work. It is not called
    ///     if the work was canceled. The navigator releases it when the work ends, so it may capture the coordinator.
    public func run<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable (Outlet<R.Event>) async -> Value,
        then completion: @escaping (Value, R) -> Void
    ) {
        let result = WorkResult<Value>()
        owner?.run(
            name,
            .completing({ outlet in result.value = await work(outlet) }) { route in
                if let value = result.value { completion(value, route) }
            }, by: id)
    }

    /// Cancels the work with a name, if it runs.
    public func stop(_ name: String) {
        owner?.stop(name, by: id)
    }

    /// Whether work with a name belongs to a frame of this flow and does not have a result yet.
    public func isRunning(_ name: String) -> Bool {
        owner?.isRunning(name, in: id) ?? false
    }

    private func perform(_ transition: Transition<R>) {
        owner?.move(transition, by: id)
    }
}

/// Carries the result of work from its task to the turn that handles it.
private final class WorkResult<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

extension Flow where Output == Void {
    /// Ends this flow, whose result is only that it has finished.
    public func finish() { finish(with: ()) }
}

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
