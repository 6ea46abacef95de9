internal import AuthService

extension Form.Field {
    /// The name of a new account.
    static func newUsername(value: String) -> Form.Field {
        let lengths = Username.lengths
        return Form.Field(
            .username, "Username", value: value,
            hint: "\(lengths.lowerBound) to \(lengths.upperBound) characters: letters a to z, digits, dot, hyphen and "
                + "underscore; the first and the last a letter or a digit."
        ) { answers in
            complaint(about: answers[.username]) { _ = try Username($0) }
        }
    }

    /// A password that is chosen for the account `username`.
    static func newPassword(
        _ name: FieldName, _ label: String, policy: PasswordPolicy, username: String
    ) -> Form.Field {
        Form.Field(
            name, label, kind: .secret,
            hint: "At least \(policy.minimumLength) characters, and hard to guess: several uncommon words do well."
        ) { answers in
            complaint(about: answers[name]) { try policy.check(Password($0), username: Username(username)) }
        }
    }

    /// The same password as in another field, typed again.
    static func confirmation(_ label: String, of other: FieldName) -> Form.Field {
        Form.Field(.confirmation, label, kind: .secret) { answers in
            complaint(about: answers[.confirmation]) { text in
                guard Password(text) == Password(answers[other] ?? "") else { throw FormError.passwordsDiffer }
            }
        }
    }

    /// Why a text is refused; nil where it is not, or nothing has been typed.
    private static func complaint(about text: String?, _ judge: (String) throws -> Void) -> String? {
        guard let text, !text.isEmpty else { return nil }
        do {
            try judge(text)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
