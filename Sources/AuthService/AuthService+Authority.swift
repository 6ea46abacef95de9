/// Checks of identity and rights.
extension AuthService {
    /// The identity of a caller who asks about a user: that user, or an operator.
    func doer(_ authority: Authority, about user: User.ID) async throws -> Doer {
        if case .token(let token) = authority {
            let session = try await loggedIn(token)
            if session.user.id == user { return .session(session) }
        }
        return try await doer(authority, atLeast: .operator)
    }

    /// The identity of a caller.
    ///
    /// - Parameter scope: what an API token has to be for; nil where it takes a log-in.
    /// - Throws: `AuthError.notSignedIn`; `notAllowed` to who may do less than `role`, and `outOfScope`, both of which are
    ///   recorded.
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
