import FlowCoordinators

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `read`, and no command at a terminal: the full-screen session.
struct ReadCommand: Command {
    static let spec = CommandSpec(
        name: "read", summary: "read in a full-screen session",
        discussion: """
            Begins where the session was left, or at a place given by its path. The keys of each screen are shown with ?, \
            and Ctrl-C leaves.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "such as /articles/welcome", isRequired: false)])

    private let route: AppRoute?

    init(_ parsed: ParsedCommand) throws {
        route = try parsed.route("PATH")
    }

    func run(in context: Context) async throws {
        guard context.terminal.input.isTerminal, context.terminal.output.isTerminal, context.terminal.isCapable else {
            throw Failure(
                "there is no terminal to read on", hint: "see what else there is with: articlesctl help", code: .usage)
        }
        let application = try context.front(remembersPlace: true).application
        try await application.start(at: route)
        // What cannot be shown is told before the screen is taken over.
        _ = try await application.screen()
        guard let terminal = RawTerminal() else {
            throw Failure("the terminal cannot be used: \(String(cString: strerror(errno)))", code: .ioError)
        }
        defer { terminal.close() }
        let model = ApplicationModel(application: application)
        var views: [String: SavedView] = [:]
        for (place, path) in zip(model.places, model.savedPaths) {
            views[place] = application.positions[path].map { SavedView(selection: $0, top: $0, query: "") }
        }
        let session = ReaderSession(
            model: model, terminal: terminal, isColored: context.terminal.output.isColored, saved: views,
            save: { views = $0 })
        let end = try await session.run()

        var positions: [String: Int] = [:]
        for (place, path) in zip(model.places, model.savedPaths) {
            // A document is where its first line is; anything else where its selection is.
            let isArticle = if case .article? = AppRoute(path: path) { true } else { false }
            positions[path] = views[place].map { isArticle ? $0.top : $0.selection }
        }
        try await application.savePlace(positions: positions)
        terminal.close()
        if end == .closed, let signal = terminal.signal, signal == SIGINT {
            throw Failure("interrupted", code: .interrupted)
        }
    }
}
