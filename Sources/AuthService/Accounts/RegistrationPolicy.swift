/// The rule for who may make an account. It is stored with the accounts, and applies to every front.
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    /// Anybody.
    case open
    /// People with the code of an invitation.
    case invitation
    /// Nobody.
    case closed
}
