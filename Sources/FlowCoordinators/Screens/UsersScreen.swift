public import AuthService

extension Screen {
    /// The list of users.
    public static func users(_ users: [User]) -> Screen {
        let columns: [ListColumn<User>] = [
            .init("ID", .identity) { String($0.id) },
            .init("Name", .primary, \.username.text),
            .init("Role", .fact, \.role.rawValue),
            .init("State", .fact, value: { $0.disabledAt.map { .state("disabled", since: $0) } ?? .text("active") }),
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
                    placeholder: "There are no users.",
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
                    .init("State", [user.disabledAt.map { .day($0, before: "disabled ") } ?? .init("active")]),
                    .init("Region", user.region.description),
                    .init("Registered", [.day(user.createdAt)]),
                    .init("Password", [.day(user.passwordChangedAt, before: "set ")]),
                    .init("Second factor", [secondFactor.map { .day($0.since, before: "turned on ") } ?? .init("off")]),
                ])))
    }
}

extension Screen {
    /// The actions for accounts that do not exist yet.
    static let usersActions = [
        Action("Invite a user", .invitationChosen), Action("Who may register", .open(.registration)),
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
                            value: policy.rawValue, hint: "Existing accounts do not change.")
                    ], submitLabel: "Save")))
    }

    /// The new code for another person, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeCode(_ made: MadeCode?) -> Screen {
        guard let made else {
            return Screen(
                title: "Code",
                content: .document(
                    Document(
                        facts: [.init("Code", "shown only once, at creation")],
                        body: "You can create another code, which replaces it."
                    ))
            )
        }
        let (title, body) =
            switch made.purpose {
            case .invitation:
                (
                    "Invitation",
                    "Give the code to the user whom you invite. While registration needs an invitation, the last step of “Register” "
                        + "asks for the code. It can be used for one account."
                )
            case .reset(let name):
                (
                    "Reset code for \(name)",
                    "Send it to \(name) confidentially: everybody who has the code can set a new password, with “Forgot "
                        + "password” on the login screen."
                )
            }
        return Screen(
            title: title,
            content: .document(
                Document(
                    facts: [.init("Code", made.code.text), .init("Ends", [.minute(made.expiresAt)])],
                    body: body + " It is not shown again.",
                    copies: [.init("Copy the code", made.code.text)])))
    }
}

extension RegistrationPolicy {
    /// The rule in words, as a sentence without a period.
    var words: String {
        switch self {
        case .open: "Everybody may register"
        case .invitation: "Everybody with an invitation may register"
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
                "Disable", .userActionChosen(.disable),
                confirmation: "Disable \(username), and end all of their sessions?")
            : Action("Enable", .userActionChosen(.enable), confirmation: "Enable \(username)?")
        let factor = Action(
            "Remove the second factor", .userActionChosen(.removeSecondFactor),
            confirmation: "Remove the second factor of \(username), so that a login needs only the password?")
        return roles + [
            entrance,
            Action(
                "End their sessions", .userActionChosen(.logOut),
                confirmation: "End all sessions of \(username)? Their API tokens stay valid."),
            Action(
                "Create a reset code", .userResetChosen,
                confirmation:
                    "Create a code with which \(username) can set a new password? A previous code becomes invalid."),
        ] + (secondFactor == nil ? [] : [factor]) + [
            Action(
                "Delete", .userActionChosen(.delete),
                confirmation: "Delete the account \(username) and all of its data?")
        ]
    }
}

extension Screen {
    /// The audit log, latest entry first.
    ///
    /// - Parameters:
    ///   - records: the records to show.
    ///   - users: the users, for their names. A deleted user is shown by number.
    ///   - isFiltered: whether the log may have other records.
    public static func audit(_ records: [AuditRecord], users: [User], isFiltered: Bool = false) -> Screen {
        let names = Dictionary(users.map { ($0.id, $0.username.text) }, uniquingKeysWith: { first, _ in first })
        @Sendable func name(_ id: User.ID) -> String { names[id] ?? "user \(id)" }
        let columns: [ListColumn<AuditRecord>] = [
            .init("ID", .identity) { String($0.id) },
            .init("When", .fact, value: { .time($0.event.at) }),
            .init("Event", .primary, \.event.kind.rawValue),
            .init("Outcome", .fact, \.event.kind.outcome.rawValue),
            .init("User", .fact) { $0.event.userID.map(name) ?? "" },
            .init("By", .fact) { record in
                switch record.event.actor {
                case .holder: ""
                case .user(let id): name(id)
                case .token, .system: record.event.actor.description
                }
            },
            .init("Session", .detail) { $0.event.sessionID?.description ?? "" },
            .init("From", .detail) {
                [$0.event.client, $0.event.origin.text].filter { !$0.isEmpty }.joined(separator: ", ")
            },
            .init("Detail", .detail, \.event.detail),
        ]
        return Screen(
            title: "Audit log",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: records.map { record in List.Row(columns.map { $0.cell(record) }, id: String(record.id)) },
                    placeholder: isFiltered ? "No record matches." : "The log is empty.")),
            model: .audit(records))
    }
}
