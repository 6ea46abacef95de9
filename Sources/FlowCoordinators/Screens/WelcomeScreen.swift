/// The choice between log-in and sign-up.
struct WelcomeScreen: Sendable {
    var screen: Screen {
        Screen(
            title: "Welcome",
            content: .menu(text: "A library of articles, kept on this machine. Log in to read it."),
            actions: [
                Action("Log in", .logInChosen, for: .logIn), Action("Register", .registerChosen, for: .register),
            ])
    }
}
