internal import AuthService
internal import Navigation

/// Manages users and shows the audit log, for operators.
final class OperatorCoordinator: Coordinator {
    /// The maximum number of audit events that are shown.
    private static let shown = 500

    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The new code, while its screen is on the stack.
    private var madeCode: UserCare.MadeCode?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    private var care: UserCare { UserCare(auth: environment.auth, authority: environment.signedIn.authority) }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        let care = care
        switch (event, route) {
        case (.userChosen(let id), .users): flow.push(.user(id))
        case (.userDeedChosen(let deed), .user(let id)):
            flow.run(.userCare, { .userDeedDone($0) }) { try await care.perform(deed, on: id) }
        case (.userResetChosen, .user(let id)):
            flow.run(.code, { .codeMade($0) }) { try await care.issueReset(for: id) }
        case (.invitationChosen, .users): flow.run(.code, { .codeMade($0) }) { try await care.invite() }
        case (.registrationChosen, .users): flow.push(.registration)
        case (.submitted(let answers), .registration):
            guard let policy = RegistrationPolicy(rawValue: answers[.registration] ?? "") else {
                return environment.say(Notice(FormError.noChoice))
            }
            flow.run(.registrationPolicy, { .registrationSaved($0) }) { try await care.open(policy) }
        case (.answered(let answer), _): await take(answer.kind, in: route)
        default: break
        }
    }

    private func take(_ answer: Answer.Kind, in route: AppRoute) async {
        switch answer {
        case .userDeedDone(let result):
            await environment.attempt {
                switch try result.get() {
                case .changed(let notice): environment.say(notice)
                case .deleted(let id, let notice):
                    environment.say(notice)
                    // Close the user's page only if it is on top. The operator may have gone to another screen.
                    if route == .user(id) { flow.pop() }
                }
            }
        case .codeMade(let result):
            await environment.attempt {
                madeCode = try result.get()
                flow.push(.madeCode)
            }
        case .registrationSaved(let result):
            await environment.attempt {
                environment.say(Notice("\(try result.get().words) from now on."))
                if route == .registration { flow.pop() }
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try await content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) async throws -> Screen {
        guard let session = environment.signedIn.session, let authority = environment.signedIn.authority else {
            throw AuthError.notSignedIn
        }
        if !environment.stack().contains(.madeCode) { madeCode = nil }
        let mayChange = AppRoute.registration.isOpen(to: session)
        switch route {
        case .users:
            var screen = Screen.users(try await environment.auth.users(by: authority))
            if mayChange { screen.actions = Screen.usersActions }
            return screen
        case .user(let id):
            let user = try await care.user(id)
            let factor = try await environment.auth.secondFactor(of: user.username, by: authority)
            var screen = Screen.user(user, secondFactor: factor)
            // Operators use the account screens for their own account.
            if mayChange, id != session.user.id { screen.actions = user.deeds(secondFactor: factor) }
            return screen
        case .registration: return .registration(try await environment.auth.registration())
        case .madeCode: return .madeCode(madeCode)
        case .audit:
            let records = try await environment.auth.events(matching: AuditQuery(limit: Self.shown), by: authority)
            let users = try await environment.auth.users(by: authority)
            return .audit(records, users: users)
        default: throw ScreenError.misplaced(route)
        }
    }
}
