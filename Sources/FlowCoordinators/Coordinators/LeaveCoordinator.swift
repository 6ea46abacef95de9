internal import Navigation

/// Asks whether to leave although data will be lost. The flow finishes if the user agrees.
final class LeaveCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() {
        // Close the question if no move waits for the answer, for example if the user opened its address.
        if !environment.isQuestion(flow.id) { flow.show([]) }
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch event {
        case .leaveConfirmed: flow.finish()
        case .leaveDeclined: flow.cancel()
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard case .leave(let work) = route else { throw ScreenError.misplaced(route) }
        return LeaveScreen(work: work).screen
    }
}
