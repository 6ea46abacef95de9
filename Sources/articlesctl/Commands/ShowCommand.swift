import ArticleStore
import FlowCoordinators
import Terminal

/// `show`: an article.
struct ShowCommand: Command {
    static let spec = CommandSpec(
        name: "show", aliases: ["cat"], summary: "show an article",
        discussion: """
            On a terminal the article is laid out for reading, through a pager when it is long. Into a pipe it is the \
            source as it was imported; with --json, everything that is known about it.
            """,
        arguments: [ArgumentSpec(name: "ARTICLE", summary: "its number or its slug")],
        examples: [Example(command: "articlesctl show welcome > welcome.md", summary: "save the source")])

    private let reference: ArticleReference

    init(_ parsed: ParsedCommand) { reference = ArticleReference(parsed.argument("ARTICLE") ?? "") }

    func run(in context: Context) async throws {
        try await context.show(.article(reference))
    }
}
