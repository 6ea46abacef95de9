/// The log-in form.
struct LoginScreen: Sendable {
    /// The initial value of the name.
    let username: String
    let offersRegistration: Bool

    var screen: Screen {
        Screen(
            title: "Log in",
            content: .form(
                Form(
                    [
                        .init(.username, "Username", value: username),
                        .init(.password, "Password", kind: .secret),
                    ], submitLabel: "Log in")),
            actions: (offersRegistration ? [.register] : []) + [Action("Forgotten password", .resetChosen)])
    }
}
