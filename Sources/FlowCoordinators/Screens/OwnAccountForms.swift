internal import AuthService

extension Screen {
    /// The form that gives who is signed in another name.
    static func newName(of user: User) -> Screen {
        Screen(
            title: "Change name",
            content: .form(Form([.newUsername(value: user.username.text)], submitLabel: "Change")))
    }

    /// The form that takes the password once more.
    static let confirmation = Screen(
        title: "Password",
        content: .form(Form([.init(.password, "Password", kind: .secret)], submitLabel: "Go on")))

    /// The form that says where who is signed in lives now.
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
                            hint: "The account \(user.username) goes for good, with everything that is kept for it.")
                    ], submitLabel: "Delete")))
    }

    /// The form by which who has forgotten the password chooses another.
    static func reset(policy: PasswordPolicy) -> Screen {
        Screen(
            title: "Reset the password",
            content: .form(
                Form(
                    [
                        .init(.code, "Code", hint: "The code that an operator has given you."),
                        // Whose it is, and so whether it holds their name, the code tells the service alone.
                        .init(.newPassword, "New password", kind: .secret, hint: policy.hint),
                        .confirmation("New password again", of: .newPassword),
                    ], submitLabel: "Reset")))
    }
}
