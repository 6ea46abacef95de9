/// The record of events and moves, newest last, up to a capacity.
///
/// A journal names paths, kinds of flow and the cases of events. It never holds what an event carries, which may be a
/// password.
public struct Journal: Hashable, Sendable {
    /// How a flow ended.
    public enum End: Hashable, Sendable {
        /// It gave a result.
        case finished
        /// It was left.
        case cancelled
    }

    /// An entry of the journal.
    public enum Entry: Hashable, Sendable {
        /// A screen reported an event, or the user went `back`.
        case event(name: String, path: String)
        /// The stack changed, from these paths to those.
        case transition(before: [String], after: [String])
        /// A coordinator's first screen was about to show.
        case started(FlowKind)
        /// A flow ended and its coordinator was released.
        case ended(FlowKind, End)
        /// An event of a screen that is not on top, or what came from a flow that had ended, was ignored.
        case dropped(String)
        /// A move waits for the answer to a flow's question.
        case held(String)
        /// A flow asked for a move or for work outside a turn, and ``Navigator/onPending`` is not set: the request waits for the next
        /// move or ``Navigator/settle()``.
        case waiting(String)
        /// A move was refused, and why.
        case rejected(String, NavigationError)
        /// An event and all it caused were handled: it led from one place to another.
        case led(FlowGraph.Edge)
    }

    /// How many entries are kept.
    public let capacity: Int

    /// The entries that are kept, oldest first.
    public private(set) var entries: [Entry] = []

    /// Creates an empty journal that keeps the newest `capacity` entries.
    public init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The ways that events led, oldest first.
    public var edges: [FlowGraph.Edge] {
        entries.compactMap { if case .led(let edge) = $0 { edge } else { nil } }
    }

    mutating func record(_ entry: Entry) {
        guard capacity > 0 else { return }
        if entries.count == capacity { entries.removeFirst() }
        entries.append(entry)
    }
}
