/// The origin of an event, which decides the flow that may still receive it.
enum EventOrigin: Sendable {
    /// A screen: as long as it is on top.
    case screen(FrameID)
    /// The flow itself: as long as it is open.
    case flow(FlowID)
    /// Work, on its way or at its end: as long as nobody has stopped it.
    case work(Work.ID, isDone: Bool)
}
