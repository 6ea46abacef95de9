import Arguments
import FlowCoordinators
import Platform
import Terminal
import TerminalReader

/// `read`: the full-screen session. In a terminal, it also runs if no command is given.
struct ReadCommand: Command {
    static let name = "read"
    static let spec = CommandSpec(
        name: name, summary: "open the full-screen reader",
        discussion: """
            Starts where you left off, or at the given path, and the first time with your unread articles. Press ? to \
            see the keys of a screen, and Ctrl-C to leave. \
            The configured program opens web links, else the one named by BROWSER. The keys below apply unless the \
            configuration changes them.
            """,
        arguments: [
            ArgumentSpec(
                name: "PATH", summary: "the path, such as /articles/welcome", isRequired: false, values: .names(.place))
        ],
        examples: [
            Example(command: "articlesctl read", summary: "continue where you left off"),
            Example(command: "articlesctl read /articles/welcome", summary: "start with an article"),
        ],
        sections: KeyTable.sections)

    private let route: AppRoute?

    init(_ parsed: ParsedCommand) throws {
        route = try parsed.route("PATH")
    }

    func run(in context: Context) async throws {
        guard context.terminal.isForReading else {
            throw CommandError(
                "the reader needs a terminal",
                hint: "to print an article or a list, use: articlesctl show, articlesctl list", code: .usage)
        }
        try await context.read(at: route)
    }
}

extension Terminal {
    /// Whether the terminal supports a full-screen session.
    var isForReading: Bool { input.isTerminal && output.isTerminal && isCapable }
}

extension Context {
    /// Opens the reader at the place where the user left it, or at `route`.
    func read(at route: AppRoute?) async throws {
        try checkResources()
        let configuration = try configuration()
        let application = try await front(isFullScreen: true, defaults: try configuration.defaults()).application
        try await application.start(at: route, restoresSections: true)
        // Report an error before switching to the full screen. The user opened the article of a path.
        application.marksShownArticles = route != nil
        let screen = try await application.screen()
        application.marksShownArticles = false
        guard let terminal = RawTerminal(takesMouse: configuration.mouse) else {
            throw CommandError("cannot use the terminal: \(SystemError.current)", code: .ioError)
        }
        defer { terminal.close() }
        let session = ReaderSession(
            model: ApplicationModel(application: application), terminal: terminal,
            isColored: self.terminal.output.isColored, keys: configuration.keys, browser: browser(configuration),
            tools: articleTools(), showsLinks: Hyperlink.areShown(environment: environment),
            words: { CommandError($0).message }, whileIdle: try await indexingWhileIdle())
        let end = try await session.run(showing: screen)
        terminal.close()
        if end == .closed, let signal = terminal.signal {
            throw CommandError("terminated by a signal", code: signal == SIGINT ? .interrupted : .terminated)
        }
    }
}
