public import Text

/// A selection of events in the log. A property that is nil selects all events.
public struct AuditQuery: Hashable, Sendable {
    /// The user whom the events concern.
    public var user: User.ID?
    /// The kind of the events.
    public var kind: AuditEvent.Kind?
    /// The time from which events count.
    public var since: Date?
    /// The time before which events count.
    public var until: Date?
    /// The maximum number of events.
    public var limit: Int

    /// Creates a query. Without conditions it selects all events.
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

/// An event in the log.
public struct AuditRecord: Identifiable, Hashable, Sendable {
    /// Its number. Numbers are consecutive.
    public let id: Int64
    /// The event.
    public let event: AuditEvent

    /// Creates a record.
    public init(id: Int64, event: AuditEvent) {
        self.id = id
        self.event = event
    }
}

/// The first place where the log was modified.
public enum AuditFault: Error, Hashable, Sendable {
    /// The record with this number is missing.
    case missing(Int64)
    /// The record with this number was changed.
    case changed(Int64)
    /// The start and the end of the log are unknown.
    case noChain
}

extension AuditFault: CustomStringConvertible {
    /// The fault in words for the user.
    public var description: String {
        switch self {
        case .missing(let id): "record \(id) of the log is missing, and possibly later ones"
        case .changed(let id): "record \(id) of the log was changed"
        case .noChain: "the start and the end of the log are unknown"
        }
    }
}
