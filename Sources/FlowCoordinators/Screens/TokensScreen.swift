internal import AuthService
internal import Text

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
                    placeholder: "There are no tokens.",
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
                        .init(.name, "Name", hint: "The name of the token, such as the program that uses it."),
                        .init(
                            .scope, "For", kind: .choice(APIToken.Scope.allCases.map(\.choice)),
                            value: APIToken.Scope.read.rawValue),
                        .init(.days, "Days", value: "90", hint: "The lifetime in days: 1 to \(days).") { answers in
                            guard let text = answers[.days], !text.isEmpty else { return .unfinished }
                            if let count = Int(text), 1...days ~= count { return .good }
                            return .wrong("enter a number of days from 1 to \(days)")
                        },
                    ], submitLabel: "Create the token")))
    }

    /// The new API token, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeToken(_ made: (token: APIToken, secret: SessionToken)?) -> Screen {
        let facts: [Document.Fact] =
            made.map { made in
                [
                    .init("Token", made.secret.text),
                    .init("Name", made.token.name),
                    .init("For", made.token.scope.rawValue),
                    .init("Ends", [.day(made.token.expiresAt)]),
                ]
            } ?? [.init("Token", "shown only once, at creation")]
        return Screen(
            title: "API token",
            content: .document(
                Document(
                    facts: facts,
                    body: made == nil
                        ? "You can create another token."
                        : "It is not shown again: copy it into the program that uses it. Everybody who has the token can use your "
                            + "account within its scope, until it expires or is revoked.",
                    copies: made.map { [.init("Copy the token", $0.secret.text)] } ?? [])))
    }
}

extension APIToken.Scope {
    /// The label of the scope in a form.
    fileprivate var choice: Form.Field.Choice {
        let label =
            switch self {
            case .read: "Read: lists, articles, searches"
            case .write: "Write: marks, and other changes that your role allows"
            }
        return Form.Field.Choice(value: rawValue, label: label)
    }
}

extension Screen {
    /// Whether the user has a feed address, with the actions to create or remove it.
    static func feedAddress(since date: Date?) -> Screen {
        let make = Action(
            date == nil ? "Create an address" : "Replace the address", .newFeedAddressChosen,
            confirmation: date == nil ? nil : "Create a new address? The previous address becomes invalid.")
        let remove = Action(
            "Remove the address", .feedAddressRemovalChosen,
            confirmation: "Remove the address? Its feeds will not be available anymore.")
        return Screen(
            title: "Feed address",
            content: .document(
                Document(
                    facts: [.init("Address", [date.map { .day($0, before: "created ") } ?? .init("none")])],
                    body:
                        "This secret address gives your lists to programs that cannot log in, such as most feed readers. "
                        + "Everybody who has the address can read them. It becomes invalid when you replace it, when you remove "
                        + "it, and when the password changes.")),
            actions: date == nil ? [make] : [make, remove])
    }

    /// The new feed address, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeFeedAddress(_ secret: FeedSecret?) -> Screen {
        let addresses = secret.map { secret in
            [("Atom", "atom"), ("JSON Feed", "json")].map { (name: $0.0, path: "/feeds/\(secret.text)/\($0.1)") }
        }
        let facts: [Document.Fact] =
            addresses?.map { .init($0.name, $0.path) } ?? [.init("Address", "shown only once, at creation")]
        return Screen(
            title: "Feed address",
            content: .document(
                Document(
                    facts: facts,
                    body: secret == nil
                        ? "You can create another address, which replaces it."
                        : "Put one of these after the address of the server. They are not shown again: copy one into the program "
                            + "that reads your lists.",
                    copies: addresses?.map { .init("Copy the address of \($0.name)", $0.path) } ?? [])))
    }
}
