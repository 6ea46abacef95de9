internal import AuthService
internal import Navigation

/// Creates an account and logs its user in. The flow finishes with `nil`, or with the name of the account if the user
/// must still log in.
///
/// By default it asks for the name and the password, then for the region. If it begins with the region, it asks for the
/// region, the name, and the password. The typed text is kept until the end, so that going back loses nothing. The
/// password is kept only in memory.
final class SignUpCoordinator: Coordinator {
    private let flow: Flow<AppRoute, String?>
    private let environment: Environment
    private var region = ""
    private var username = ""
    /// The password and the code of the invitation, until the region is chosen.
    private var secrets: (password: Password, invitation: String?)?
    private var first = AppRoute.signUpAccount

    init(flow: Flow<AppRoute, String?>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() {
        chooseStep()
        // The work belongs to the step that is shown now.
        let auth = environment.account.auth
        environment.run(.registrationCheck, in: flow) {
            if try await auth.registration() == .closed { throw AuthError.registrationClosed }
        } then: { [self] result, _ in
            guard case .failure(let error) = result else { return }
            environment.show(Notice(error))
            flow.cancel()
        }
    }

    private func chooseStep() {
        let steps = Array(environment.stack().reversed().prefix { $0.flow == .signUp })
        // A link to a later step begins at the first, because nothing has been typed yet.
        if isEmpty {
            first = steps.last == .signUpAccount ? environment.signUp.first : .signUpRegion
        } else {
            first = steps.contains(.signUpAccount) ? .signUpAccount : .signUpRegion
            // A bookmark does not contain the password. Return to the step that asks for it.
            guard first == .signUpAccount, secrets == nil else { return }
        }
        if steps.count > 1 { flow.pop(steps.count - 1) }
        flow.replace(with: first)
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch (event, route) {
        case (.submitted(let answers), .signUpAccount):
            username = answers[.username] ?? ""
            if checkPassword(answers) { checkName() }
        case (.submitted(let answers), .signUpRegion):
            region = answers[.region] ?? ""
            guard environment.attempt({ _ = try Region(region) }) else { return }
            if first == .signUpRegion { flow.push(.signUpUsername) } else { register() }
        case (.submitted(let answers), .signUpUsername):
            username = answers[.username] ?? ""
            checkName()
        case (.submitted(let answers), .signUpPassword):
            if checkPassword(answers) { register() }
        default: break
        }
    }

    var memory: AppMemory? { isEmpty ? nil : .signUp(region: region, username: username) }

    func recall(_ memory: AppMemory) {
        guard case .signUp(let region, let username) = memory else { return }
        (self.region, self.username) = (region, username)
    }

    func question(beforeLeaving routes: [AppRoute]) -> AppRoute? {
        isEmpty || !routes.contains(first) ? nil : .leave(.signUp)
    }

    private var needsInvitation: Bool {
        get async throws { try await environment.account.auth.registration() == .invitation }
    }

    private var isEmpty: Bool { region.isEmpty && username.isEmpty }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try await content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) async throws -> Screen {
        switch route {
        case .signUpAccount:
            return NewAccountScreen(
                policy: environment.account.auth.passwordPolicy, username: username,
                needsInvitation: try await needsInvitation
            ).screen
        case .signUpRegion: return RegionScreen(region: region, isLast: first == .signUpAccount).screen
        case .signUpUsername: return UsernameScreen(username: username).screen
        case .signUpPassword:
            return FirstPasswordScreen(
                policy: environment.account.auth.passwordPolicy, username: username,
                needsInvitation: try await needsInvitation
            ).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    private func checkName() {
        let (account, name) = (environment.account, username)
        environment.run(.nameCheck, in: flow) {
            try await account.freeUsername(name)
        } then: { [self] result, _ in
            _ = try result.get()
            flow.push(first == .signUpAccount ? .signUpRegion : .signUpPassword)
        }
    }

    /// Checks the password against the policy, and keeps it for the registration if it is accepted.
    private func checkPassword(_ answers: Answers) -> Bool {
        let text = answers[.password] ?? ""
        return environment.attempt {
            let name = try Username(username)
            guard text == answers[.confirmation] ?? "" else { throw FormError.passwordsDiffer }
            let password = Password(text)
            try environment.account.auth.passwordPolicy.check(password, username: name)
            secrets = (password, answers[.code])
        }
    }

    private func register() {
        guard let secrets else { return flow.pop() }
        let logsIn = environment.signUp.logsIn && environment.currentUser.session == nil
        if logsIn {
            guard environment.attempt({ try environment.currentUser.prepareTokenWrite() }) else { return }
        }
        let (account, device) = (environment.account, environment.currentUser.device(of: username))
        let (name, region) = (username, region)
        environment.run(.registration, in: flow) { () -> (user: User, grant: Account.Grant?) in
            let user = try await account.register(
                username: name, password: secrets.password, region: region, invitation: secrets.invitation)
            guard logsIn else { return (user, nil) }
            // The account exists now. If the login fails, lead the user to the login form.
            let grant = try? await account.logIn(username: name, password: secrets.password, device: device).grant
            return (user, grant)
        } then: { [self] result, _ in
            finish(result)
        }
    }

    private func finish(_ result: Result<(user: User, grant: Account.Grant?), any Error>) {
        switch result {
        case .success(let made):
            secrets = nil
            environment.show(Notice("Registered \(made.user.username)."))
            guard let grant = made.grant,
                environment.attempt({ try environment.currentUser.startSession(.success(grant)) })
            else { return flow.finish(with: made.user.username.text) }
            flow.finish(with: nil)
        case .failure(let error):
            environment.show(Notice(error))
            // The name, the password, and the code were typed on the previous page. Return there so that the user can
            // change them.
            switch error {
            case AuthError.usernameTaken: flow.pop()
            case AuthError.weakPassword, AuthError.invalidCode: if first == .signUpAccount { flow.pop() }
            default: break
            }
        }
    }
}

extension SignUpCoordinator: SecretHolder {
    /// The password and the code of the invitation.
    struct Secrets: Codable {
        let password: String
        let invitation: String?
    }

    func save(to secrets: inout FlowSecrets) {
        secrets.signUp = self.secrets.map { password, invitation in
            Secrets(password: password.withUTF8 { String(decoding: $0, as: UTF8.self) }, invitation: invitation)
        }
    }

    func restore(from secrets: FlowSecrets) {
        self.secrets = secrets.signUp.map { (password: Password($0.password), invitation: $0.invitation) }
    }
}
