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
