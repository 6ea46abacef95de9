/// The second step of the sign-up: the name.
struct UsernameScreen: Sendable {
    /// What was typed before.
    let username: String

    var screen: Screen { .signUpStep(2, [.newUsername(value: username)], submitLabel: "Next") }
}
