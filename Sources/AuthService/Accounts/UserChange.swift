public import Text

/// A change of an account other than the password.
public enum UserChange: Hashable, Sendable {
    /// A new role.
    case role(Role)
    /// The account is disabled since this time and its sessions end, or it is enabled again if the time is nil.
    case disabled(since: Date?)
    /// A new username.
    case username(Username)
    /// A new region.
    case region(Region)
    /// The account is deleted with its sessions and data, except for the audit log.
    case deletion
}
