internal import AuthService
internal import Navigation

/// Shows the login form, and from there leads to the registration.
final class LoginCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The name that was typed last. It stays in the form after a wrong password.
    private var username: String?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() {
        // A message about the reason for this login takes precedence.
        if environment.isSilent(), let user = environment.currentUser.session?.user {
            environment.show(Notice("You are logged in as \(user.username). If you log in again, that session ends."))
        }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch event {
        case .submitted(let answers) where route == .reset:
            resetPassword(answers)
        case .submitted(let answers):
            let (name, password) = (answers[.username] ?? "", answers[.password] ?? "")
            username = name
            guard environment.attempt({ try environment.currentUser.prepareTokenWrite() }) else { return }
            let (account, device) = (environment.account, environment.currentUser.device(of: name))
            environment.run(.logIn, in: flow) {
                try await account.logIn(username: name, password: Password(password), device: device)
            } then: { [flow, environment] result, _ in
                if case .success(.codeNeeded(let pending)) = result {
                    environment.currentUser.waitForCode(pending)
                    return flow.begin(.secondFactor)
                }
                try environment.currentUser.startSession(Result { try result.get().grant })
                flow.finish()
            }
        case .open(let place):
            flow.stop(.logIn)
            open(place, from: route, in: flow)
        default: break
        }
    }

    private func resetPassword(_ answers: Answers) {
        guard answers[.newPassword] == answers[.confirmation] else {
            return environment.show(Notice(FormError.passwordsDiffer))
        }
        let account = environment.account
        environment.run(.passwordReset, in: flow) {
            try await account.resetPassword(by: answers[.code] ?? "", to: answers[.newPassword] ?? "")
        } then: { [self] result, _ in
            username = try result.get().username.text
            environment.show(Notice("Changed the password. All sessions have ended; log in with the new password."))
            flow.pop()
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .login(let suggestion):
            let offersRegistration = try await environment.account.auth.registration() != .closed
            return LoginScreen(username: username ?? suggestion ?? "", offersRegistration: offersRegistration).screen
                .during(flow.activity)
        case .reset: return Screen.reset(policy: environment.account.auth.passwordPolicy).during(flow.activity)
        default: throw ScreenError.misplaced(route)
        }
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.signUp) { [environment] flow in
                SignUpCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] outcome in
                guard case .finished(let username) = outcome else { return [] }
                self?.username = nil
                guard let username else {
                    self?.flow.finish()
                    return []
                }
                return [.replace(.login(username: username))]
            },
            ChildFlow(.secondFactor) { [environment] flow in
                SecondFactorCoordinator(flow: flow, environment: environment)
            } ended: { [environment, weak self] (outcome: Outcome<Void>) in
                switch outcome {
                case .finished: self?.flow.finish()
                case .cancelled: environment.currentUser.dropPending()
                }
                return []
            },
        ]
    }
}

extension LoginCoordinator: SecretHolder {
    func save(to secrets: inout FlowSecrets) { secrets.username = username }

    func restore(from secrets: FlowSecrets) { username = secrets.username }
}

/// Asks for a code after the password was correct. The flow ends when a session is open.
final class SecondFactorCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        guard case .submitted(let answers) = event else { return }
        guard let pending = environment.currentUser.pending else { return flow.cancel() }
        guard environment.attempt({ try environment.currentUser.prepareTokenWrite() }) else { return }
        let account = environment.account
        environment.run(.codeCheck, in: flow) {
            try await account.completeLogIn(pending, code: answers[.code] ?? "")
        } then: { [flow, environment] result, _ in
            // This login has ended, so no code can complete it.
            if case .failure(AuthError.logInEnded) = result { flow.cancel() }
            try environment.currentUser.startSession(result)
            flow.finish()
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard route == .secondFactor else { throw ScreenError.misplaced(route) }
        return Screen.secondFactor.during(flow.activity)
    }
}

/// Offers login and registration.
final class WelcomeCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        // The registration flow is a child of the login flow, because both end when a session is open.
        if case .open(let place) = event { flow.show(place.ancestors + [place]) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        WelcomeScreen(offersRegistration: try await environment.account.auth.registration() != .closed).screen
    }
}
