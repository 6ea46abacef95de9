internal import AuthService

/// The last step of the sign-up: the password, twice.
struct FirstPasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// Whose password it is to be.
    let username: String

    var screen: Screen {
        .signUpStep(
            3, .newPassword(.password, "Password", policy: policy, username: username),
            .confirmation("Password again", of: .password), submitLabel: "Register")
    }
}
