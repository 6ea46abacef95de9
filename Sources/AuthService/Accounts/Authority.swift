/// The identity on whose behalf a privileged operation is requested.
public enum Authority: Sendable {
    /// The user with this token. The token is checked each time, so the operation never exceeds the rights of its user.
    case token(SessionToken)
    /// The operating system's user with this name, who can write the database file, so that checks here would be
    /// pointless. Only a program run by that user may pass this value, never a server.
    case system(user: String)
}
