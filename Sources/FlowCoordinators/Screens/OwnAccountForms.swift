internal import AuthService

extension Screen {
    /// The form that changes the name of the signed-in user.
    static func newName(of user: User) -> Screen {
        Screen(
            title: "Change name",
            content: .form(Form([.newUsername(value: user.username.text)], submitLabel: "Change")))
    }

    /// The form that asks for the password again.
    static let confirmation = Screen(
        title: "Password",
        content: .form(Form([.init(.password, "Password", kind: .secret)], submitLabel: "Continue")))

    /// The form that changes the region of the signed-in user.
    static func newRegion(of user: User) -> Screen {
        Screen(
            title: "Change region",
            content: .form(Form([.region(value: user.region.code)], submitLabel: "Change")))
    }

    /// The form that deletes the account.
    static func deletion(of user: User) -> Screen {
        Screen(
            title: "Delete account",
            content: .form(
                Form(
                    [
                        .init(
                            .password, "Password", kind: .secret,
                            hint: "Deletes the account \(user.username) and all of its data permanently.")
                    ], submitLabel: "Delete")))
    }

    /// The form in which a user who has forgotten the password chooses a new one.
    static func reset(policy: PasswordPolicy) -> Screen {
        Screen(
            title: "Reset the password",
            content: .form(
                Form(
                    [
                        .init(.code, "Code", hint: "The code that you got from an operator."),
                        // Only the service knows the user from the code, so this form cannot check whether the password
                        // contains the name.
                        .init(.newPassword, "New password", kind: .secret, hint: policy.hint),
                        .confirmation("New password again", of: .newPassword),
                    ], submitLabel: "Reset")))
    }
}

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
