/// What coordinators keep with their flows, where the state of navigation is saved or waits behind the log-in. It never
/// holds a password.
public enum AppMemory: Codable, Hashable, Sendable {
    /// What was filled in for a new account.
    case signUp(region: String, username: String)
    /// Where articles were to be brought in from.
    case importing(path: String)
}
