public import AuthService

extension Screen {
    /// Who has an account.
    public static func users(_ users: [User]) -> Screen {
        let columns: [ListColumn<User>] = [
            .init("ID", .identity) { String($0.id) },
            .init("Name", .primary, \.username.text),
            .init("Role", .fact, \.role.rawValue),
            .init("State", .fact, \.state),
            .init("Registered", .fact, \.createdAt.day),
        ]
        return Screen(
            title: "Users",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: users.map { user in List.Row(columns.map { $0.cell(user) }, id: String(user.id)) },
                    placeholder: "No user.")),
            model: .users(users))
    }

    /// One of those who have an account.
    public static func user(_ user: User, secondFactor: SecondFactor?) -> Screen {
        Screen(
            title: user.username.text,
            content: .document(
                Document(facts: [
                    .init("ID", String(user.id)),
                    .init("Role", user.role.rawValue),
                    .init("State", user.state),
                    .init("Region", user.region.description),
                    .init("Registered", user.createdAt.day),
                    .init("Password", "of \(user.passwordChangedAt.day)"),
                    .init("Second factor", secondFactor.map { "on since \($0.since.day)" } ?? "off"),
                ])))
    }
}

extension User {
    /// Whether they can log in, in words.
    fileprivate var state: String { disabledAt.map { "disabled on \($0.day)" } ?? "active" }
}
