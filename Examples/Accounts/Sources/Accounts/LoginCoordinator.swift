public import AuthService
public import Navigation

/// Asks for a name and a password. The result of the flow is the name of the user.
public final class LoginCoordinator: Coordinator {
    private let flow: Flow<AccountRoute, String>
    private let auth: AuthService
    private var message = "Who are you?"

    public init(_ flow: Flow<AccountRoute, String>, auth: AuthService) {
        self.flow = flow
        self.auth = auth
    }

    public func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        switch event {
        case .submitted(let name, let password): logIn(name, password)
        case .signUpChosen: flow.begin(.signUp)
        }
    }

    /// Comparing a password takes a while, so it runs as work of the flow.
    private func logIn(_ name: String, _ password: String) {
        flow.run("log-in") { [auth] _ in
            await Result(catching: { _ = try await auth.logIn(name, password) }
        } then: { [weak self, flow] result, _ in
            switch result {
            case .success: flow.finish(with: name)
            case .failure(let error): self?.message = "\(error)"
            }
        }
    }

    public func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(title: "Log in", message: message, report: outlet)
    }

    public var children: [ChildFlow<AccountRoute>] {
        [
            ChildFlow("accounts.sign-up", make: { [auth] in SignUpCoordinator($0, auth: auth) }) { outcome in
                if case .finished(let name) = outcome { [.replace(.login(name: name))] } else { [] }
            }
        ]
    }
}
