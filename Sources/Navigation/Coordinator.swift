/// Decides where a flow goes, and nothing else.
///
/// A coordinator is created when its flow opens and released when the last frame of the flow leaves the stack. Nobody
/// but the ``Navigator`` holds it, so it needs no list of children and nothing to clean up by hand. It moves by the
/// ``Flow`` it was made with.
///
/// Its methods run wherever the navigator's owner runs, one at a time. A coordinator of a global actor says so at its
/// `async` methods too, `@MainActor func start() async`: they are otherwise taken to run wherever they are called.
public protocol Coordinator<R>: AnyObject {
    /// The routes of the application.
    associatedtype R: Route

    /// Called once, when the first screen of the flow is about to show. May go elsewhere or finish at once, and then
    /// that screen is never shown. By default does nothing.
    func start() async

    /// Called with what a screen of this flow reported. By default does nothing.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - route: The screen that was on top of the flow when it happened.
    func eventOccurred(_ event: R.Event, in route: R) async

    /// What to show for a route of this flow.
    func screen(for route: R) async throws -> R.Screen

    /// The flows this one may begin, and what their ends mean. Asked anew whenever one opens. By default none.
    var children: [ChildFlow<R>] { get }
}

extension Coordinator {
    /// Does nothing.
    public func start() async {}

    /// Does nothing.
    public func eventOccurred(_ event: R.Event, in route: R) async {}

    /// None.
    public var children: [ChildFlow<R>] { [] }
}
