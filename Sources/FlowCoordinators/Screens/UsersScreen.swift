public import AuthService

extension Screen {
    /// The list of users.
    public static func users(_ users: [User]) -> Screen {
        let columns: [ListColumn<User>] = [
            .init("ID", .identity) { String($0.id) },
            .init("Name", .primary, \.username.text),
            .init("Role", .fact, \.role.rawValue),
            .init("State", .fact, \.state),
            .init("Registered", .fact, value: { .day($0.createdAt) }),
        ]
        return Screen(
            title: "Users",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: users.map { user in
                        List.Row(columns.map { $0.cell(user) }, event: .open(.user(user.id)), id: String(user.id))
                    },
                    placeholder: "No user.",
                    choice: "Open the user")),
            model: .users(users))
    }

    /// The page of a user.
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
    /// Whether the user can log in, in words.
    fileprivate var state: String { disabledAt.map { "disabled on \($0.day)" } ?? "active" }
}

extension Screen {
    /// The actions for accounts that do not exist yet.
    static let usersActions = [
        Action("Invite somebody", .invitationChosen), Action("Who may register", .open(.registration)),
    ]

    /// The form that sets who may register.
    static func registration(_ policy: RegistrationPolicy) -> Screen {
        Screen(
            title: "Who may register",
            content: .form(
                Form(
                    [
                        .init(
                            .registration, "Accounts",
                            kind: .choice(
                                RegistrationPolicy.allCases.map { .init(value: $0.rawValue, label: $0.words) }),
                            value: policy.rawValue, hint: "The accounts that there are stay.")
                    ], submitLabel: "Save")))
    }

    /// The new code for another person, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeCode(_ made: MadeCode?) -> Screen {
        guard let made else {
            return Screen(
                title: "Code",
                content: .document(
                    Document(
                        facts: [.init("Code", "shown once, when it is made")], body: "Another can be made in its place."
                    ))
            )
        }
        let (title, body) =
            switch made.purpose {
            case .invitation:
                (
                    "Invitation",
                    "Give the code to whom you invite. “Register” asks for it in its last step, while whoever has an invitation may "
                        + "register, and makes one account by it."
                )
            case .reset(let name):
                (
                    "Reset code for \(name)",
                    "Give it to \(name) in a way that nobody else reads: who has it chooses another password, by “Forgotten "
                        + "password” at the log-in."
                )
            }
        return Screen(
            title: title,
            content: .document(
                Document(
                    facts: [.init("Code", made.code.text), .init("Ends", made.expiresAt.minute)],
                    body: body + " It is not shown again once you leave.",
                    copies: [.init("Copy the code", made.code.text)])))
    }
}

extension RegistrationPolicy {
    /// The rule in words, as a sentence without a period.
    var words: String {
        switch self {
        case .open: "Anybody may register"
        case .invitation: "Whoever has an invitation may register"
        case .closed: "Nobody may register"
        }
    }
}

extension User {
    /// The actions of an operator on this user.
    func actions(secondFactor: SecondFactor?) -> [Action] {
        let roles = Role.allCases.filter { $0 != role }.map { role in
            Action(
                "Make \(role.withArticle)", .userActionChosen(.giveRole(role)),
                confirmation: "Make \(username) \(role.withArticle)?")
        }
        let entrance =
            disabledAt == nil
            ? Action(
                "Disable", .userActionChosen(.disable), confirmation: "Keep \(username) out, and end their sessions?")
            : Action("Enable", .userActionChosen(.enable), confirmation: "Let \(username) in again?")
        let factor = Action(
            "Turn the second factor off", .userActionChosen(.removeSecondFactor),
            confirmation: "Let \(username) log in with the password alone?")
        return roles + [
            entrance,
            Action(
                "End their sessions", .userActionChosen(.logOut),
                confirmation: "End every session of \(username)? Their API tokens stay."),
            Action(
                "Issue a reset code", .userResetChosen,
                confirmation:
                    "Make a code by which \(username) chooses another password? One from before is worth nothing then."),
        ] + (secondFactor == nil ? [] : [factor]) + [
            Action(
                "Delete", .userActionChosen(.delete),
                confirmation: "Delete the account \(username), with all that is kept for it?")
        ]
    }
}
