/// The one way a screen speaks to the coordinator of its flow.
///
/// A screen that is given an outlet knows no coordinator, no navigator and no other screen. Once the flow has ended,
/// sending does nothing.
public struct Outlet<Event> {
    private let send: (Event) -> Void

    /// Creates an outlet that hands events to a function. A test gives one that collects them; a screen with events
    /// of its own is given one that translates: `Outlet<Choice> { outlet(.chose($0)) }`.
    public init(_ send: @escaping (Event) -> Void) {
        self.send = send
    }

    /// Reports an event.
    public func callAsFunction(_ event: Event) {
        send(event)
    }
}
