internal import AuthService

extension Screen {
    /// The form that asks for a code after the password was correct.
    static var secondFactor: Screen {
        Screen(
            title: "Second factor",
            content: .form(
                Form(
                    [.init(.code, "Code", hint: "The six digits that your authenticator shows, or a recovery code.")],
                    submitLabel: "Go on")))
    }

    /// Whether the account has a second factor, with the actions to set it up or remove it.
    static func secondFactorSettings(_ factor: SecondFactor?) -> Screen {
        let title = "Second factor"
        guard let factor else {
            return Screen(
                title: title,
                content: .document(
                    Document(
                        facts: [.init("State", "off")],
                        body:
                            "It is off. With a second factor, a log-in takes a code besides the password: six digits that "
                            + "an authenticator, a program on your telephone or elsewhere, shows for half a minute each."
                    )),
                actions: [Action("Set up", .open(.secondFactorSetUp))], model: .secondFactor(nil))
        }
        return Screen(
            title: title,
            content: .document(
                Document(facts: [
                    .init("State", "on since \(factor.since.day)"),
                    .init("Recovery codes", "\(factor.recoveryCodes) left"),
                ])),
            actions: [
                Action(
                    "New recovery codes", .recoveryCodesChosen,
                    confirmation: "Make other recovery codes? Those from before are worth nothing then."),
                Action(
                    "Turn off", .secondFactorRemovalChosen,
                    confirmation: "Turn it off? The password alone is enough to log in then."),
            ], model: .secondFactor(factor))
    }

    /// The form that sets up a second factor.
    static func secondFactorSetUp(_ secret: TOTPSecret, issuer: String, account: String) -> Screen {
        Screen(
            title: "Set up a second factor",
            content: .form(
                Form(
                    [.init(.code, "Code", hint: "The six digits that the authenticator shows now.")],
                    submitLabel: "Turn on",
                    handover: Form.Handover(
                        address: secret.address(issuer: issuer, account: account), text: secret.base32,
                        hint: "Scan this with your authenticator, or type the secret in."))))
    }

    /// The recovery codes, shown only once. If `codes` is empty, the screen says that they cannot be shown again.
    static func recoveryCodes(_ codes: [OneTimeCode]) -> Screen {
        let body =
            codes.isEmpty
            ? "Others can be made in their place."
            : "Each of these takes the place of a code, once, when the authenticator is not at hand. They are not shown "
                + "again: keep them where the password is not."
        return Screen(
            title: "Recovery codes",
            content: .document(
                Document(
                    facts: codes.isEmpty
                        ? [.init("Codes", "shown once, when they are made")]
                        : codes.enumerated().map { .init("\($0.offset + 1)", $0.element.text) }, body: body,
                    copies: codes.isEmpty
                        ? [] : [.init("Copy the codes", codes.map(\.text).joined(separator: "\n"))])),
            model: .recoveryCodes(codes))
    }
}
