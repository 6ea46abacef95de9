internal import AuthService
internal import Navigation

/// Shows the log-in form, and from there leads to the sign-up.
final class LoginCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The name that was typed last. It stays in the form after a wrong password.
    private var username: String?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        // A message about the reason for this log-in takes precedence.
        if environment.isSilent(), let user = environment.signedIn.session?.user {
            environment.say(Notice("You are signed in as \(user.username). Logging in again ends that session."))
        }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .submitted(let answers) where route == .reset:
            resetPassword(answers)
        case .submitted(let answers):
            let (name, password) = (answers[.username] ?? "", answers[.password] ?? "")
            username = name
            guard await environment.attempt({ try environment.signedIn.prepareKeep() }) else { return }
            let (requests, device) = (environment.signedIn.requests, environment.signedIn.device(of: name))
            flow.run(.logIn, { .loggedIn($0) }) {
                try await requests.logIn(username: name, password: Password(password), device: device)
            }
        case .resetChosen:
            flow.stop(.logIn)
            flow.push(.reset)
        case .registerChosen:
            flow.stop(.logIn)
            flow.begin(environment.signUp.first)
        case .answered(let answer): await take(answer.kind)
        default: break
        }
    }

    private func resetPassword(_ answers: Answers) {
        guard answers[.newPassword] == answers[.confirmation] else {
            return environment.say(Notice(FormError.passwordsDiffer))
        }
        let requests = environment.signedIn.requests
        flow.run(.passwordReset, { .passwordReset($0) }) {
            try await requests.resetPassword(by: answers[.code] ?? "", to: answers[.newPassword] ?? "")
        }
    }

    private func take(_ answer: Answer.Kind) async {
        switch answer {
        case .loggedIn(.failure(AuthError.secondFactorNeeded(let pending))):
            environment.signedIn.hold(pending)
            flow.begin(.secondFactor)
        case .loggedIn(let result):
            if await environment.attempt({ try await environment.signedIn.keep(result) }) { flow.finish() }
        case .passwordReset(let result):
            await environment.attempt {
                username = try result.get().username.text
                environment.say(Notice("Password changed. Every session has ended; log in with the new password."))
                flow.pop()
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .login(let suggestion):
            let offersRegistration = try await environment.registration.isOffered()
            return LoginScreen(username: username ?? suggestion ?? "", offersRegistration: offersRegistration).screen
                .during(flow.activity)
        case .reset: return Screen.reset(policy: environment.auth.passwordPolicy).during(flow.activity)
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
                case .cancelled: environment.signedIn.dropPending()
                }
                return []
            },
        ]
    }
}
