/// What would be lost by leaving.
public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// What was filled in for a new account.
    case signUp = "signup"
    /// The rest of an import that is going on.
    case importing = "import"
}
