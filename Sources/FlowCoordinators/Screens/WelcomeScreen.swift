/// The choice between log-in and sign-up.
struct WelcomeScreen: Sendable {
    let offersRegistration: Bool

    var screen: Screen {
        Screen(
            title: "Welcome",
            content: .menu(text: "A library of articles, kept on this machine. Log in to read it."),
            actions: [Action("Log in", .logInChosen, for: .logIn)] + (offersRegistration ? [.register] : []))
    }
}

extension Action {
    /// Opens the sign-up.
    static let register = Action("Register", .registerChosen, for: .register)
}
