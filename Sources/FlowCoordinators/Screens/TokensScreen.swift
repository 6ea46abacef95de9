internal import AuthService

extension Screen {
    /// The API tokens of the signed-in user, with which programs log in.
    static func tokens(_ tokens: [APIToken]) -> Screen {
        let columns: [ListColumn<APIToken>] = [
            .init("ID", .identity, \.id.description),
            .init("Name", .primary, \.name),
            .init("For", .fact, \.scope.rawValue),
            .init("Made", .detail, value: { .day($0.createdAt) }),
            .init("Ends", .fact, value: { .day($0.expiresAt) }),
            .init("Last used", .fact, value: { $0.lastUsedAt.map { .time($0) } ?? .text("never") }),
        ]
        return Screen(
            title: "API tokens",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: tokens.map { token in
                        List.Row(
                            columns.map { $0.cell(token) }, event: .tokenRevocationChosen(token.id),
                            confirmation: "Revoke the token “\(token.name)”?", id: token.id.description)
                    },
                    placeholder: "No token.",
                    choice: "Revoke the token")),
            actions: [Action("New token", .open(.newToken))], model: .tokens(tokens))
    }

    /// The form that creates an API token.
    ///
    /// - Parameter longest: the maximum lifetime of a token, in seconds.
    static func newToken(longest: Double) -> Screen {
        let days = Int(longest / 86_400)
        return Screen(
            title: "New API token",
            content: .form(
                Form(
                    [
                        .init(.name, "Name", hint: "What to call it, such as the program that it is for."),
                        .init(
                            .scope, "For", kind: .choice(APIToken.Scope.allCases.map(\.choice)),
                            value: APIToken.Scope.read.rawValue),
                        .init(.days, "Days", value: "90", hint: "How long it lasts: 1 to \(days) days.") { answers in
                            guard let text = answers[.days], !text.isEmpty else { return .unfinished }
                            if let count = Int(text), 1...days ~= count { return .good }
                            return .wrong("say how long it lasts: 1 to \(days) days")
                        },
                    ], submitLabel: "Make the token")))
    }

    /// The new API token, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeToken(_ made: (token: APIToken, secret: SessionToken)?) -> Screen {
        let facts: [Document.Fact] =
            made.map { made in
                [
                    .init("Token", made.secret.text),
                    .init("Name", made.token.name),
                    .init("For", made.token.scope.rawValue),
                    .init("Ends", made.token.expiresAt.day),
                ]
            } ?? [.init("Token", "shown once, when it is made")]
        return Screen(
            title: "API token",
            content: .document(
                Document(
                    facts: facts,
                    body: made == nil
                        ? "Another can be made in its place."
                        : "It is not shown again: give it to the program that it is for. Who has it does in your name what it is "
                            + "for, until it ends or is revoked.",
                    copies: made.map { [.init("Copy the token", $0.secret.text)] } ?? [])))
    }
}

extension APIToken.Scope {
    /// The label of the scope in a form.
    fileprivate var choice: Form.Field.Choice {
        let label =
            switch self {
            case .read: "Read: lists, articles, searches"
            case .write: "Write: marks, and what the role allows besides"
            }
        return Form.Field.Choice(value: rawValue, label: label)
    }
}
