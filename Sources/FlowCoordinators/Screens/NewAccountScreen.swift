internal import AuthService

/// The first step of the sign-up: the name and the password.
struct NewAccountScreen: Sendable {
    let policy: PasswordPolicy
    /// The name that was typed before.
    let username: String
    let needsInvitation: Bool

    var screen: Screen {
        let fields: [Form.Field] = [
            .newUsername(value: username), .newPassword(.password, "Password", policy: policy),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(1, of: 2, (needsInvitation ? [.invitation] : []) + fields, submitLabel: "Next")
    }
}
