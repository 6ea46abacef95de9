import Arguments
import FlowCoordinators
import Terminal

/// `open`: opens any place by its path.
struct OpenCommand: Command {
    static let spec = CommandSpec(
        name: "open", summary: "open a screen by its path",
        discussion: """
            At a terminal, the reader starts at this screen. Without a terminal, and with --no-input or --json, the \
            command prints the screen. Other programs may link to these paths: /articles, /articles?tag=swift, \
            /articles/welcome, /account, /account/sessions, /account/password, /appearance, /login, /signup, and, in \
            the reader, /import. If a screen needs a session, the command asks for the login first.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "the path, such as /articles/welcome", values: .names(.place))],
        examples: [
            Example(command: "articlesctl open '/articles?tag=swift'", summary: "open a list in the reader"),
            Example(
                command: "articlesctl open /account --json", summary: "print the content of a screen for a program"),
        ])

    private let route: AppRoute

    init(_ parsed: ParsedCommand) throws {
        route = try parsed.route("PATH") ?? .articles()
    }

    func run(in context: Context) async throws {
        if context.terminal.isForReading, context.isInteractive, !context.json {
            try await context.read(at: route)
        } else if route == .importing {
            throw CommandError(
                "\(route.path) is available only in the full-screen reader",
                hint: "to import from the command line: articlesctl seed PATH", code: .usage)
        } else {
            try await context.show(route)
        }
    }
}
