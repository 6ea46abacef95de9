/// The origin of an event. It decides which flow may still receive the event.
enum EventOrigin: Sendable {
    /// A screen. The event is valid as long as the screen is on top.
    case screen(FrameID)
    /// The flow itself. The event is valid as long as the flow is open.
    case flow(FlowID)
    /// Work in progress, or its result. The event is valid as long as the work was not stopped.
    case work(Work.ID, isDone: Bool)
}
