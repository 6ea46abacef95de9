/// The record of events and moves, the newest last, with a limited number of entries.
///
/// A journal contains paths, kinds of flows, and names of events. It never contains the payload of an event, which may
/// be a password.
public struct Journal: Hashable, Sendable {
    /// The ways in which a flow ends.
    public enum End: Hashable, Sendable {
        /// The flow gave a result.
        case finished
        /// The flow ended without a result.
        case cancelled
    }

    /// An entry of the journal.
    public enum Entry: Hashable, Sendable {
        /// A screen reported an event, or the user went `back`.
        case event(name: String, path: String)
        /// The stack changed from the first paths to the second.
        case transition(before: [String], after: [String])
        /// A section was selected. If its stack differs from the one that was shown, a `transition` follows.
        case selected(SectionID)
        /// The stack of a section that is not selected changed from the first paths to the second.
        case sectionChanged(SectionID, before: [String], after: [String])
        /// A coordinator was started, because its first screen is about to be shown.
        case started(FlowKind)
        /// A flow ended and its coordinator was released.
        case ended(FlowKind, End)
        /// An event was ignored, because its screen was not on top or its flow had ended.
        case dropped(String)
        /// A move waits for the answer to a flow's question.
        case held(String)
        /// A flow requested a move or work outside a turn, and ``Navigator/onPending`` is not set. The request waits
        /// for the next move or ``Navigator/settle()``.
        case waiting(String)
        /// A move was refused. The values are its description and the reason.
        case rejected(String, NavigationError)
        /// An event and everything that it caused were handled. The edge tells the screens before and after.
        case led(FlowGraph.Edge)
    }

    /// The maximum number of entries.
    public let capacity: Int

    /// The entries that were kept, oldest first.
    public private(set) var entries: [Entry] = []

    /// Creates an empty journal that keeps the newest `capacity` entries.
    public init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The edges of the handled events, oldest first.
    public var edges: [FlowGraph.Edge] {
        entries.compactMap { if case .led(let edge) = $0 { edge } else { nil } }
    }

    mutating func record(_ entry: Entry) {
        guard capacity > 0 else { return }
        if entries.count == capacity { entries.removeFirst() }
        entries.append(entry)
    }
}
