internal import AuthService

extension Screen {
    /// What programs log in with in the name of who is signed in.
    static func tokens(_ tokens: [APIToken]) -> Screen {
        let columns: [ListColumn<APIToken>] = [
            .init("ID", .identity, \.id.description),
            .init("Name", .primary, \.name),
            .init("For", .fact, \.scope.rawValue),
            .init("Made", .detail, \.createdAt.day),
            .init("Ends", .fact, \.expiresAt.day),
            .init("Last used", .fact) { $0.lastUsedAt?.minute ?? "never" },
        ]
        return Screen(
            title: "API tokens",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: tokens.map { token in
                        List.Row(
                            columns.map { $0.cell(token) }, event: .tokenRevoked(token.id),
                            confirmation: "Revoke the token “\(token.name)”?", id: token.id.description)
                    },
                    placeholder: "No token. A command line makes one: articlesctl tokens create",
                    choice: "Revoke the token")),
            model: .tokens(tokens))
    }
}
