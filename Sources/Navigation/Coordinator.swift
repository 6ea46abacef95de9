/// Decides where a flow goes. It does not do anything else.
///
/// A coordinator is created when its flow opens and released when the last frame of the flow leaves the stack. Only the
/// ``Navigator`` holds it, so it does not need a list of children or any cleanup. It moves with the ``Flow`` with which
/// it was created.
///
/// Its methods run where the owner of the navigator runs, one at a time. The methods that decide are synchronous, so
/// that nothing can happen between two lines of a decision. They start long work with ``Flow/run(_:_:)`` or
/// ``Flow/run(_:_:then:)``, so that other events can be handled while it runs.
///
/// A coordinator that is isolated to a global actor declares an isolated conformance: `@MainActor final class
/// NotesCoordinator: @MainActor Coordinator`. In a module whose code is isolated to the main actor by default, Swift
/// adds both. The compiler then accepts such a coordinator only where the navigator runs on that actor.
public protocol Coordinator<R>: AnyObject {
    /// The routes of the application.
    associatedtype R: Route

    /// Called once, before the first screen of the flow is shown. It may go elsewhere or finish the flow at once; then
    /// that screen is never shown. By default it does nothing.
    func start()

    /// Called with an event from a screen of this flow, or with the result of its work. By default it does nothing.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - route: the screen that the event comes from.
    func eventOccurred(_ event: R.Event, in route: R)

    /// Creates the screen for a route of this flow.
    ///
    /// Usually this method is written without `async`, and shows that work is running. In a class that is
    /// `nonisolated`, it may also wait, on the actor of the navigator's owner.
    ///
    /// - Parameters:
    ///   - route: the place to show.
    ///   - outlet: the outlet through which the screen reports events. It is bound to the frame of the screen.
    func screen(for route: R, outlet: Outlet<R.Event>) async throws -> R.Screen

    /// The flows that this flow may begin, and what happens after their ends. It is read again whenever a flow opens.
    /// By default it is empty.
    var children: [ChildFlow<R>] { get }

    /// The memory that is saved with the state of the flow. It also survives while the screens of the flow are not
    /// admitted. It must not contain a secret. It is read after each handler. By default it is nil.
    var memory: R.Memory? { get }

    /// Called before ``start()`` with the ``memory`` of the coordinator that this one replaces. By default it does
    /// nothing.
    func recall(_ memory: R.Memory)

    /// Called before some screens of this flow leave the stack, to ask whether something would be lost.
    ///
    /// It is called if the user goes back, dismisses a screen, or follows a link, and if another flow moves or logs
    /// out. It is not called if the flow itself moves, because the flow can decide that itself. It is not called either
    /// if this flow or the flow beneath it ends, or if the ``Gate`` closes; then ``memory`` keeps what the user has
    /// typed.
    ///
    /// - Parameter routes: the screens of this flow that would leave, lowest first.
    /// - Returns: the first screen of a flow that asks the user, which is begun as a modal flow; nil (the default) if
    ///   nothing is lost. If that flow finishes, the move is made. If it is canceled, nothing happens.
    func question(beforeLeaving routes: [R]) -> R?
}

extension Coordinator {
    /// Does nothing.
    public func start() {}

    /// Does nothing.
    public func eventOccurred(_ event: R.Event, in route: R) {}

    /// An empty list.
    public var children: [ChildFlow<R>] { [] }

    /// Always nil.
    public var memory: R.Memory? { nil }

    /// Does nothing.
    public func recall(_ memory: R.Memory) {}

    /// Always returns nil: nothing is lost.
    public func question(beforeLeaving routes: [R]) -> R? { nil }
}

/// An event that a screen reports to the coordinator of its flow, such as a choice or a submitted form.
public protocol NavigationEvent: Sendable {
    /// The name of the case, without its payload. Journals record it, and the payload may be a password.
    var name: String { get }
}

extension NavigationEvent {
    /// The default is ``caseName``.
    public var name: String { caseName }

    /// The name of the enumeration's case, as in `submitted`. If its payload is an event of a ``Feature``, the name of
    /// that event follows, as in `account.submitted`. For any other type, it is the name of the type. That is also used for a case
    /// without payload if the type has a custom description, because the description may be secret.
    public var caseName: String {
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return String(describing: Self.self) }
        if let child = mirror.children.first, let label = child.label {
            return (child.value as? any NavigationEvent).map { "\(label).\($0.name)" } ?? label
        }
        let describesItself =
            self is any CustomStringConvertible || self is any CustomDebugStringConvertible
            || self is any TextOutputStreamable
        return describesItself ? String(describing: Self.self) : String(describing: self)
    }
}

/// The connection from a screen to its coordinator. It is bound to the frame of the screen.
///
/// A screen with an outlet does not know a coordinator, a navigator, or another screen. If its frame is not on top when
/// it sends an event, and not in another visible pane, the event is dropped and recorded in the journal. Examples are a second tap on a row, or a tap on
/// a screen that the user has left.
///
/// An outlet can be used from any task. It does not keep the navigator alive, so a screen may store it.
public struct Outlet<Event: Sendable>: Sendable {
    private let send: @Sendable (Event) -> Void

    /// Creates an outlet that passes events to a function. In a test, the function may collect the events. For a screen
    /// with its own type of events, the function converts them: `Outlet<Choice> { outlet(.chose($0)) }`.
    public init(_ send: @escaping @Sendable (Event) -> Void) {
        self.send = send
    }

    /// Reports an event.
    public func callAsFunction(_ event: Event) {
        send(event)
    }
}
