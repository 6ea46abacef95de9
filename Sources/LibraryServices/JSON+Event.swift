package import AuthService
package import Text

extension JSON {
    /// Creates an event of the audit log, with its number in the log.
    package init(event: AuditEvent, id: Int64? = nil) {
        let members: [Member] = [
            Member("at", .string(RFC3339.string(from: event.at))),
            Member("event", .string(event.kind.rawValue)),
            Member("outcome", .string(event.kind.outcome.rawValue)),
            Member("user", event.userID.map { JSON($0) } ?? .null),
            Member("by", .string(event.actor.description)),
            Member("session", JSON(event.sessionID?.description)),
            Member("client", .string(event.client)),
            Member("origin", .string(event.origin.text)),
            Member("detail", .string(event.detail)),
        ]
        self = .object((id.map { [Member("id", JSON($0))] } ?? []) + members)
    }
}
