internal import Navigation

/// The choice between log-in and sign-up.
final class WelcomeCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let registration: Registration

    init(flow: Flow<AppRoute, Void>, registration: Registration) {
        self.flow = flow
        self.registration = registration
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
        WelcomeScreen(offersRegistration: try await registration.isOffered()).screen
    }
}
