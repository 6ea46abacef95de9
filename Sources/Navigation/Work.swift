/// Work that a flow has started and whose result it has not received yet.
struct Work {
    /// The frame and the name of the work. A frame can have only one work with the same name.
    struct Key: Hashable, Sendable {
        let frame: FrameID
        let name: String
    }

    /// The identity of a run, which differs from earlier runs with the same name.
    struct ID: Hashable, Sendable {
        let key: Key
        let number: Int
    }

    let id: ID
    let task: Task<Void, Never>
}

/// The origin of an event. It decides which flow may still receive the event.
enum EventOrigin: Sendable {
    /// A screen. The event is valid as long as the screen is on top or in another visible pane.
    case screen(FrameID)
    /// The flow itself. The event is valid as long as the flow is open.
    case flow(FlowID)
    /// Work in progress, or its result. The event is valid as long as the work was not stopped.
    case work(Work.ID, isDone: Bool)
}
