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

    init(flow: Flow<AppRoute, String>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        // Nothing has been typed yet, so a later step that was linked to or saved begins at the first.
        let steps = environment.stack().reversed().prefix { $0.flow == .signUp }
        if steps.count > 1 { flow.pop(steps.count - 1) }
        flow.replace(with: .signUpRegion)
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        guard case .submitted(let answers) = event else { return }
        switch route {
        case .signUpRegion:
            region = answers[.region] ?? ""
            if await environment.attempt({ _ = try Region(region) }) { flow.push(.signUpUsername) }
        case .signUpUsername:
            username = answers[.username] ?? ""
            if await environment.attempt({ _ = try await environment.registration.freeUsername(username) }) {
                flow.push(.signUpPassword)
            }
        case .signUpPassword:
            await register(answers)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .signUpRegion: return RegionScreen(region: region).screen
        case .signUpUsername: return UsernameScreen(username: username).screen
        case .signUpPassword:
            return FirstPasswordScreen(policy: environment.auth.passwordPolicy, username: username).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    private func register(_ answers: Answers) async {
        guard answers[.password] == answers[.confirmation] else {
            return environment.say(Notice(FormError.passwordsDiffer))
        }
        do {
            let user = try await environment.registration.register(
                username: username, password: answers[.password] ?? "", region: region)
            environment.say(Notice("Registered \(user.username)."))
            flow.finish(with: user.username.text)
        } catch {
            environment.say(Notice(error))
            // Somebody was quicker; the name can only be chosen anew where it was chosen.
            if case AuthError.usernameTaken = error { flow.pop() }
        }
    }
}
