internal import AuthService
internal import Navigation

/// Making an account: the region, the name, the password. It ends with the name of the account.
///
/// What was typed is kept until the end, so that going back loses nothing.
final class SignUpCoordinator: Coordinator {
    private let flow: Flow<AppRoute, String>
    private let environment: Environment
    private var region = ""
    private var username = ""
    private var policy = RegistrationPolicy.open

    init(flow: Flow<AppRoute, String>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        let isOpen = await environment.attempt {
            policy = try await environment.registration.policy()
            if policy == .closed { throw AuthError.registrationClosed }
        }
        guard isOpen else { return flow.cancel() }
        // Nothing has been typed yet, so a later step that was linked to begins at the first.
        guard isEmpty else { return }
        let steps = environment.stack().reversed().prefix { $0.flow == .signUp }
        if steps.count > 1 { flow.pop(steps.count - 1) }
        flow.replace(with: .signUpRegion)
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch (event, route) {
        case (.submitted(let answers), .signUpRegion):
            region = answers[.region] ?? ""
            if await environment.attempt({ _ = try Region(region) }) { flow.push(.signUpUsername) }
        case (.submitted(let answers), .signUpUsername):
            username = answers[.username] ?? ""
            let (registration, name) = (environment.registration, username)
            flow.run(.nameCheck, { .nameJudged($0) }) { try await registration.freeUsername(name) }
        case (.submitted(let answers), .signUpPassword):
            register(answers)
        case (.answered(let answer), _):
            await take(answer.kind)
        default: break
        }
    }

    var memory: AppMemory? { isEmpty ? nil : .signUp(region: region, username: username) }

    func recall(_ memory: AppMemory) {
        guard case .signUp(let region, let username) = memory else { return }
        (self.region, self.username) = (region, username)
    }

    func question(beforeLeaving routes: [AppRoute]) -> AppRoute? {
        isEmpty || !routes.contains(.signUpRegion) ? nil : .leave(.signUp)
    }

    private var isEmpty: Bool { region.isEmpty && username.isEmpty }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) throws -> Screen {
        switch route {
        case .signUpRegion: return RegionScreen(region: region).screen
        case .signUpUsername: return UsernameScreen(username: username).screen
        case .signUpPassword:
            return FirstPasswordScreen(
                policy: environment.auth.passwordPolicy, username: username, needsInvitation: policy == .invitation
            ).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    private func register(_ answers: Answers) {
        guard answers[.password] == answers[.confirmation] else {
            return environment.say(Notice(FormError.passwordsDiffer))
        }
        let (registration, name, region) = (environment.registration, username, region)
        flow.run(.registration, { .registered($0) }) {
            try await registration.register(
                username: name, password: answers[.password] ?? "", region: region,
                invitation: answers[.code])
        }
    }

    private func take(_ answer: Answer.Kind) async {
        switch answer {
        case .nameJudged(let result):
            if await environment.attempt({ _ = try result.get() }) { flow.push(.signUpPassword) }
        case .registered(.success(let user)):
            environment.say(Notice("Registered \(user.username)."))
            flow.finish(with: user.username.text)
        case .registered(.failure(let error)):
            environment.say(Notice(error))
            // Somebody was quicker; the name can only be chosen anew where it was chosen.
            if case AuthError.usernameTaken = error { flow.pop() }
        default: break
        }
    }
}
