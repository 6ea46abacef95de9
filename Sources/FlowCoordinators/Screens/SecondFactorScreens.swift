internal import AuthService

extension Screen {
    /// The form that asks for a code after the password was correct.
    static var secondFactor: Screen {
        Screen(
            title: "Second factor",
            content: .form(
                Form(
                    [
                        .init(
                            .code, "Code", hint: "The six digits that your authenticator app shows, or a recovery code."
                        )
                    ],
                    submitLabel: "Continue")))
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
                            "The second factor is off. If it is on, a login needs a code in addition to the password: six digits that "
                            + "an authenticator app, on your phone or another device, shows for half a minute each."
                    )),
                actions: [Action("Set up", .open(.secondFactorSetUp))], model: .secondFactor(nil))
        }
        return Screen(
            title: title,
            content: .document(
                Document(facts: [
                    .init("State", [.day(factor.since, before: "turned on ")]),
                    .init("Recovery codes", "\(factor.recoveryCodes) left"),
                ])),
            actions: [
                Action(
                    "New recovery codes", .recoveryCodesChosen,
                    confirmation: "Create new recovery codes? The previous codes become invalid."),
                Action(
                    "Turn off", .secondFactorRemovalChosen,
                    confirmation: "Turn off the second factor? Then a login needs only the password."),
            ], model: .secondFactor(factor))
    }

    /// The form that sets up a second factor.
    static func secondFactorSetUp(_ secret: TOTPSecret, issuer: String, account: String) -> Screen {
        Screen(
            title: "Set up a second factor",
            content: .form(
                Form(
                    [.init(.code, "Code", hint: "The six digits that the authenticator app shows now.")],
                    submitLabel: "Turn on",
                    handover: Form.Handover(
                        address: secret.address(issuer: issuer, account: account), text: secret.base32,
                        hint: "Scan this code with your authenticator app, or enter the secret."))))
    }

    /// The recovery codes, shown only once. If `codes` is empty, the screen says that they cannot be shown again.
    static func recoveryCodes(_ codes: [OneTimeCode]) -> Screen {
        let body =
            codes.isEmpty
            ? "You can create new codes, which replace them."
            : "If you do not have the authenticator app at hand, each code replaces one of its codes once. They are not shown "
                + "again: store them separately from the password."
        return Screen(
            title: "Recovery codes",
            content: .document(
                Document(
                    facts: codes.isEmpty
                        ? [.init("Codes", "shown only once, at creation")]
                        : codes.enumerated().map { .init("\($0.offset + 1)", $0.element.text) }, body: body,
                    copies: codes.isEmpty
                        ? [] : [.init("Copy the codes", codes.map(\.text).joined(separator: "\n"))])),
            model: .recoveryCodes(codes))
    }
}
