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
            and Ctrl-C leaves. Links to the web are opened with the program that BROWSER names.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "such as /articles/welcome", isRequired: false)])

    private let route: AppRoute?

    init(_ parsed: ParsedCommand) throws {
        route = try parsed.route("PATH")
    }

    func run(in context: Context) async throws {
        guard context.canRead else {
            // What else there is, for who did not know that a terminal is wanted.
            if let page = HelpPage(of: CommandTable.root, path: []) {
                try HelpCommand.write(page, to: context.error, on: context.terminal)
            }
            throw Failure("a command is missing, or a terminal to read on", code: .usage)
        }
        try await context.read(at: route)
    }
}

extension Context {
    /// Whether there is a terminal to read on.
    var canRead: Bool { terminal.input.isTerminal && terminal.output.isTerminal && terminal.isCapable }

    /// Opens the reader where it was left, or at a place.
    func read(at route: AppRoute?) async throws {
        let application = try front(isFullScreen: true).application
        try await application.start(at: route)
        // What cannot be shown is told before the screen is taken over.
        let screen = try await application.screen()
        guard let terminal = RawTerminal() else {
            throw Failure("the terminal cannot be used: \(String(cString: strerror(errno)))", code: .ioError)
        }
        defer { terminal.close() }
        let session = ReaderSession(
            model: ApplicationModel(application: application), terminal: terminal,
            isColored: self.terminal.output.isColored, browser: Browser(environment: environment))
        let end = try await session.run(showing: screen)
        terminal.close()
        if end == .closed, let signal = terminal.signal, let code = ExitCode(rawValue: 128 + signal) {
            throw Failure("ended by a signal", code: code)
        }
    }
}
