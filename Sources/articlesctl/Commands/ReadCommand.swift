import Arguments
import FlowCoordinators
import Platform
import Terminal
import TerminalReader

/// `read`: the full-screen session. In a terminal, it also runs if no command is given.
struct ReadCommand: Command {
    static let spec = CommandSpec(
        name: "read", summary: "read in a full-screen session",
        discussion: """
            Begins where the session was left, or at a place given by its path. The keys of each screen are shown with ?, \
            and Ctrl-C leaves. Links to the web are opened with the program that is configured, else with the one that BROWSER \
            names. The keys below hold until others are chosen in the configuration.
            """,
        arguments: [
            ArgumentSpec(name: "PATH", summary: "such as /articles/welcome", isRequired: false, values: .names(.place))
        ],
        examples: [
            Example(command: "articlesctl read", summary: "go on where you were"),
            Example(command: "articlesctl read /articles/welcome", summary: "begin with an article"),
        ],
        sections: KeyTable.sections)

    private let route: AppRoute?

    init(_ parsed: ParsedCommand) throws {
        route = try parsed.route("PATH")
    }

    func run(in context: Context) async throws {
        guard context.terminal.isForReading else {
            throw CommandError(
                "there is no terminal to read on",
                hint: "to write an article or a list out: articlesctl show, articlesctl list", code: .usage)
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
        if let shortage = resourceShortage() {
            throw CommandError(
                "the reader cannot run: no thread can be started, or no file opened (\(shortage))",
                hint: "end other programs, or raise the limits: ulimit -u, -v, -n", code: .tryAgain)
        }
        let configuration = try configuration()
        let application = try front(isFullScreen: true, defaults: try configuration.defaults()).application
        try await application.start(at: route)
        // Report an error before switching to the full screen.
        let screen = try await application.screen()
        guard let terminal = RawTerminal(takesMouse: configuration.mouse) else {
            throw CommandError("the terminal cannot be used: \(SystemError.current)", code: .ioError)
        }
        defer { terminal.close() }
        let session = ReaderSession(
            model: ApplicationModel(application: application), terminal: terminal,
            isColored: self.terminal.output.isColored, keys: configuration.keys, browser: browser(configuration),
            tools: articleTools(), showsLinks: Hyperlink.areShown(environment: environment),
            words: { CommandError($0).message }, whileIdle: try indexingWhileIdle())
        let end = try await session.run(showing: screen)
        terminal.close()
        if end == .closed, let signal = terminal.signal {
            throw CommandError("ended by a signal", code: signal == SIGINT ? .interrupted : .terminated)
        }
    }
}
