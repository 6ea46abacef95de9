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
