/// The data of coordinators that is saved with a navigation state, or waits behind the log-in. It never contains a
/// password.
public enum AppMemory: Codable, Hashable, Sendable {
    /// The contents of the sign-up form.
    case signUp(region: String, username: String)
    /// The path from which articles were to be imported.
    case importing(path: String)
}
