internal import ArticleStore
internal import AuthService
internal import Navigation

/// Creates or edits an article. The flow finishes with the article.
final class EditingCoordinator: Coordinator {
    private let flow: Flow<AppRoute, ArticleReference>
    private let environment: Environment
    private var version = FormVersion()

    init(flow: Flow<AppRoute, ArticleReference>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        let editing = environment.editing
        guard case .submitted(let answers) = event else { return }
        environment.run(.editing, in: flow) {
            guard case .editing(let reference) = route else { return try await editing.write(answers) }
            return try await editing.change(reference, into: answers)
        } then: { [self] result, _ in
            if case .failure(let error) = result, error is EditError { version.tellConflict(at: route) }
            let saved = try result.get()
            environment.show(saved.notice)
            flow.finish(with: saved.article)
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard case .editing(let reference) = route else { return Screen.writing.during(flow.activity) }
        let article = try await environment.editing.article(reference)
        return .editing(
            article, version: version.first(article.version, at: route),
            hasEditConflict: version.hasConflict(at: route)
        ).during(flow.activity)
    }
}
