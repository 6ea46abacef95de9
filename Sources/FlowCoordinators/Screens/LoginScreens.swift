internal import ArticleStore
internal import AuthService

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

extension Form.Field {
    /// The name of a new account.
    static func newUsername(value: String) -> Form.Field {
        let lengths = Username.lengths
        return Form.Field(
            .username, "Username", value: value,
            hint: "\(lengths.lowerBound) to \(lengths.upperBound) characters: letters a to z, digits, dot, hyphen, and "
                + "underscore. It must begin and end with a letter or a digit."
        ) { answers in
            verdict(on: answers[.username]) { _ = try Username($0) }
        }
    }

    /// The region where the user lives.
    static func region(value: String) -> Form.Field {
        Form.Field(.region, "Region", kind: .choice(regions), value: value)
    }

    /// Sorted by name without accents, as in an index of names.
    private static let regions = Region.all
        .map { (key: ArticleQuery.titleKey($0.name), choice: Choice(value: $0.code, label: $0.name)) }
        .sorted { $0.key < $1.key }.map(\.choice)

    /// A new password for the account `username`, or for the name in the same form.
    static func newPassword(
        _ name: FieldName, _ label: String, policy: PasswordPolicy, username: String? = nil
    ) -> Form.Field {
        Form.Field(name, label, kind: .secret, hint: policy.hint) { answers in
            // If the name is invalid, its own field shows the error.
            guard let username = try? Username(username ?? answers[.username] ?? "") else { return .unfinished }
            return verdict(on: answers[name]) { try policy.check(Password($0), username: username) }
        }
    }

    /// The code of an invitation.
    static let invitation = Form.Field(.code, "Invitation", hint: "The code of your invitation.")

    /// The same password as in another field, typed again.
    static func confirmation(_ label: String, of other: FieldName) -> Form.Field {
        Form.Field(.confirmation, label, kind: .secret, repeating: other) { answers in
            let (text, whole) = (answers[.confirmation] ?? "", answers[other] ?? "")
            let isBegun = text.unicodeScalars.count < whole.unicodeScalars.count
            if isBegun, whole.unicodeScalars.starts(with: text.unicodeScalars) { return .unfinished }
            return verdict(on: text) { text in
                guard Password(text) == Password(whole) else { throw FormError.passwordsDiffer }
            }
        }
    }

    /// Checks a text with a rule. An empty text gets no verdict, because the user may not have typed yet.
    private static func verdict(on text: String?, _ judge: (String) throws -> Void) -> Verdict {
        guard let text, !text.isEmpty else { return .unfinished }
        do {
            try judge(text)
            return .good
        } catch {
            return .wrong("\(error)")
        }
    }
}

extension PasswordPolicy {
    /// The hint of a field for a new password.
    var hint: String {
        "At least \(minimumLength) characters, and hard to guess, such as several uncommon words."
    }
}
