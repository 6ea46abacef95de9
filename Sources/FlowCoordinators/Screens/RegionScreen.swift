/// The first step of the sign-up: the region.
struct RegionScreen: Sendable {
    /// What was chosen before.
    let region: String

    var screen: Screen {
        .signUpStep(1, [.region(value: region)], submitLabel: "Next")
    }
}

extension Screen {
    /// One of the three steps of the sign-up.
    static func signUpStep(_ number: Int, _ fields: [Form.Field], submitLabel: String) -> Screen {
        Screen(title: "Register (\(number) of 3)", content: .form(Form(fields, submitLabel: submitLabel)))
    }
}
