/// The second step of a sign-up that begins with the region: the name.
struct UsernameScreen: Sendable {
    /// The name that was typed before.
    let username: String

    var screen: Screen { .signUpStep(2, of: 3, [.newUsername(value: username)], submitLabel: "Next") }
}
