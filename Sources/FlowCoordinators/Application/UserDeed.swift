public import AuthService

/// The actions of an operator on a user, except for creating a code.
public enum UserDeed: Hashable, Sendable {
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
}
