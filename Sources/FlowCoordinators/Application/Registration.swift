internal import AuthService

/// Creates accounts.
struct Registration: Sendable {
    /// A new account.
    struct Made: Sendable {
        let user: User
        /// The session of the new user; `nil` if the user was not logged in.
        let grant: SignedIn.Grant?
    }

    let auth: AuthService
    /// The description of this front's client, for the audit log.
    let client: String
    /// The origin of the person who registers.
    let origin: Origin

    /// Returns the text as a name that is still available.
    ///
    /// - Throws: `AuthError` if the name is invalid or taken.
    func freeUsername(_ text: String) async throws -> Username {
        let username = try Username(text)
        try auth.accountPolicy.check(username)
        guard try await auth.isFree(username, from: origin) else { throw AuthError.usernameTaken(username) }
        return username
    }

    /// The present rule for registration.
    func policy() async throws -> RegistrationPolicy { try await auth.registration() }

    /// Whether new accounts can be created now, with or without an invitation.
    func isOffered() async throws -> Bool { try await policy() != .closed }

    /// Creates an account.
    ///
    /// - Parameter invitation: the code of an invitation, if one is required.
    /// - Throws: `AuthError` if an answer is invalid; the errors of the service.
    func register(username: String, password: Password, region: String, invitation: String?) async throws -> User {
        try await auth.register(
            username: Username(username), password: password, region: Region(region), client: client,
            from: origin, invitation: invitation)
    }
}
