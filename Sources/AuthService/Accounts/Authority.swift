internal import Text

/// The identity on whose behalf a privileged operation is requested.
public enum Authority: Sendable {
    /// The user with this token. The token is checked each time, so the operation never exceeds the rights of its user.
    case token(SessionToken)
    /// The operating system's user with this name. Nothing is checked, because this user can write the database file anyway.
    /// Only a program run by that user may pass this value, never a server.
    case system(user: String)
}

/// Checks of identity and rights.
extension AuthService {
    /// Returns the caller's identity if the caller is this user or an operator.
    func caller(_ authority: Authority, about user: User.ID) async throws -> Caller {
        if case .token(let token) = authority {
            let session = try await interactiveSession(for: token)
            if session.user.id == user { return .session(session) }
        }
        return try await caller(authority, atLeast: .operator)
    }

    /// Returns the caller's identity.
    ///
    /// - Parameter scope: the scope that an API token needs; nil if a login is required.
    /// - Throws: `AuthError.notLoggedIn`; `notAllowed` if the caller's role is lower than `role`, and `outOfScope`,
    ///   both of which are recorded.
    func caller(_ authority: Authority, atLeast role: Role, scope: APIToken.Scope? = nil) async throws -> Caller {
        switch authority {
        case .system(let name): return .system(name)
        case .token(let token):
            let session = try await session(for: token)
            let refusal: AuthError? =
                session.user.role < role ? .notAllowed(role) : session.mayBeUsed(for: scope) ? nil : .outOfScope
            if let refusal {
                try await recordRefusal(event(.accessRefused, in: session, detail: role.rawValue))
                throw refusal
            }
            return .session(session)
        }
    }
}

/// The person or program that performs an action, as the log names it.
enum Caller {
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
