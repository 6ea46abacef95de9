import Arguments
import ArticleStore
import Text
import FlowCoordinators
import Terminal

/// `list`: lists articles, one page at a time.
struct ListCommand: Command {
    static let spec = CommandSpec(
        name: "list", aliases: ["ls"], summary: "list articles",
        discussion: """
            On a terminal a table; into a pipe one article a line, separated by tabs: id, slug, date, author, title, \
            tags. With --json, “next” is what --cursor takes for the page after this one, or null on the last; \
            “total” is null where a search goes on, because nobody has counted what it would find.

            \(ListOutput.discussion)
            """,
        options: ArticleListSetting.all.map(\.option) + ListOutput.options,
        examples: [
            Example(
                command: "articlesctl list --author 'Ada Lindqvist' --since 2026-01-01",
                summary: "what one author has written since a day"),
            Example(command: "articlesctl list --unread --source blog", summary: "what you have not read of a source"),
            Example(command: "articlesctl list --json | jq -r '.articles[].title'", summary: "titles for a script"),
            Example(
                command: "articlesctl list --all --json=id,slug,url", summary: "these of every article, for a script"),
            Example(
                command: "articlesctl list --unread --format '{published}\\t{title}\\t{url}'",
                summary: "lines of your own, separated by tabs"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        // Report mistakes on the command line before anything else.
        _ = try ListOutput(parsed, list: try parsed.list(ArticleListSetting.all))
    }

    func run(in context: Context) async throws {
        let configuration = try context.configuration()
        let list = try parsed.list(beginningWith: configuration.startingList())
        if !configuration.list.isEmpty, !parsed.hasConditions, list.query.isNarrowed {
            context.say("As the configuration says: \(configuration.listWords)")
        }
        try await ListOutput(parsed, list: list).write(in: context)
    }
}
