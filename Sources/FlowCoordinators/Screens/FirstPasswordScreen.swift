internal import AuthService

/// The last step of the sign-up: the password, twice.
struct FirstPasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// Whose password it is to be.
    let username: String
    /// Whether it takes an invitation.
    let needsInvitation: Bool

    var screen: Screen {
        let code = Form.Field(.code, "Invitation", hint: "The code of your invitation.")
        let fields: [Form.Field] = [
            .newPassword(.password, "Password", policy: policy, username: username),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(3, (needsInvitation ? [code] : []) + fields, submitLabel: "Register")
    }
}
