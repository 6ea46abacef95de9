public import AuthService

/// The actions of an operator on a user, except for making a code.
public enum UserDeed: Hashable, Sendable {
    /// To let them do more or less.
    case giveRole(Role)
    /// To keep them out.
    case disable
    /// To let them in again.
    case enable
    /// To end all their sessions.
    case logOut
    /// To let them log in with the password alone.
    case removeSecondFactor
    /// To delete the account, with all that is kept for it.
    case delete
}
