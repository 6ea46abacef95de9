public import Essentials

/// What can be changed about a session.
public enum SessionChange: Hashable, Sendable {
    /// What it is called.
    case client(String)
    /// Its password was given once more, at this time.
    case confirmed(at: Date)
}
