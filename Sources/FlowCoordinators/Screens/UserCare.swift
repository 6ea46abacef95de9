internal import AuthService
internal import Essentials

/// What operators do to users: by their numbers, whose names are looked up when it is done, so that nothing that was meant for one is
/// done to another who was given the name since.
struct UserCare: Sendable {
    /// What a deed has come to.
    enum Done: Sendable {
        /// The user is there as before.
        case changed(Notice)
        /// There is no such user any more.
        case deleted(User.ID, Notice)
    }

    /// A code that was made for somebody else, which is to be had only now.
    struct MadeCode: Sendable {
        enum Purpose: Sendable {
            /// To make an account.
            case invitation
            /// To choose another password.
            case reset(of: Username)
        }

        let code: OneTimeCode
        let purpose: Purpose
        let expiresAt: Date
    }

    let auth: AuthService
    /// Who is signed in; nil while nobody is, to whom no screen of this is shown.
    let authority: Authority?

    /// A user.
    ///
    /// - Throws: `ScreenError.noUser`, and what the service throws.
    func user(_ id: User.ID) async throws -> User {
        guard let user = try await auth.users(by: held()).first(where: { $0.id == id }) else {
            throw ScreenError.noUser(id)
        }
        return user
    }

    /// Does something to a user, and says so.
    ///
    /// - Throws: `ScreenError.noUser`, and what the service throws.
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

    /// Makes a code by which a user can choose another password.
    ///
    /// - Throws: `ScreenError.noUser`, and what the service throws.
    func issueReset(for id: User.ID) async throws -> MadeCode {
        let name = try await user(id).username
        let (code, end) = try await auth.issueReset(for: name, by: held())
        return MadeCode(code: code, purpose: .reset(of: name), expiresAt: end)
    }

    /// Makes a code by which somebody can make an account.
    ///
    /// - Throws: what the service throws.
    func invite() async throws -> MadeCode {
        let (code, end) = try await auth.invite(by: held())
        return MadeCode(code: code, purpose: .invitation, expiresAt: end)
    }

    /// Says who may make an account from now on.
    ///
    /// - Throws: what the service throws.
    func open(_ policy: RegistrationPolicy) async throws -> RegistrationPolicy {
        try await auth.setRegistration(policy, by: held())
        return policy
    }

    private func held() throws -> Authority {
        guard let authority else { throw AuthError.notSignedIn }
        return authority
    }
}
