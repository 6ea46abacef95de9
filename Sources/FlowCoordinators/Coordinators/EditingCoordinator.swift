internal import ArticleStore
internal import AuthService
internal import Navigation

/// Creates or edits an article. The flow finishes with the article.
final class EditingCoordinator: Coordinator {
    private let flow: Flow<AppRoute, ArticleReference>
    private let environment: Environment
    /// The version of the article when the form was first shown. It stays the same until the user is told about a
    /// change from elsewhere.
    private var seen: String?
    /// Whether the user was told about a change from elsewhere.
    private var hasOtherChange = false

    init(flow: Flow<AppRoute, ArticleReference>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        let editing = environment.editing
        switch (event, route) {
        case (.submitted(let answers), .editing(let reference)):
            flow.run(.editing, { .articleSaved($0) }) {
                try await editing.change(reference, into: answers)
            }
        case (.submitted(let answers), _):
            flow.run(.editing, { .articleSaved($0) }) { try await editing.write(answers) }
        case (.answered(let answer), _):
            guard case .articleSaved(let result) = answer.kind else { return }
            if case .failure(let error) = result, error is EditError { (seen, hasOtherChange) = (nil, true) }
            await environment.attempt {
                let saved = try result.get()
                environment.say(saved.notice)
                flow.finish(with: saved.article)
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        guard case .editing(let reference) = route else { return Screen.writing.during(flow.activity) }
        let article = try await environment.editing.article(reference)
        let version = seen ?? article.version
        seen = version
        return .editing(article, version: version, hasOtherChange: hasOtherChange).during(flow.activity)
    }
}
