internal import AuthService
internal import Navigation

/// Manages users and shows the audit log, for operators.
final class OperatorCoordinator: Coordinator {
    /// The maximum number of audit events that are shown.
    private static let shown = 500

    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The new code, while its screen is on the stack.
    private var madeCode: MadeCode?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        let account = environment.account
        switch (event, route) {
        case (.open(let place), _): open(place, from: route, in: flow)
        case (.userActionChosen(let action), .user(let id)):
            environment.run(.userCare, in: flow) {
                try await account.perform(action, on: id)
            } then: { [flow, environment] result, route in
                environment.show(try result.get())
                // Close the user's page only if it is on top. The operator may have gone to another screen.
                if action == .delete, route == .user(id) { flow.pop() }
            }
        case (.userResetChosen, .user(let id)): showCode { try await account.issueReset(for: id) }
        case (.invitationChosen, .users): showCode { try await account.invite() }
        case (.submitted(let answers), .registration):
            guard let policy = RegistrationPolicy(rawValue: answers[.registration] ?? "") else {
                return environment.show(Notice(FormError.noChoice))
            }
            environment.run(.registrationPolicy, in: flow) {
                try await account.auth.setRegistration(policy, by: account.authority)
            } then: { [flow, environment] result, route in
                try result.get()
                environment.show(Notice("\(policy.words) now."))
                if route == .registration { flow.pop() }
            }
        default: break
        }
    }

    /// Creates a code and shows it.
    private func showCode(_ make: @escaping @Sendable () async throws -> MadeCode) {
        environment.run(.code, in: flow, make) { [self] result, _ in
            madeCode = try result.get()
            flow.push(.madeCode)
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try await content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) async throws -> Screen {
        let account = environment.account
        let (auth, authority) = (account.auth, try account.authority)
        if !environment.stack().contains(.madeCode) { madeCode = nil }
        let mayChange = AppRoute.registration.isOpen(to: account.session)
        switch route {
        case .users:
            var screen = Screen.users(try await auth.users(by: authority))
            if mayChange { screen.actions = Screen.usersActions }
            return screen
        case .user(let id):
            let user = try await account.user(id)
            let factor = try await auth.secondFactor(of: user.username, by: authority)
            var screen = Screen.user(user, secondFactor: factor)
            // Operators use the account screens for their own account.
            if mayChange, id != account.session?.user.id { screen.actions = user.actions(secondFactor: factor) }
            return screen
        case .registration: return .registration(try await auth.registration())
        case .madeCode: return .madeCode(madeCode)
        case .audit:
            let records = try await auth.events(matching: AuditQuery(limit: Self.shown), by: authority)
            let users = try await auth.users(by: authority)
            return .audit(records, users: users)
        default: throw ScreenError.misplaced(route)
        }
    }
}

extension OperatorCoordinator: SecretHolder {
    func save(to secrets: inout FlowSecrets) { secrets.madeCode = madeCode }

    func restore(from secrets: FlowSecrets) { madeCode = secrets.madeCode }
}
