internal import AuthService
internal import Navigation

/// Logging in, and from there to the sign-up.
final class LoginCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The name that was typed last, so that a wrong password does not cost it.
    private var username: String?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        if let user = environment.signedIn.session?.user {
            environment.say(Notice("You are signed in as \(user.username). Logging in again ends that session."))
        }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .submitted(let answers):
            let (name, password) = (answers[.username] ?? "", answers[.password] ?? "")
            username = name
            guard await environment.attempt({ try environment.signedIn.prepareKeep() }) else { return }
            let (requests, device) = (environment.signedIn.requests, environment.signedIn.device(of: name))
            flow.run(.logIn, { .loggedIn($0) }) {
                try await requests.logIn(username: name, password: password, device: device)
            }
        case .registerChosen:
            flow.stop(.logIn)
            flow.begin(.signUpRegion)
        case .answered(let answer):
            guard case .loggedIn(let result) = answer.kind else { return }
            if await environment.attempt({ try await environment.signedIn.keep(result) }) { flow.finish() }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard case .login(let suggestion) = route else { throw ScreenError.misplaced(route) }
        return LoginScreen(username: username ?? suggestion ?? "").screen.during(flow.activity)
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.signUp) { [environment] flow in
                SignUpCoordinator(flow: flow, environment: environment)
            } ended: { [weak self] outcome in
                guard case .finished(let username) = outcome else { return [] }
                self?.username = nil
                return [.replace(.login(username: username))]
            }
        ]
    }
}
