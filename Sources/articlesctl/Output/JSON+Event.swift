import AuthService
import Text

extension JSON {
    /// Something that happened, as the log tells it.
    init(event: AuditEvent) {
        self = [
            "at": .string(RFC3339.string(from: event.at)), "event": .string(event.kind.rawValue),
            "user": event.userID.map { JSON($0) } ?? .null, "session": JSON(event.sessionID?.description),
            "client": .string(event.client), "by": .string(event.actor.description), "detail": .string(event.detail),
        ]
    }
}
