internal import AuthService

/// The last step of a sign-up that begins with the region: the password, twice.
struct FirstPasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// The name of the new user.
    let username: String
    /// Whether an invitation is required.
    let needsInvitation: Bool

    var screen: Screen {
        let fields: [Form.Field] = [
            .newPassword(.password, "Password", policy: policy, username: username),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(3, of: 3, (needsInvitation ? [.invitation] : []) + fields, submitLabel: "Register")
    }
}
