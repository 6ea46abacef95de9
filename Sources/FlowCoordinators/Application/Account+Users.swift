public import AuthService
internal import Text

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

extension MadeCode: Codable {
    private struct Invalid: Error {}

    private enum CodingKeys: CodingKey {
        case code, username, expiresAt
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let code = OneTimeCode(try values.decode(String.self, forKey: .code)) else { throw Invalid() }
        let name = try values.decodeIfPresent(String.self, forKey: .username).map { try Username($0) }
        self.init(
            code: code, purpose: name.map { .reset(of: $0) } ?? .invitation,
            expiresAt: try values.decode(Date.self, forKey: .expiresAt))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.text, forKey: .code)
        if case .reset(let username) = purpose { try values.encode(username.text, forKey: .username) }
        try values.encode(expiresAt, forKey: .expiresAt)
    }
}

/// The actions of operators on users. Users are identified by number, and the name is looked up at the time of the
/// action. So an action never affects another user who was given the same name in the meantime.
extension Account {
    /// Returns a user.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func user(_ id: User.ID) async throws -> User {
        guard let user = try await auth.users(by: authority).first(where: { $0.id == id }) else {
            throw ScreenError.noUser(id)
        }
        return user
    }

    /// Performs an action on a user and returns a message about it.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func perform(_ action: UserAction, on id: User.ID) async throws -> Notice {
        let (authority, name) = (try authority, try await user(id).username)
        switch action {
        case .giveRole(let role):
            let isChanged = try await auth.setRole(role, of: name, by: authority)
            return Notice("\(name) is \(isChanged ? "now" : "already") \(role.withArticle).")
        case .disable:
            let isChanged = try await auth.setDisabled(true, name, by: authority)
            return Notice(
                isChanged ? "Disabled \(name), and ended all of their sessions." : "\(name) is already disabled.")
        case .enable:
            let isChanged = try await auth.setDisabled(false, name, by: authority)
            return Notice(isChanged ? "Enabled \(name)." : "\(name) is not disabled.")
        case .logOut:
            let count = try await auth.logOut(name, by: authority)
            return Notice("Ended \(count.quantity(of: "session")) of \(name).")
        case .removeSecondFactor:
            try await auth.removeSecondFactor(of: name, by: authority)
            return Notice("Removed the second factor of \(name).")
        case .delete:
            try await auth.delete(name, by: authority)
            return Notice("Deleted \(name).")
        }
    }

    /// Creates a code with which a user can choose a new password.
    ///
    /// - Throws: `ScreenError.noUser`, and the errors of the service.
    func issueReset(for id: User.ID) async throws -> MadeCode {
        let name = try await user(id).username
        let (code, end) = try await auth.issueReset(for: name, by: authority)
        return MadeCode(code: code, purpose: .reset(of: name), expiresAt: end)
    }

    /// Creates a code with which a person can create an account.
    ///
    /// - Throws: the errors of the service.
    func invite() async throws -> MadeCode {
        let (code, end) = try await auth.invite(by: authority)
        return MadeCode(code: code, purpose: .invitation, expiresAt: end)
    }
}

/// The actions of an operator on a user, except for creating a code.
public enum UserAction: Hashable, Sendable {
    /// Change the role.
    case giveRole(Role)
    /// Disable the account, so that the user cannot log in.
    case disable
    /// Enable the account again.
    case enable
    /// End all sessions of the user.
    case logOut
    /// Remove the second factor, so that the password alone is enough.
    case removeSecondFactor
    /// Delete the account with all of its data.
    case delete

    /// The name of the action, with its value.
    var id: String {
        switch self {
        case .giveRole(let role): "make-" + role.rawValue
        case .disable: "disable"
        case .enable: "enable"
        case .logOut: "log-out"
        case .removeSecondFactor: "remove-second-factor"
        case .delete: "delete"
        }
    }
}
