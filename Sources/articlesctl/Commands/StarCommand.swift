import Arguments
import ArticleStore

/// `star`: adds stars to articles.
struct StarCommand: Command {
    static let name = "star"
    static let spec = CommandSpec(
        name: name, summary: "star articles", discussion: MarkTarget.discussion,
        arguments: [MarkTarget.argument],
        options: MarkTarget.options,
        examples: [
            Example(command: "articlesctl star 12 welcome", summary: "star two articles"),
            Example(command: "articlesctl list --starred", summary: "list the starred articles"),
        ])

    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws { target = try MarkTarget(parsed) }

    func run(in context: Context) async throws { try await target.mark(.starred(true), in: context) }
}
