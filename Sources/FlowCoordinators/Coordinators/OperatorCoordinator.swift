internal import AuthService
internal import Navigation

/// Looking after the users, for operators.
final class OperatorCoordinator: Coordinator {
    private let environment: Environment

    init(environment: Environment) { self.environment = environment }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard let authority = environment.signedIn.authority else { throw AuthError.notSignedIn }
        switch route {
        case .users: return .users(try await environment.auth.users(by: authority))
        default: throw ScreenError.misplaced(route)
        }
    }
}
