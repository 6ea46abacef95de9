internal import ArticleStore
internal import AuthService
internal import Navigation
internal import Text

/// Creates or edits an article, or saves a page as one. The flow finishes with the article.
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
        if case .savingPage = route { return savePage(answers) }
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

    private func savePage(_ answers: Answers) {
        let address = String((answers[.address] ?? "").trimmed)
        guard !address.isEmpty else { return environment.show(Notice(FormError.noAddress)) }
        environment.attempt {
            let tags = try NameField.names(in: answers[.tags] ?? "").map { try TagName($0) }
            let editor = try environment.subscriptionEditor()
            environment.run(.page, in: flow) {
                try await editor.savePage(at: address, tags: tags)
            } then: { [environment, flow] result, _ in
                let (article, isNew) = try result.get()
                environment.show(
                    Notice(isNew ? "Added “\(article.title)”." : "The library has this page: “\(article.title)”."))
                flow.finish(with: ArticleReference(to: ArticleSummary(article)))
            }
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        if case .savingPage(let address) = route { return Screen.savingPage(at: address ?? "").during(flow.activity) }
        guard case .editing(let reference) = route else { return Screen.writing.during(flow.activity) }
        let article = try await environment.editing.article(reference)
        return .editing(
            article, version: version.first(article.version, at: route),
            hasEditConflict: version.hasConflict(at: route)
        ).during(flow.activity)
    }
}

/// The version of an object that a form edits. It stays the version that the form first showed, until the user is told about
/// a change from elsewhere.
struct FormVersion {
    private var shown: (place: AppRoute, version: String)?
    /// The form whose user was told about a change from elsewhere.
    private var conflict: AppRoute?

    /// Returns the version that the form at a place first showed. If it is not shown yet, that is the present one.
    mutating func first(_ present: @autoclosure () -> String, at place: AppRoute) -> String {
        if let shown, shown.place == place { return shown.version }
        let version = present()
        shown = (place, version)
        return version
    }

    /// Makes the next form show the present version, after the object was saved.
    mutating func forget() { shown = nil }

    /// Makes the form show the present version and a warning.
    mutating func tellConflict(at place: AppRoute) { (shown, conflict) = (nil, place) }

    /// Whether the user of the form at a place was told about a change from elsewhere.
    func hasConflict(at place: AppRoute) -> Bool { conflict == place }
}
