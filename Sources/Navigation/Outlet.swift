/// The one way a screen speaks to its coordinator, bound to the frame it was made for.
///
/// A screen with an outlet knows no coordinator, no navigator, and no other screen. An event that it sends while its frame
/// is not on top, a second tap on a row or a tap on a screen that was left, is dropped and journaled.
///
/// It may be used from any task, keeps nothing alive but what it is made of, and may be kept for as long as one likes.
public struct Outlet<Event: Sendable>: Sendable {
    private let send: @Sendable (Event) -> Void

    /// Creates an outlet that hands events to a function. A test gives one that collects them; a screen with events
    /// of its own is given one that translates: `Outlet<Choice> { outlet(.chose($0)) }`.
    public init(_ send: @escaping @Sendable (Event) -> Void) {
        self.send = send
    }

    /// Reports an event.
    public func callAsFunction(_ event: Event) {
        send(event)
    }
}
