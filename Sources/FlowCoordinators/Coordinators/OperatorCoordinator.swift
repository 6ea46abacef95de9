internal import AuthService
internal import Navigation

/// Looking after the users, and at what happened, for operators.
final class OperatorCoordinator: Coordinator {
    /// How many events are shown.
    private static let shown = 500

    private let environment: Environment

    init(environment: Environment) { self.environment = environment }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard let authority = environment.signedIn.authority else { throw AuthError.notSignedIn }
        switch route {
        case .users: return .users(try await environment.auth.users(by: authority))
        case .audit:
            let records = try await environment.auth.events(matching: AuditQuery(limit: Self.shown), by: authority)
            let users = try await environment.auth.users(by: authority)
            return .audit(records, users: users)
        default: throw ScreenError.misplaced(route)
        }
    }
}
