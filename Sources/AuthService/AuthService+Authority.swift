/// Checks of identity and rights.
extension AuthService {
    /// Returns the caller's identity if the caller is this user or an operator.
    func doer(_ authority: Authority, about user: User.ID) async throws -> Doer {
        if case .token(let token) = authority {
            let session = try await loggedIn(token)
            if session.user.id == user { return .session(session) }
        }
        return try await doer(authority, atLeast: .operator)
    }

    /// Returns the caller's identity.
    ///
    /// - Parameter scope: the scope that an API token needs; nil if a log-in is required.
    /// - Throws: `AuthError.notSignedIn`; `notAllowed` if the caller's role is lower than `role`, and `outOfScope`,
    ///   both of which are recorded.
    func doer(_ authority: Authority, atLeast role: Role, scope: APIToken.Scope? = nil) async throws -> Doer {
        switch authority {
        case .system(let name): return .system(name)
        case .token(let token):
            let session = try await signedIn(token)
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
