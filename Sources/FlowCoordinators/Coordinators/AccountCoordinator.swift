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
        case .account: return AccountScreen(session: session).screen
        case .sessions: return try await SessionsScreen(current: session, from: environment.auth).screen
        case .password:
            return PasswordScreen(policy: environment.auth.passwordPolicy, username: session.user.username.text).screen
        case .appearance: return AppearanceScreen(chosen: environment.signedIn.appearance).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    private func leaveIfSignedOut() {
        if environment.signedIn.session == nil { flow.show([]) }
    }
}
