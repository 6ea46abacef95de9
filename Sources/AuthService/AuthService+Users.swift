internal import Essentials

/// Looking after users, for those who may.
extension AuthService {
    /// All users, by name.
    ///
    /// - Throws: `AuthError.notSignedIn`; `notAllowed` to who is no operator.
    public func users(by authority: Authority) async throws -> [User] {
        _ = try await doer(authority, atLeast: .operator)
        return try await users.users()
    }

    /// A user.
    ///
    /// - Throws: `AuthError.notSignedIn`, `noUser`; `notAllowed` to who is no operator.
    public func user(_ username: Username, by authority: Authority) async throws -> User {
        _ = try await doer(authority, atLeast: .operator)
        return try await known(username)
    }

    /// Lets a user do more or less from now on, in the sessions that are open too.
    ///
    /// - Throws: `AuthError.notSignedIn`, `notAllowed`, `noUser`; `lastOperator` when nobody would be left who is one.
    public func setRole(_ role: Role, of username: Username, by authority: Authority) async throws {
        try await change(.role(role), as: .roleChanged, of: username, by: authority, detail: role.rawValue)
    }

    /// Records what was done that no other method here does: that the library was changed, that articles were exported.
    ///
    /// - Throws: `AuthError.notSignedIn`.
    public func record(_ kind: AuditEvent.Kind, detail: String, by authority: Authority, client: String = "")
        async throws
    {
        let doer = try await doer(authority, atLeast: .reader)
        try await audit.record([doer.event(kind, at: now, client: shortened(client), detail: detail)])
    }

    private func change(
        _ change: UserChange, as kind: AuditEvent.Kind, of username: Username, by authority: Authority,
        detail: String = ""
    ) async throws {
        let doer = try await doer(authority, atLeast: .operator)
        let user = try await known(username)
        let event = doer.event(kind, at: now, to: user.id, detail: detail)
        guard try await users.change(change, of: user.id, recording: event) else { throw AuthError.noUser(username) }
    }

    private func known(_ username: Username) async throws -> User {
        guard let user = try await users.account(named: username)?.user else { throw AuthError.noUser(username) }
        return user
    }

    /// Who asks.
    ///
    /// - Throws: `AuthError.notSignedIn`; `notAllowed`, which is recorded, to who may do less than `role`.
    private func doer(_ authority: Authority, atLeast role: Role) async throws -> Doer {
        switch authority {
        case .system(let name): return .system(name)
        case .token(let token):
            let session = try await signedIn(token)
            guard session.user.role >= role else {
                let refusal = Doer.session(session).event(.accessRefused, at: now, detail: role.rawValue)
                try await audit.record([refusal])
                throw AuthError.notAllowed(role)
            }
            return .session(session)
        }
    }
}

/// Who does something, as the log tells it.
private enum Doer {
    case session(Session)
    case system(String)

    /// That it was done, to another user or to none.
    func event(
        _ kind: AuditEvent.Kind, at time: Date, to user: User.ID? = nil, client: String = "", detail: String = ""
    ) -> AuditEvent {
        switch self {
        case .system(let name):
            AuditEvent(kind, at: time, userID: user, client: client, actor: .system(name), detail: detail)
        case .session(let session):
            AuditEvent(
                kind, at: time, userID: user ?? session.user.id, sessionID: session.id, client: session.client,
                actor: user == nil || user == session.user.id ? .holder : .user(session.user.id), detail: detail)
        }
    }
}
