/// The last or the first step of the sign-up: the region.
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
    /// A step of the sign-up.
    static func signUpStep(_ number: Int, of count: Int, _ fields: [Form.Field], submitLabel: String) -> Screen {
        Screen(title: "Register (\(number) of \(count))", content: .form(Form(fields, submitLabel: submitLabel)))
    }
}
