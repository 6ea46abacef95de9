import Arguments
import ArticleStore

/// `unstar`: removes stars from articles.
struct UnstarCommand: Command {
    static let name = "unstar"
    static let spec = CommandSpec(
        name: name, summary: "remove the star from articles", discussion: MarkTarget.discussion,
        arguments: [MarkTarget.argument],
        options: MarkTarget.options,
        examples: [
            Example(command: "articlesctl unstar welcome", summary: "remove the star of one article"),
            Example(command: "articlesctl unstar --starred --source blog", summary: "remove the stars of a source"),
        ])

    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws { target = try MarkTarget(parsed) }

    func run(in context: Context) async throws { try await target.mark(.starred(false), in: context) }
}
