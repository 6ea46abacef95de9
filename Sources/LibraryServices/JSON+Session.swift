package import AuthService
package import Text

extension JSON {
    /// Creates the logged-in user, as `whoami` and `login` write it.
    package init(account session: Session) {
        self = [
            "username": .string(session.user.username.text),
            "role": .string(session.user.role.rawValue),
            "region": .string(session.user.region.code),
            "registered": .string(RFC3339.string(from: session.user.createdAt)),
            session.apiToken == nil ? "session" : "token":
                session.apiToken.map { JSON(apiToken: $0) } ?? JSON(session: session),
        ]
    }

    /// Creates a user, as `users` writes it.
    ///
    /// - Parameter more: additional members.
    package init(user: User, more: [Member] = []) {
        self = .object(
            [
                Member("id", JSON(user.id)), Member("username", .string(user.username.text)),
                Member("role", .string(user.role.rawValue)), Member("region", .string(user.region.code)),
                Member("registered", .string(RFC3339.string(from: user.createdAt))),
                Member("disabled", JSON(user.disabledAt.map { RFC3339.string(from: $0) })),
            ] + more)
    }

    /// Creates a second factor, without its secret.
    package init(secondFactor: SecondFactor?) {
        guard let secondFactor else {
            self = .null
            return
        }
        self = [
            "since": .string(RFC3339.string(from: secondFactor.since)),
            "recoveryCodes": JSON(secondFactor.recoveryCodes),
        ]
    }

    /// Creates an API token, as `tokens` writes it.
    package init(apiToken: APIToken, secret: String? = nil) {
        var members: [Member] = [
            Member("id", .string(apiToken.id.description)),
            Member("name", .string(apiToken.name)),
            Member("scope", .string(apiToken.scope.rawValue)),
            Member("created", .string(RFC3339.string(from: apiToken.createdAt))),
            Member("expires", .string(RFC3339.string(from: apiToken.expiresAt))),
            Member("lastUsed", JSON(apiToken.lastUsedAt.map { RFC3339.string(from: $0) })),
        ]
        if let secret { members.append(Member("token", .string(secret))) }
        self = .object(members)
    }

    /// Creates a session, as `sessions` writes it. In a list, `isCurrent` tells whether it is the present session.
    package init(session: Session, isCurrent: Bool? = nil) {
        var members: [Member] = [
            Member("id", .string(session.id.description)),
            Member("client", .string(session.client)),
            Member("origin", .string(session.origin.text)),
            Member("created", .string(RFC3339.string(from: session.createdAt))),
            Member("lastUsed", .string(RFC3339.string(from: session.lastUsedAt))),
            Member("expires", .string(RFC3339.string(from: session.expiresAt))),
        ]
        if let isCurrent { members.append(Member("current", .bool(isCurrent))) }
        self = .object(members)
    }
}

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
