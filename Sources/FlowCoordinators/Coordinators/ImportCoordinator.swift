internal import ArticleStore
internal import AuthService
internal import Navigation

/// Imports articles from files of this machine.
final class ImportCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    private var path = ""
    /// The number of articles that the import has read. The activity of the screen shows it.
    private var count = 0

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func start() async {
        guard environment.imports == nil else { return }
        environment.say(Notice("Files are brought in where the library is kept, by articlesctl seed."))
        flow.cancel()
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .submitted(let answers):
            guard flow.activity == nil else { return environment.say(Notice(FormError.isImporting)) }
            path = answers[.path] ?? ""
            bringIn()
        case .importProgressed(let report):
            count =
                report.inserted + report.updated + report.renamed + report.unchanged + report.kept + report.deleted
            environment.say(Notice("\(report)"))
        case .answered(let answer):
            guard case .imported(let result) = answer.kind else { return }
            await environment.attempt {
                environment.say(Notice(try result.get()))
                // Leave the flow only if its own screen is on top. The user may have opened another one above it.
                let top = environment.stack().last
                if top == .importing || top == .leave(.importing) { flow.finish() }
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        var screen = ImportScreen(path: path).screen.during(flow.activity)
        if count > 0, let activity = screen.activity { screen.activity = "\(activity): \(count) so far" }
        return screen
    }

    var memory: AppMemory? { path.isEmpty ? nil : .importing(path: path) }

    func recall(_ memory: AppMemory) {
        if case .importing(let path) = memory { self.path = path }
    }

    func question(beforeLeaving routes: [AppRoute]) -> AppRoute? {
        flow.activity == nil ? nil : .leave(.importing)
    }

    private func bringIn() {
        guard let imports = environment.imports else { return }
        guard !path.isEmpty else { return environment.say(Notice(FormError.noPath)) }
        let importer = ArticleImporter(repository: environment.articles, options: imports.options)
        let source = imports.source(at: path)
        guard !source.isDevice else { return environment.say(Notice(FormError.noPath)) }
        let (auth, authority, path) = (environment.auth, environment.signedIn.authority, path)
        count = 0
        flow.run(.importing, { .imported($0) }) { tell in
            // Record the import in the audit log before it starts: even if the program ends, no change is missing from
            // the log.
            if let authority { try await auth.record(.libraryChanged, detail: "import: \(path)", by: authority) }
            var first: Rejection?
            let report = try await importer.run(
                [source], onRejection: { first = first ?? $0 }, onProgress: { tell(.importProgressed($0)) })
            return Answer.Import(report: report, firstRejection: first)
        }
    }
}

extension Notice {
    /// Describes the result of an import.
    fileprivate init(_ done: Answer.Import) {
        self.init(
            [
                done.report.description, done.report.failure?.description, done.firstRejection?.description,
                done.report.dateWarning,
            ].compactMap(\.self).joined(separator: "; "))
    }
}
