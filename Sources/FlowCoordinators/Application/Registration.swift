internal import AuthService

/// Makes accounts.
struct Registration: Sendable {
    /// An account that was made.
    struct Made: Sendable {
        let user: User
        /// The session of the new user; `nil` if nobody was logged in.
        let grant: SignedIn.Grant?
    }

    let auth: AuthService
    /// The description of this front's client, for the audit log.
    let client: String
    /// The origin of the person who registers.
    let origin: Origin

    /// A name that an account could have at present.
    ///
    /// - Throws: `AuthError`, what is wrong with it.
    func freeUsername(_ text: String) async throws -> Username {
        let username = try Username(text)
        try auth.accountPolicy.check(username)
        guard try await auth.isFree(username, from: origin) else { throw AuthError.usernameTaken(username) }
        return username
    }

    /// The present rule for registration.
    func policy() async throws -> RegistrationPolicy { try await auth.registration() }

    /// Whether anybody may make an account at present, if with an invitation.
    func isOffered() async throws -> Bool { try await policy() != .closed }

    /// Makes an account.
    ///
    /// - Parameter invitation: the code of an invitation, where one is asked for.
    /// - Throws: `AuthError`, what is wrong with the answers, and what the service throws.
    func register(username: String, password: Password, region: String, invitation: String?) async throws -> User {
        try await auth.register(
            username: Username(username), password: password, region: Region(region), client: client,
            from: origin, invitation: invitation)
    }
}
