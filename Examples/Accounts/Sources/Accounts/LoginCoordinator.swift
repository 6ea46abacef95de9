public import AuthService
public import Navigation

/// Creates the coordinator of the login, whose result is the name of the user.
public func makeLogin(_ flow: Flow<AccountRoute, String>, auth: AuthService) -> any Coordinator<AccountRoute> {
    LoginCoordinator(flow, auth: auth)
}

/// Asks for a name and a password.
final class LoginCoordinator: Coordinator {
    private let flow: Flow<AccountRoute, String>
    private let auth: AuthService
    private var message = "Who are you?"

    init(_ flow: Flow<AccountRoute, String>, auth: AuthService) {
        self.flow = flow
        self.auth = auth
    }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        switch event {
        case .submitted(let name, let password): logIn(name, password)
        case .signUpChosen: flow.begin(.signUp)
        }
    }

    /// Comparing a password takes a while, so it runs as work of the flow.
    private func logIn(_ name: String, _ password: String) {
        flow.run("log-in") { [auth] _ in
            await auth.problem { try await $0.logIn(name, password) }
        } then: { [weak self, flow] problem, _ in
            if let problem { self?.message = problem } else { flow.finish(with: name) }
        }
    }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(title: "Log in", message: message, report: outlet)
    }

    var children: [ChildFlow<AccountRoute>] {
        [
            ChildFlow("accounts.sign-up", make: { [auth] in SignUpCoordinator($0, auth: auth) }) { outcome in
                if case .finished(let name) = outcome { [.replace(.login(name: name))] } else { [] }
            }
        ]
    }
}
