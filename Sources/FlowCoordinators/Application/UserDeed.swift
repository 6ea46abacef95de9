public import AuthService

/// What an operator can do to a user besides making a code for them.
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
