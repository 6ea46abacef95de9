public import ArticleImporting
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

    func start() {
        guard environment.imports == nil else { return }
        environment.show(Notice("Import files on the machine of the library, with articlesctl seed."))
        flow.cancel()
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch event {
        case .submitted(let answers):
            guard flow.activity == nil else { return environment.show(Notice(FormError.isImporting)) }
            path = answers[.path] ?? ""
            importArticles()
        case .importProgressed(let report):
            count =
                report.inserted + report.updated + report.renamed + report.unchanged + report.kept + report.deleted
            environment.show(Notice("\(report)"))
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

    private func importArticles() {
        guard let imports = environment.imports else { return }
        guard !path.isEmpty else { return environment.show(Notice(FormError.noPath)) }
        let importer = ArticleImporter(
            repository: environment.articles, subscriptions: environment.subscriptions?.repository,
            options: imports.options)
        let source = imports.source(at: path)
        guard !source.isDevice else { return environment.show(Notice(FormError.noPath)) }
        let (account, path) = (environment.account, path)
        count = 0
        environment.run(.importing, in: flow) { outlet in
            // Record the import in the audit log before it starts: even if the program ends, no change is missing from
            // the log.
            try await account.auth.record(.libraryChanged, detail: "import: \(path)", by: account.authority)
            var first: Rejection?
            let report = try await importer.run(
                [source],
                onEvent: { event in
                    switch event {
                    case .rejected(let rejection): first = first ?? rejection
                    case .progress(let report): outlet(.importProgressed(report))
                    case .skipped, .note, .assumedDate, .article: break
                    }
                })
            return (report: report, firstRejection: first)
        } then: { [flow, environment] result, _ in
            let (report, firstRejection) = try result.get()
            environment.show(Notice(report, firstRejection: firstRejection))
            // Leave the flow only if its own screen is on top of its section. The user may have opened another one above it.
            let top = environment.stackOfFlow(flow.id).last
            if top == .importing || top == .leave(.importing) { flow.finish() }
        }
    }
}

extension Notice {
    /// Describes the result of an import.
    ///
    /// - Parameter firstRejection: The first record that was rejected.
    fileprivate init(_ report: ImportReport, firstRejection: Rejection?) {
        self.init(
            [report.description, report.failure?.description, firstRejection?.description, report.dateWarning]
                .compactMap(\.self).joined(separator: "; "))
    }
}

/// The settings for imports from files of the machine on which the front runs, with the access rights of its process.
public struct ImportSettings: Sendable {
    /// The options of the import.
    public let options: ImportOptions
    /// The home folder that replaces a leading `~` in a path; nil to take `~` literally.
    public let home: String?
    /// Creates settings.
    public init(options: ImportOptions = ImportOptions(), home: String? = nil) {
        self.options = options
        self.home = home
    }

    /// Returns the source at a path that the user typed. No shell has expanded `~` in it.
    func source(at path: String) -> ImportSource {
        guard let home, path == "~" || path.hasPrefix("~/") else { return .path(path) }
        return .path(home + path.dropFirst())
    }
}
