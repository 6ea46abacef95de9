internal import ArticleStore
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
            if await environment.attempt({ _ = try await environment.signedIn.freeUsername(username) }) {
                flow.push(.signUpPassword)
            }
        case .signUpPassword:
            await register(answers)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        switch route {
        case .signUpRegion:
            return step(
                1, Form.Field(.region, "Region", kind: .choice(Self.regions), value: region), submitLabel: "Next")
        case .signUpUsername:
            return step(2, .newUsername(value: username), submitLabel: "Next")
        case .signUpPassword:
            return step(
                3,
                .newPassword(
                    .password, "Password", policy: environment.signedIn.passwordPolicy, username: username),
                .confirmation("Password again", of: .password), submitLabel: "Register")
        default: throw ScreenError.misplaced(route)
        }
    }

    /// As in an index of names: by the letters, without their accents.
    private static let regions = Region.all
        .map { (key: ArticleQuery.titleKey($0.name), choice: Form.Field.Choice(value: $0.code, label: $0.name)) }
        .sorted { $0.key < $1.key }.map(\.choice)

    private func step(_ number: Int, _ fields: Form.Field..., submitLabel: String) -> Screen {
        Screen(title: "Register (\(number) of 3)", content: .form(Form(fields, submitLabel: submitLabel)))
    }

    private func register(_ answers: Answers) async {
        guard answers[.password] == answers[.confirmation] else {
            return environment.say(Notice(FormError.passwordsDiffer))
        }
        do {
            let user = try await environment.signedIn.register(
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
