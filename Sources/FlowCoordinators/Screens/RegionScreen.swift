internal import ArticleStore
internal import AuthService

/// The first step of the sign-up: the region.
struct RegionScreen: Sendable {
    /// What was chosen before.
    let region: String

    var screen: Screen {
        .signUpStep(1, .init(.region, "Region", kind: .choice(Self.regions), value: region), submitLabel: "Next")
    }

    /// As in an index of names: by the letters, without their accents.
    private static let regions = Region.all
        .map { (key: ArticleQuery.titleKey($0.name), choice: Form.Field.Choice(value: $0.code, label: $0.name)) }
        .sorted { $0.key < $1.key }.map(\.choice)
}

extension Screen {
    /// One of the three steps of the sign-up.
    static func signUpStep(_ number: Int, _ fields: Form.Field..., submitLabel: String) -> Screen {
        Screen(title: "Register (\(number) of 3)", content: .form(Form(fields, submitLabel: submitLabel)))
    }
}
