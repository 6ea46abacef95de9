internal import AuthService
internal import Navigation

/// Looking after one's account: who is signed in, the sessions, the password.
final class AccountCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        // Without a session there is no account: the gate leads to the log-in.
        if environment.signedIn.session == nil { flow.show([]) }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        let signedIn = environment.signedIn
        switch event {
        case .sessionsChosen: flow.push(.sessions)
        case .passwordChosen: flow.push(.password)
        case .appearanceChosen: flow.push(.appearance)
        case .appearancePicked(let appearance):
            await environment.attempt { try await signedIn.choose(appearance) }
        case .submitted(let answers):
            guard answers[.newPassword] == answers[.confirmation] else {
                return environment.say(Notice(FormError.passwordsDiffer))
            }
            await environment.attempt {
                try await signedIn.changePassword(
                    from: answers[.password] ?? "", to: answers[.newPassword] ?? "")
                environment.say(Notice("Password changed. Every other session has ended."))
                flow.pop()
            }
        case .sessionRevoked(let id):
            await environment.attempt {
                try await signedIn.revoke(id)
                environment.say(Notice("Session \(id) has ended."))
                leaveIfSignedOut()
            }
        case .logOutChosen:
            await environment.attempt {
                try await signedIn.logOut()
                environment.say(Notice("Logged out."))
                leaveIfSignedOut()
            }
        case .logOutEverywhereChosen:
            await environment.attempt {
                let count = try await signedIn.logOutEverywhere()
                environment.say(Notice("Logged out of \(count) \(count == 1 ? "session" : "sessions")."))
                leaveIfSignedOut()
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard let session = environment.signedIn.session else { throw AuthError.notSignedIn }
        switch route {
        case .account: return accountScreen(session)
        case .sessions: return try await sessionsScreen(session)
        case .password: return passwordScreen(session)
        case .appearance: return appearanceScreen()
        default: throw ScreenError.misplaced(route)
        }
    }

    private func leaveIfSignedOut() {
        if environment.signedIn.session == nil { flow.show([]) }
    }

    private func accountScreen(_ session: Session) -> Screen {
        Screen(
            title: session.user.username.text,
            content: .document(
                Document(facts: [
                    .init("Region", session.user.region.description),
                    .init("Registered", session.user.createdAt.day),
                    .init("Session", "\(session.id), since \(session.createdAt.minute), \(session.client)"),
                    .init("Ends", "on \(session.expiresAt.day), or earlier when it is not used"),
                ])),
            actions: [
                Action("Sessions", .sessionsChosen, shortcut: "s"),
                Action("Change password", .passwordChosen, shortcut: "c"),
                Action("Appearance", .appearanceChosen, shortcut: "a"),
                Action("Log out", .logOutChosen, shortcut: "L"),
                Action(
                    "Log out everywhere", .logOutEverywhereChosen, shortcut: "E",
                    confirmation: "End every session, this one too?"),
            ],
            model: .account(session))
    }

    private func sessionsScreen(_ current: Session) async throws -> Screen {
        let sessions = try await environment.signedIn.sessions()
        return Screen(
            title: "Sessions",
            content: .list(
                List(
                    columns: [
                        .init("ID", use: [.printed, .exported]),
                        .init("SINCE", use: [.printed, .exported, .roomy]), .init("LAST USED"), .init("WHERE"),
                    ],
                    rows: sessions.map { session in
                        List.Row(
                            [
                                session.id.description, session.createdAt.minute, session.lastUsedAt.minute,
                                (session.id == current.id ? "this one, " : "") + session.client,
                            ], event: .sessionRevoked(session.id.description),
                            confirmation: session.id == current.id
                                ? "End this session, and log out here?" : "End this session elsewhere?",
                            id: session.id.description)
                    },
                    placeholder: "No session.", choice: "End the session")),
            model: .sessions(sessions, current: current))
    }

    private func appearanceScreen() -> Screen {
        Screen(
            title: "Appearance",
            content: .list(
                List(
                    columns: [.init("THEME"), .init("WHAT IT IS")],
                    rows: Appearance.allCases.map { appearance in
                        let isChosen = appearance == environment.signedIn.appearance
                        return List.Row(
                            [appearance.rawValue, (isChosen ? "this one, " : "") + appearance.summary],
                            event: .appearancePicked(appearance), id: appearance.rawValue)
                    },
                    placeholder: "No theme.", choice: "Use the theme")))
    }

    private func passwordScreen(_ session: Session) -> Screen {
        Screen(
            title: "Change password",
            content: .form(
                Form(
                    [
                        .init(.password, "Current password", kind: .secret),
                        .newPassword(
                            .newPassword, "New password", policy: environment.signedIn.passwordPolicy,
                            username: session.user.username.text),
                        .confirmation("New password again", of: .newPassword),
                    ], submitLabel: "Change")))
    }
}
