internal import AuthService
internal import Text

/// The actions of operators on users. Users are identified by number, and the name is looked up at the time of the
/// action. So an action never affects another user who was given the same name in the meantime.
struct UserCare: Sendable {
    /// The result of an action.
    enum Done: Sendable {
        /// The user still exists.
        case changed(Notice)
        /// The user was deleted.
        case deleted(User.ID, Notice)
    }

    /// A new code for another person. It is available only now.
    struct MadeCode: Sendable {
        enum Purpose: Sendable {
            /// To create an account.
            case invitation
            /// To choose a new password.
            case reset(of: Username)
        }

        let code: OneTimeCode
        let purpose: Purpose
        let expiresAt: Date
    }

    let auth: AuthService
    /// The authority of the signed-in operator; nil if nobody is signed in, in which case the gate shows no operator
    /// screen.
    let authority: Authority?

    /// Returns a user.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func user(_ id: User.ID) async throws -> User {
        guard let user = try await auth.users(by: held()).first(where: { $0.id == id }) else {
            throw ScreenError.noUser(id)
        }
        return user
    }

    /// Performs an action on a user and returns a message about it.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func perform(_ deed: UserDeed, on id: User.ID) async throws -> Done {
        let (authority, name) = (try held(), try await user(id).username)
        switch deed {
        case .giveRole(let role):
            try await auth.setRole(role, of: name, by: authority)
            return .changed(Notice("\(name) is \(role.withArticle) now."))
        case .disable:
            try await auth.setDisabled(true, name, by: authority)
            return .changed(Notice("\(name) is disabled, and logged out everywhere."))
        case .enable:
            try await auth.setDisabled(false, name, by: authority)
            return .changed(Notice("\(name) can log in again."))
        case .logOut:
            let count = try await auth.logOut(name, by: authority)
            return .changed(Notice("\(name) is logged out of \(count) \(count == 1 ? "session" : "sessions")."))
        case .removeSecondFactor:
            try await auth.removeSecondFactor(of: name, by: authority)
            return .changed(Notice("\(name) logs in with the password alone."))
        case .delete:
            try await auth.delete(name, by: authority)
            return .deleted(id, Notice("Deleted \(name)."))
        }
    }

    /// Creates a code with which a user can choose a new password.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func issueReset(for id: User.ID) async throws -> MadeCode {
        let name = try await user(id).username
        let (code, end) = try await auth.issueReset(for: name, by: held())
        return MadeCode(code: code, purpose: .reset(of: name), expiresAt: end)
    }

    /// Creates a code with which a person can create an account.
    ///
    /// - Throws: the errors of the service.
    func invite() async throws -> MadeCode {
        let (code, end) = try await auth.invite(by: held())
        return MadeCode(code: code, purpose: .invitation, expiresAt: end)
    }

    /// Sets who may register from now on.
    ///
    /// - Throws: the errors of the service.
    func open(_ policy: RegistrationPolicy) async throws -> RegistrationPolicy {
        try await auth.setRegistration(policy, by: held())
        return policy
    }

    private func held() throws -> Authority {
        guard let authority else { throw AuthError.notSignedIn }
        return authority
    }
}
