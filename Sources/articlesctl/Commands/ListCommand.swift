import ArticleStore
import Essentials
import FlowCoordinators
import Terminal
import Text

/// `list`: a page of the list of articles.
struct ListCommand: Command {
    static let spec = CommandSpec(
        name: "list", aliases: ["ls"], summary: "list articles",
        discussion: """
            On a terminal a table; into a pipe one article a line, separated by tabs: id, slug, date, author, title, \
            tags. With --json, “next” is what --cursor takes for the page after this one, or null on the last; \
            “total” is null where a search goes on, because nobody has counted what it would find.
            """,
        options: ArticleListSetting.all.map(\.option),
        examples: [
            Example(
                command: "articlesctl list --author 'Ada Lindqvist' --since 2026-01-01",
                summary: "what one author has written since a day"),
            Example(command: "articlesctl list --unread --source blog", summary: "what you have not read of a source"),
            Example(command: "articlesctl list --json | jq -r '.articles[].title'", summary: "titles for a script"),
        ])

    private let parsed: ParsedCommand
    /// Whether nobody said how many are wanted, so that a script may take them for all.
    private let saysRest: Bool

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        // What is wrong on the command line is said before anything else.
        _ = try parsed.list(ArticleListSetting.all)
        saysRest = parsed.values("limit").isEmpty
    }

    func run(in context: Context) async throws {
        let configuration = try context.configuration()
        let list = try parsed.list(beginningWith: configuration.startingList())
        if !configuration.list.isEmpty, !parsed.hasConditions, list.query.isNarrowed {
            context.say("As the configuration says: \(configuration.listWords)")
        }
        guard let screen = try await context.screen(at: .articles(list)) else { return }
        try context.write(screen)
        guard saysRest, !context.json, !context.terminal.output.isTerminal,
            case .articles(let page, _, _) = screen.model, let next = page.next
        else { return }
        // The lines first: on a large library, counting takes longer than they do.
        try context.output.flush()
        let count = page.summaries.count
        let total =
            list.query.text == nil && list.query.marks.isEmpty ? try await context.articles().count(list.query) : nil
        context.say(
            "\(total.map { "\(count) of \($0) articles" } ?? "The first \(count) articles"). The rest: --cursor \(next); "
                + "--limit says how many at once, up to \(ArticleList.limits.upperBound).")
    }
}
