/// The memory of coordinators, for a state of navigation that is saved or waits behind the log-in. It never
/// holds a password.
public enum AppMemory: Codable, Hashable, Sendable {
    /// The form of a new account.
    case signUp(region: String, username: String)
    /// The path from which articles were to be imported.
    case importing(path: String)
}
