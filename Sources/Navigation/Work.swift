/// Work in flight: what a flow has begun and has not been told the result of.
struct Work {
    /// The frame it belongs to and the name it goes by. There is one of a name for each frame.
    struct Key: Hashable, Sendable {
        let frame: FrameID
        let name: String
    }

    /// One run of it, told apart from an earlier one of the same name.
    struct ID: Hashable, Sendable {
        let key: Key
        let number: Int
    }

    let id: ID
    let task: Task<Void, Never>
}
