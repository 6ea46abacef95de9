internal import Text

/// The person or program that performs an action, as the log names it.
enum Doer {
    case session(Session)
    case system(String)

    /// Returns an event for an action of this person or program.
    func event(
        _ kind: AuditEvent.Kind, at time: Date, to user: User.ID? = nil, client: String = "", detail: String = ""
    ) -> AuditEvent {
        switch self {
        case .system(let name):
            return AuditEvent(kind, at: time, userID: user, client: client, actor: .system(name), detail: detail)
        case .session(let session):
            let isOwn = user == nil || user == session.user.id
            let actor: AuditEvent.Actor =
                session.apiToken.map { .token($0.id) } ?? (isOwn ? .holder : .user(session.user.id))
            return AuditEvent(
                kind, at: time, userID: user ?? session.user.id, sessionID: session.apiToken == nil ? session.id : nil,
                client: session.client, actor: actor, origin: session.origin, detail: detail)
        }
    }
}
