/// Who may make an account. It is kept with the accounts, and holds for every front.
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    /// Anybody.
    case open
    /// Who has the code of an invitation.
    case invitation
    /// Nobody.
    case closed
}
