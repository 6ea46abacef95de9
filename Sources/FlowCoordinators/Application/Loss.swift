/// The data that would be lost by leaving.
public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// The contents of the sign-up form.
    case signUp = "signup"
    /// The rest of a running import.
    case importing = "import"
}
