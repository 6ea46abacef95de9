internal import AuthService
internal import Navigation

/// Asks for a code after the password was correct. The flow ends when a session is open.
final class SecondFactorCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        guard case .submitted(let answers) = event else { return }
        guard let pending = environment.currentUser.pending else { return flow.cancel() }
        guard environment.attempt({ try environment.currentUser.prepareTokenWrite() }) else { return }
        let account = environment.account
        environment.run(.codeCheck, in: flow) {
            try await account.completeLogIn(pending, code: answers[.code] ?? "")
        } then: { [flow, environment] result, _ in
            // This login has ended, so no code can complete it.
            if case .failure(AuthError.logInEnded) = result { flow.cancel() }
            try environment.currentUser.startSession(result)
            flow.finish()
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard route == .secondFactor else { throw ScreenError.misplaced(route) }
        return Screen.secondFactor.during(flow.activity)
    }
}
