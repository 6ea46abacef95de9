internal import AuthService

/// The form that changes the password.
struct PasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// The name of the user.
    let username: String

    var screen: Screen {
        Screen(
            title: "Change password",
            content: .form(
                Form(
                    [
                        .init(.password, "Current password", kind: .secret),
                        .newPassword(.newPassword, "New password", policy: policy, username: username),
                        .confirmation("New password again", of: .newPassword),
                    ], submitLabel: "Change")))
    }
}
