internal import AuthService

/// Who is signed in.
struct AccountScreen: Sendable {
    let session: Session

    var screen: Screen {
        Screen(
            title: session.user.username.text,
            content: .document(
                Document(facts: [
                    .init("Role", session.user.role.rawValue),
                    .init("Region", session.user.region.description),
                    .init("Registered", session.user.createdAt.day),
                    .init("Session", "\(session.id), since \(session.createdAt.minute), \(session.client)"),
                    .init("Ends", "on \(session.expiresAt.day), or earlier when it is not used"),
                ])),
            actions: [
                Action("Sessions", .sessionsChosen, for: .sessions),
                Action("API tokens", .tokensChosen),
                Action("Change password", .passwordChosen, for: .password),
                Action("Change name", .nameChosen),
                Action("Change region", .regionChosen),
                Action("Delete account", .deletionChosen),
                Action("Appearance", .appearanceChosen, for: .appearance),
            ]
                + (AppRoute.users.isOpen(to: session)
                    ? [Action("Users", .usersChosen), Action("Log of events", .auditChosen)] : []) + [
                    Action("Log out", .logOutChosen, for: .logOut),
                    Action(
                        "Log out everywhere", .logOutEverywhereChosen, for: .logOutEverywhere,
                        confirmation: "End every session, this one too?"),
                ],
            model: .account(session))
    }
}
