import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `delete`: deletes articles from the library.
struct DeleteCommand: Command {
    /// The maximum number of articles to list.
    private static let told = 20

    /// The settings that select articles, without marks, which would need a user.
    private static let conditions = ArticleListSetting.conditions.filter { setting in
        if case .flag = setting.value { false } else { true }
    }

    static let spec = CommandSpec(
        name: "delete", aliases: ["rm"], summary: "delete articles",
        discussion: """
            Those that are named, or those of a list: the options say of which, and all of them must hold. It says what \
            would go and asks first. Where nothing answers to one of the names, nothing is deleted.

            An article that was deleted stays away: seed leaves it out when it meets it again, and says so. To have it back, \
            seed its source with --discard-edits. Like seed, this needs no log-in.
            """,
        arguments: [ArticleArguments.argument.optional],
        options: conditions.map(\.option) + [
            Confirmation.option,
            OptionSpec(name: "dry-run", summary: "say what would be deleted, and change nothing"),
        ],
        examples: [
            Example(command: "articlesctl delete 12 old-news", summary: "two articles"),
            Example(
                command: "articlesctl delete --source blog --until 2020-01-01 --dry-run",
                summary: "see which articles of a source are older than a day"),
            Example(
                command: "articlesctl list --all | grep advert | cut -f1 | articlesctl delete --yes -",
                summary: "those that another command writes"),
        ])

    private let references: [String]
    private let query: ArticleQuery
    private let isDryRun: Bool
    private let confirmation: Confirmation

    init(_ parsed: ParsedCommand) throws {
        references = parsed.arguments("ARTICLE")
        query = try parsed.whole(Self.conditions)
        guard query.markCriteria.isEmpty else {
            throw parsed.error(
                .other("marks are of who is logged in, and nobody is asked here: give the numbers that list writes"))
        }
        isDryRun = parsed.flag("dry-run")
        confirmation = Confirmation(parsed)
        let isQuery = query != ArticleQuery()
        guard !references.isEmpty || isQuery else {
            throw parsed.error(.other("say which articles: ARTICLE..., or options such as --source"))
        }
        guard references.isEmpty || !isQuery else {
            throw parsed.error(.other("name articles or describe them by options, not both"))
        }
    }

    func run(in context: Context) async throws {
        try await context.completeSearch(for: query)
        let repository = try context.articles().limitingSearches(to: nil)
        try await context.requireKnownNames(of: query, in: repository)
        let articles =
            try await references.isEmpty
            ? repository.summaries(of: query)
            : context.suggesting { try await ArticleArguments(references).summaries(in: repository) }
        if isDryRun || articles.isEmpty {
            try tell(articles, in: context)
            let words = articles.isEmpty ? "No article matches." : "Would be deleted: \(articles.count.articles)."
            return try context.report(words, json: json(articles))
        }
        try confirmation.check(in: context)
        if context.isInteractive { try tell(articles, in: context) }
        let which = articles.count == 1 ? "this article" : "these \(articles.count) articles"
        guard try confirmation.agrees(to: "Delete \(which)?", in: context) else {
            throw CommandError("nothing was deleted", code: .declined)
        }
        let numbers = articles.prefix(Self.told).map { String($0.id) }.joined(separator: ", ")
        let gone = try await context.articles(recording: "delete: \(articles.count.articles), \(numbers)")
            .delete(forGood: articles.map(\.id))
        // Another process may have deleted one in the meantime.
        let deleted = articles.filter { gone.contains($0.id) }
        if !context.isInteractive { try tell(deleted, in: context) }
        try context.report("Deleted \(deleted.count.articles).", json: json(deleted))
    }

    /// Prints the first articles, one per line.
    private func tell(_ articles: [ArticleSummary], in context: Context) throws {
        let more = articles.count - Self.told
        let lines =
            articles.prefix(Self.told).map { "\($0.id)  \($0.slug)  \($0.title)" }
            + (more > 0 ? ["… and \(more) more, which --json has"] : [])
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
