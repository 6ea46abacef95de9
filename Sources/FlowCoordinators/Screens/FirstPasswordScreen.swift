internal import AuthService

/// The last step of a sign-up that begins with the region: the password, twice.
struct FirstPasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// Whose password it is to be.
    let username: String
    /// Whether it takes an invitation.
    let needsInvitation: Bool

    var screen: Screen {
        let fields: [Form.Field] = [
            .newPassword(.password, "Password", policy: policy, username: username),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(3, of: 3, (needsInvitation ? [.invitation] : []) + fields, submitLabel: "Register")
    }
}
