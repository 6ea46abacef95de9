internal import Navigation

/// The choice between log-in and sign-up.
final class WelcomeCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>

    init(flow: Flow<AppRoute, Void>) {
        self.flow = flow
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .logInChosen: flow.begin(.login())
        // Beneath the sign-up is the log-in, because that is where it leads.
        case .registerChosen: flow.show([.welcome, .login(), .signUpRegion])
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        Screen(
            title: "Welcome",
            content: .menu(text: "A library of articles, kept on this machine. Log in to read it."),
            actions: [
                Action("Log in", .logInChosen, shortcut: "l"), Action("Register", .registerChosen, shortcut: "r"),
            ])
    }
}
