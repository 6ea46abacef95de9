public import AuthService

/// The account page of the signed-in user.
struct AccountScreen: Sendable {
    let session: Session

    var screen: Screen {
        Screen(
            title: session.user.username.text,
            content: .document(
                Document(
                    facts: [
                        .init("Role", session.user.role.rawValue),
                        .init("Region", session.user.region.description),
                        .init("Registered", [.day(session.user.createdAt)]),
                    ] + entrance)),
            actions: actions,
            model: .account(session))
    }

    /// The session or API token with which the user is signed in.
    private var entrance: [Document.Fact] {
        func end(_ reason: String) -> [Document.Fact.Part] {
            [.day(session.expiresAt, after: ", or earlier when it is \(reason)")]
        }
        guard let token = session.apiToken else {
            return [
                .init(
                    "Session",
                    [
                        .init(session.id.description), .minute(session.createdAt, before: "begun "),
                        .init(session.client),
                    ]),
                .init("Ends", end("not used")),
            ]
        }
        return [
            .init("API token", "\(token.id) “\(token.name)”, to \(token.scope.rawValue)"),
            .init("Ends", end("revoked")),
        ]
    }

    /// The screens that the user can open from here, as far as they are permitted, and the ends of sessions. An API token
    /// ends none: only a user who logged in with a password may revoke it.
    private var actions: [Action] {
        let everywhere = Action(
            "Log out everywhere", .logOutEverywhereChosen, for: .logOutEverywhere,
            confirmation: "End all sessions, including this one?")
        let isSession = session.apiToken == nil
        return section("Reading", ("Appearance", .appearance, .appearance))
            + section(
                "Security", ("Change password", .password, .password),
                ("Second factor", .secondFactorSettings, .other), ("Sessions", .sessions, .sessions),
                and: isSession ? [everywhere] : [])
            + section("Other programs", ("API tokens", .tokens, .other), ("Feed address", .feedAddress, .other))
            + section(
                "Profile", ("Change name", .name, .other), ("Change region", .region, .other),
                ("Delete account", .deletion, .other))
            + section("Administration", ("Users", .users, .other), ("Audit log", .audit, .other))
            + (isSession ? [Action.logOut] : [])
    }

    private func section(
        _ title: String, _ openings: (label: String, place: AppRoute, purpose: Action.Purpose)...,
        and others: [Action] = []
    ) -> [Action] {
        let opening = openings.filter { $0.place.isOpen(to: session) }.map {
            Action($0.label, .open($0.place), for: $0.purpose)
        }
        return (opening + others).map { action in
            var action = action
            action.section = title
            return action
        }
    }
}

/// The sessions of an account.
public struct SessionsScreen: Sendable {
    private let sessions: [Session]
    private let current: Session?

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - sessions: the sessions of one user, in display order.
    ///   - current: the session of the front, if it is one of them.
    public init(_ sessions: [Session], current: Session? = nil) {
        self.sessions = sessions
        self.current = current
    }

    private var columns: [ListColumn<Session>] {
        [
            .init("ID", .identity, \.id.description),
            .init("Since", .detail, value: { .time($0.createdAt) }),
            .init("Last used", .fact, value: { .time($0.lastUsedAt) }),
            .init("Address", .detail, \.origin.text),
            .init("Program", .primary) { [id = current?.id] in ($0.id == id ? "current, " : "") + $0.client },
        ]
    }

    /// The screen.
    public var screen: Screen {
        let columns = columns
        return Screen(
            title: "Sessions",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: sessions.map { session in
                        List.Row(
                            columns.map { $0.cell(session) }, event: .sessionRevocationChosen(session.id),
                            confirmation: session.id == current?.id
                                ? "End this session, and log out here?" : "End this session on another device?",
                            id: session.id.description)
                    },
                    placeholder: "There are no sessions.", choice: "End the session")),
            model: .sessions(sessions, current: current))
    }
}

/// The form to choose how screens look.
struct AppearanceScreen: Sendable {
    /// The present appearance.
    let chosen: Appearance
    /// The present text size.
    let textSize: TextSize

    private var columns: [ListColumn<Appearance>] {
        [
            .init("Theme", .primary, \.rawValue),
            .init("Description", .fact) { [chosen] in ($0 == chosen ? "current, " : "") + $0.summary },
        ]
    }

    var screen: Screen {
        let columns = columns
        return Screen(
            title: "Appearance",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: Appearance.allCases.map { appearance in
                        List.Row(
                            columns.map { $0.cell(appearance) }, event: .appearancePicked(appearance),
                            id: appearance.rawValue)
                    },
                    placeholder: "There are no themes.", choice: "Use the theme")),
            actions: actions)
    }

    private var actions: [Action] {
        [("Larger text", "larger-text", textSize.larger), ("Smaller text", "smaller-text", textSize.smaller)]
            .compactMap { label, id, size in size.map { Action(label, .textSizeChosen($0), id: id) } }
    }
}
