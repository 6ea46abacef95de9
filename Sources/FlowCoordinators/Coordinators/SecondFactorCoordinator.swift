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

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .submitted(let answers):
            guard let pending = environment.signedIn.pending else { return flow.cancel() }
            guard await environment.attempt({ try environment.signedIn.prepareKeep() }) else { return }
            let requests = environment.signedIn.requests
            flow.run(.codeCheck, { .loggedIn($0) }) {
                try await requests.complete(pending, code: answers[.code] ?? "")
            }
        case .answered(let answer):
            guard case .loggedIn(let result) = answer.kind else { return }
            if await environment.attempt({ try await environment.signedIn.keep(result) }) { return flow.finish() }
            // This log-in has ended, so no code can complete it.
            if case .failure(AuthError.logInEnded) = result { flow.cancel() }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard route == .secondFactor else { throw ScreenError.misplaced(route) }
        return Screen.secondFactor.during(flow.activity)
    }
}
