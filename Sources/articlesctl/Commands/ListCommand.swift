import Arguments
import ArticleStore
import Text
import FlowCoordinators
import Terminal

/// `list`: lists articles, one page at a time.
struct ListCommand: Command {
    static let name = "list"
    static let aliases = ["ls"]
    static let spec = CommandSpec(
        name: name, aliases: aliases, summary: "list articles",
        discussion: """
            On a terminal, the command prints a table. Into a pipe, it writes one article per line, with tabs between \
            the columns: id, slug, date, author, title, tags. With --json, “next” is the value of --cursor for the \
            next page, or null on the last page; “total” is null if a search has more results, because they are not \
            counted.

            \(ListOutput.discussion)
            """,
        options: [OptionSpec.saved] + ArticleListSetting.all.map(\.option) + ListOutput.options,
        examples: [
            Example(
                command: "articlesctl list --author 'Ada Lindqvist' --since 2026-01-01",
                summary: "list the articles of an author since a date"),
            Example(
                command: "articlesctl list --unread --source blog", summary: "list the unread articles of a source"),
            Example(
                command: "articlesctl list --json | jq -r '.articles[].title'", summary: "print titles for a script"),
            Example(
                command: "articlesctl list --all --json=id,slug,url",
                summary: "print some fields of all articles for a script"),
            Example(
                command: "articlesctl list --unread --format '{published}\\t{title}\\t{url}'",
                summary: "print lines in your own format, separated by tabs"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        // Report mistakes on the command line before anything else.
        _ = try ListOutput(parsed, list: try parsed.list(ArticleListSetting.all))
    }

    func run(in context: Context) async throws {
        let configuration = try context.configuration()
        let list = try parsed.list(
            beginningWith: configuration.startingList(), from: try await context.savedQuery(parsed))
        if !configuration.list.isEmpty, !parsed.hasConditions, list.query.isNarrowed {
            context.say("Filtered by the configuration: \(configuration.filterWords)")
        }
        try await ListOutput(parsed, list: list).write(in: context)
    }
}
