import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `delete`: deletes articles from the library.
struct DeleteCommand: Command {
    /// The maximum number of articles to list.
    private static let maximumListed = 20

    /// The settings that select articles, without marks, which would need a user.
    private static let conditions = ArticleListSetting.conditions.filter { setting in
        if case .flag = setting.value { false } else { true }
    }

    static let name = "delete"
    static let aliases = ["rm"]
    static let spec = CommandSpec(
        name: name, aliases: aliases, summary: "delete articles",
        discussion: """
            Deletes the articles that you name, or the articles of a list that match all options. It shows them and \
            asks for confirmation first. If one of the names does not match an article, nothing is deleted.

            Deleted articles do not come back: seed skips them and reports that. To restore them, seed their source \
            with --discard-edits; the marks, tags, and notes of their readers are lost. Like seed, this command needs no login.
            """,
        arguments: [ArticleArguments.argument.optional],
        options: conditions.map(\.option) + [
            Confirmation.option,
            OptionSpec(name: "dry-run", summary: "show what would be deleted, and change nothing"),
        ],
        examples: [
            Example(command: "articlesctl delete 12 old-news", summary: "delete two articles"),
            Example(
                command: "articlesctl delete --source blog --until 2020-01-01 --dry-run",
                summary: "show which articles of a source are older than a date"),
            Example(
                command: "articlesctl list --all | grep advert | cut -f1 | articlesctl delete --yes -",
                summary: "delete the articles that another command prints"),
        ])

    private let references: [String]
    private let query: ArticleQuery
    private let isDryRun: Bool
    private let confirmation: Confirmation

    init(_ parsed: ParsedCommand) throws {
        references = parsed.arguments("ARTICLE")
        query = try parsed.whole(Self.conditions)
        guard !query.dependsOnMarks else {
            throw parsed.error(
                .other("marks need a login, which this command does not use: pass the numbers that list prints"))
        }
        isDryRun = parsed.flag("dry-run")
        confirmation = Confirmation(parsed)
        let isQuery = query != ArticleQuery()
        guard !references.isEmpty || isQuery else {
            throw parsed.error(.other("choose articles with ARTICLE... or options such as --source"))
        }
        guard references.isEmpty || !isQuery else {
            throw parsed.error(.other("choose articles by name or by options, not both"))
        }
    }

    func run(in context: Context) async throws {
        try await context.completeSearch(for: query)
        let repository = try await context.articles().limitingSearches(to: nil)
        try await context.requireKnownNames(of: query, in: repository)
        let articles =
            try await references.isEmpty
            ? repository.summaries(of: query)
            : context.suggesting { try await ArticleArguments(references).summaries(in: repository) }
        if isDryRun || articles.isEmpty {
            try tell(articles, in: context)
            let words = articles.isEmpty ? "No article matches." : "Would delete \(articles.count.articles)."
            return try context.report(words, json: json(articles))
        }
        try confirmation.check(in: context)
        if context.isInteractive { try tell(articles, in: context) }
        let which = articles.count == 1 ? "this article" : "these \(articles.count) articles"
        guard try confirmation.agrees(to: "Delete \(which)?", in: context) else {
            throw CommandError("nothing was deleted", code: .declined)
        }
        let numbers = articles.prefix(Self.maximumListed).map { String($0.id) }.joined(separator: ", ")
        let gone = try await context.articles(recording: "delete: \(articles.count.articles), \(numbers)")
            .delete(forGood: articles.map(\.id))
        // Another process may have deleted one in the meantime.
        let deleted = articles.filter { gone.contains($0.id) }
        if !context.isInteractive { try tell(deleted, in: context) }
        try context.report("Deleted \(deleted.count.articles).", json: json(deleted))
    }

    /// Prints the first articles, one per line.
    private func tell(_ articles: [ArticleSummary], in context: Context) throws {
        let more = articles.count - Self.maximumListed
        let lines =
            articles.prefix(Self.maximumListed).map { "\($0.id)  \($0.slug)  \($0.title)" }
            + (more > 0 ? ["… and \(more) more; use --json to list all"] : [])
        for line in lines {
            // The lines are the only result of a dry run, so print them to standard output.
            if isDryRun, !context.json { try context.report(line, json: nil) } else { context.say(line) }
        }
    }

    private func json(_ articles: [ArticleSummary]) -> JSON {
        let objects = articles.map { article -> JSON in
            [
                "id": JSON(article.id), "slug": .string(article.slug), "title": .string(article.title),
                "source": .string(article.source),
            ]
        }
        return ["deleted": .array(objects), "dryRun": .bool(isDryRun)]
    }
}

extension ArticleRepository {
    /// Returns all articles of a query in its order.
    fileprivate func summaries(of query: ArticleQuery) async throws -> [ArticleSummary] {
        var summaries: [ArticleSummary] = []
        var cursor: Cursor?
        repeat {
            let page = try await list(query, after: cursor, limit: 1000)
            summaries += page.summaries
            cursor = page.next
        } while cursor != nil
        return summaries
    }
}
