/// The rule for who may register. It is stored with the accounts, and applies to all fronts.
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    /// Anybody.
    case open
    /// People with the code of an invitation.
    case invitation
    /// Nobody.
    case closed
}
