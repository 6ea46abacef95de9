internal import AuthService

/// The first step of the registration: the name and the password.
struct NewAccountScreen: Sendable {
    let policy: PasswordPolicy
    /// The name that was typed before.
    let username: String
    let needsInvitation: Bool

    var screen: Screen {
        let fields: [Form.Field] = [
            .newUsername(value: username), .newPassword(.password, "Password", policy: policy),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(1, of: 2, (needsInvitation ? [.invitation] : []) + fields, submitLabel: "Next")
    }
}

/// The last or the first step of the registration: the region.
struct RegionScreen: Sendable {
    /// The region that was chosen before.
    let region: String
    /// Whether the name and the password were given before.
    let isLast: Bool

    var screen: Screen {
        isLast
            ? .signUpStep(2, of: 2, [.region(value: region)], submitLabel: "Register")
            : .signUpStep(1, of: 3, [.region(value: region)], submitLabel: "Next")
    }
}

extension Screen {
    /// A step of the registration.
    static func signUpStep(_ number: Int, of count: Int, _ fields: [Form.Field], submitLabel: String) -> Screen {
        Screen(title: "Register (\(number) of \(count))", content: .form(Form(fields, submitLabel: submitLabel)))
    }
}

/// The second step of a registration that begins with the region: the name.
struct UsernameScreen: Sendable {
    /// The name that was typed before.
    let username: String

    var screen: Screen { .signUpStep(2, of: 3, [.newUsername(value: username)], submitLabel: "Next") }
}

/// The last step of a registration that begins with the region: the password, twice.
struct FirstPasswordScreen: Sendable {
    let policy: PasswordPolicy
    /// The name of the new user.
    let username: String
    /// Whether an invitation is required.
    let needsInvitation: Bool

    var screen: Screen {
        let fields: [Form.Field] = [
            .newPassword(.password, "Password", policy: policy, username: username),
            .confirmation("Password again", of: .password),
        ]
        return .signUpStep(3, of: 3, (needsInvitation ? [.invitation] : []) + fields, submitLabel: "Register")
    }
}
