public import Text

/// A change of a session.
public enum SessionChange: Hashable, Sendable {
    /// A new name.
    case client(String)
    /// The password was confirmed at this time.
    case confirmed(at: Date)
}
