import Arguments
import FlowCoordinators
import Terminal

/// `open`: opens any place by its path.
struct OpenCommand: Command {
    static let spec = CommandSpec(
        name: "open", summary: "go to a place by its path",
        discussion: """
            At a terminal the full-screen session begins there; elsewhere, and with --no-input or --json, what is there is \
            written. A path is what other programs may link to: /articles, /articles?tag=swift, /articles/welcome, /account, \
            /account/sessions, /account/password, /appearance, /login, /signup, and /import in the full-screen session. A \
            place that needs a session asks for the log-in first.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "such as /articles/welcome", values: .names(.place))],
        examples: [
            Example(command: "articlesctl open '/articles?tag=swift'", summary: "go to a list in the reader"),
            Example(command: "articlesctl open /account --json", summary: "what is on a screen, for a program"),
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
                "\(route.path) is a place of the full-screen session only",
                hint: "to import from a command line: articlesctl seed PATH", code: .usage)
        } else {
            try await context.show(route)
        }
    }
}
