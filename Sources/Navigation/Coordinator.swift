/// Decides where a flow goes, and nothing else.
///
/// A coordinator is created when its flow opens and released when the last frame of the flow leaves the stack. Nobody
/// but the ``Navigator`` holds it, so it needs no list of children and nothing to clean up by hand. It moves by the
/// ``Flow`` it was made with.
///
/// Its methods run wherever the navigator's owner runs, one at a time. They do not await long work but begin it
/// with ``Flow/run(_:_:)``, so that other events are handled while it runs.
///
/// A coordinator of a global actor declares its conformance in an extension of its own, `extension NotesCoordinator:
/// Coordinator {}`, or says `@MainActor` at each `async` method: they are otherwise taken to run wherever they are
/// called. A coordinator of no actor declares it at the class, and in a module without the feature
/// `NonisolatedNonsendingByDefault` says `nonisolated(nonsending)` at `async` methods of its own.
public protocol Coordinator<R>: AnyObject {
    /// The routes of the application.
    associatedtype R: Route

    /// Called once, when the first screen of the flow is about to show. May go elsewhere or finish at once, and then
    /// that screen is never shown. By default does nothing.
    func start() async

    /// Called with what a screen of this flow reported, and with what its work came to. By default does nothing.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - route: The screen it happened on.
    func eventOccurred(_ event: R.Event, in route: R) async

    /// Makes the screen for a route of this flow.
    ///
    /// - Parameters:
    ///   - route: The place that is to be shown.
    ///   - outlet: The outlet through which the screen reports events. It is bound to the frame of the screen.
    func screen(for route: R, outlet: Outlet<R.Event>) async throws -> R.Screen

    /// The flows that this one may begin, and the meaning of their ends. Read again whenever one opens. By default empty.
    var children: [ChildFlow<R>] { get }

    /// The memory that is saved with the state of the flow, or waits while its screens are not admitted. Never a
    /// secret. Asked for after each handler. By default nothing.
    var memory: R.Memory? { get }

    /// Called before ``start()`` with the ``memory`` of the coordinator that this one takes the place of. By default
    /// does nothing.
    func recall(_ memory: R.Memory)

    /// Asked before some of this flow's screens leave: what is lost by that?
    ///
    /// Asked where the user goes back, dismisses or follows a link, and where another flow moves or logs out. Not asked
    /// where the flow itself moves; where it or one beneath it ends, which is for that flow to decide; and where the
    /// ``Gate`` closes: what was typed is then kept by ``memory``.
    ///
    /// - Parameter routes: Those of this flow's screens that are to leave, lowest first.
    /// - Returns: The first screen of a flow that asks the user, which is begun modally. When that flow finishes, the
    ///   move is made; when it is cancelled, nothing happens. Nil, by default, where nothing is lost.
    func question(beforeLeaving routes: [R]) -> R?
}

extension Coordinator {
    /// Does nothing.
    public func start() async {}

    /// Does nothing.
    public func eventOccurred(_ event: R.Event, in route: R) async {}

    /// None.
    public var children: [ChildFlow<R>] { [] }

    /// Nothing.
    public var memory: R.Memory? { nil }

    /// Does nothing.
    public func recall(_ memory: R.Memory) {}

    /// Nothing is lost.
    public func question(beforeLeaving routes: [R]) -> R? { nil }
}
