public import Essentials

/// The changes of an account, except for the password.
public enum UserChange: Hashable, Sendable {
    /// It may do something else.
    case role(Role)
    /// It cannot be logged in to since that time, and its sessions end; nil when it can again.
    case disabled(since: Date?)
    /// It is called something else.
    case username(Username)
    /// Its holder lives somewhere else.
    case region(Region)
    /// It goes, with its sessions and all that is kept for it but the log of what happened.
    case deletion
}
