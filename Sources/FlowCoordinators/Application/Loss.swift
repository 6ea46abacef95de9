/// The data that would be lost by leaving.
public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// The form of a new account.
    case signUp = "signup"
    /// The rest of an import that is going on.
    case importing = "import"
}
