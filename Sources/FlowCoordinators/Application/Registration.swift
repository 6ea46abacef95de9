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

/// The options for the sign-up.
public struct SignUpOptions: Hashable, Sendable {
    /// The order of the questions.
    public enum Order: Hashable, Sendable {
        /// The name and the password on one page, then the region.
        case accountFirst
        /// The region, the name, and the password, each on its own page. `/signup/region` begins with the region in
        /// either order.
        case regionFirst
    }

    /// The order of the questions.
    public var order: Order
    /// Whether the new user is logged in at the end. A user who is logged in already stays logged in.
    public var logsIn: Bool

    /// Creates options. By default, the name and the password come first, and the user is logged in at the end.
    public init(order: Order = .accountFirst, logsIn: Bool = true) {
        self.order = order
        self.logsIn = logsIn
    }

    /// The first page.
    var first: AppRoute { order == .accountFirst ? .signUpAccount : .signUpRegion }
}
