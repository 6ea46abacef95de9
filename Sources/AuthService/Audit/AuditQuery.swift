public import Essentials

/// A selection of events of the log. A property that is nil selects all.
public struct AuditQuery: Hashable, Sendable {
    /// Whom they happened to.
    public var user: User.ID?
    /// The kind of the events.
    public var kind: AuditEvent.Kind?
    /// The first time that counts.
    public var since: Date?
    /// The first time that does not count any more.
    public var until: Date?
    /// How many at most.
    public var limit: Int

    /// A query; without conditions it is of all events.
    public init(
        user: User.ID? = nil, kind: AuditEvent.Kind? = nil, since: Date? = nil, until: Date? = nil, limit: Int = 100
    ) {
        self.user = user
        self.kind = kind
        self.since = since
        self.until = until
        self.limit = limit
    }
}

/// An event as it is in the log.
public struct AuditRecord: Identifiable, Hashable, Sendable {
    /// Its number. They go up one by one.
    public let id: Int64
    /// The event.
    public let event: AuditEvent

    /// An event and its number.
    public init(id: Int64, event: AuditEvent) {
        self.id = id
        self.event = event
    }
}

/// The first place where the log is not as it was written.
public enum AuditFault: Error, Hashable, Sendable {
    /// The record of this number is gone.
    case missing(Int64)
    /// The record of this number is not the one that was written.
    case changed(Int64)
    /// It is not known where the log begins and ends.
    case noChain
}

extension AuditFault: CustomStringConvertible {
    /// The fault, in words for a person.
    public var description: String {
        switch self {
        case .missing(let id): "record \(id) of the log is gone, and perhaps others after it"
        case .changed(let id): "record \(id) of the log is not as it was written"
        case .noChain: "where the log begins and ends is not known any more"
        }
    }
}
