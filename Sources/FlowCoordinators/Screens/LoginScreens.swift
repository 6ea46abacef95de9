/// The choice between login and registration.
struct WelcomeScreen: Sendable {
    let offersRegistration: Bool

    var screen: Screen {
        Screen(
            title: "Welcome",
            content: .menu(text: "A library of articles on this machine. Log in to read it."),
            actions: [Action("Log in", .open(.login()), for: .logIn)] + (offersRegistration ? [.register] : []))
    }
}

extension Action {
    /// Opens the registration.
    static let register = Action("Register", .open(.signUpAccount), for: .register)
}

/// The login form.
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
            actions: (offersRegistration ? [.register] : []) + [Action("Forgot password", .open(.reset))])
    }
}
