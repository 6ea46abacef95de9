internal import AuthService
internal import Navigation

/// Offers login and registration.
final class WelcomeCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        // The registration flow is a child of the login flow, because both end when a session is open.
        if case .open(let place) = event { flow.show(place.ancestors + [place]) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        WelcomeScreen(offersRegistration: try await environment.account.auth.registration() != .closed).screen
    }
}
