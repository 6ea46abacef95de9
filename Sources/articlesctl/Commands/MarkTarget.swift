import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import Text

/// The articles to mark: named ones, or those of a list.
struct MarkTarget {
    static let argument = ArticleArguments.argument.optional
    static let options =
        [OptionSpec.saved] + ArticleListSetting.conditions.map(\.option) + [
            OptionSpec(name: "all", summary: "all articles of the library"), Confirmation.option,
            OptionSpec(name: "dry-run", summary: "show how many articles match, and change nothing"),
        ]

    /// The number of articles of a list above which the user must confirm.
    private static let confirmationThreshold = 100
    /// The maximum number of articles to name in the message.
    private static let maximumListed = 5

    /// The explanation in the help of each command for marks.
    static let discussion = """
        The articles are those that you name, or those of a list that match all options; the options are those of \
        list. If one of the names does not match an article, nothing is changed. Marks belong to the user who is \
        logged in; other users do not see them. At a terminal, the command asks for confirmation if a list has more \
        than \(confirmationThreshold) articles; scripts are not asked. With --dry-run it prints how many articles match, and the \
        first of them.
        """

    private let names: [String]
    private let parsed: ParsedCommand
    private let isDryRun: Bool
    private let confirmation: Confirmation

    /// - Parameter tag: the tag to add or remove, for the message if no article is given; nil for other marks.
    init(_ parsed: ParsedCommand, tag: TagName? = nil) throws {
        names = parsed.arguments("ARTICLE")
        self.parsed = parsed
        isDryRun = parsed.flag("dry-run")
        confirmation = Confirmation(parsed)
        let isQuery = try parsed.whole(ArticleListSetting.conditions) != ArticleQuery() || parsed.value("saved") != nil
        guard !names.isEmpty || isQuery || parsed.flag("all") else {
            let articles = tag.map { "articles for the tag “\($0.name)”" } ?? "articles"
            throw parsed.error(.other("choose \(articles) with ARTICLE..., options such as --unread, or --all"))
        }
        guard names.isEmpty || !isQuery && !parsed.flag("all") else {
            throw parsed.error(.other("choose articles by name or by options, not both"))
        }
        guard !isQuery || !parsed.flag("all") else {
            throw parsed.error(.other("--all cannot be combined with other filters"))
        }
    }

    /// Marks the articles for the signed-in user.
    func mark(_ change: MarkChange, in context: Context) async throws {
        let selection = try ArticleArguments(names)
        var query = try parsed.whole(ArticleListSetting.conditions, from: try await context.savedQuery(parsed))
        try await context.completeSearch(for: query)
        let front = try await context.front()
        let place = AppRoute.articles(ArticleList(query: query))
        try await front.go(to: place) { $0 == place }
        query.marks.userID = front.application.currentUser.session?.user.id
        let articles = try await context.articles().limitingSearches(to: nil)
        try await context.requireKnownNames(of: query, in: articles)
        if isDryRun { return try await preview(selection, query, in: articles, context) }
        if names.isEmpty, context.isInteractive {
            let count = try await articles.count(query)
            guard
                try count <= Self.confirmationThreshold
                    || confirmation.agrees(to: "Change \(count.articles)?", in: context)
            else {
                throw CommandError("nothing was changed", code: .declined)
            }
        }
        var words = try await context.suggesting {
            try await front.send(names.isEmpty ? .listMarked(change) : .marked(change, selection.references))
        }
        let changed = front.application.notice?.count ?? 0
        if names.isEmpty, changed == 0, try await articles.list(query, after: nil, limit: 1).summaries.isEmpty {
            words = "No article matches. Nothing changed."
        }
        try context.report(words, json: ["changed": JSON(changed)])
    }

    /// Prints the articles that would be changed, and those that are already as wanted.
    private func preview(
        _ selection: ArticleArguments, _ query: ArticleQuery, in articles: some ArticleRepository, _ context: Context
    ) async throws {
        let named = try await context.suggesting { try await selection.summaries(in: articles) }
        let count = names.isEmpty ? try await articles.count(query) : named.count
        let first =
            names.isEmpty ? try await articles.list(query, after: nil, limit: Self.maximumListed).summaries : named
        if !context.json {
            for article in first.prefix(Self.maximumListed) {
                try context.report("\(article.id)  \(article.slug)  \(article.title)", json: nil)
            }
            if count > Self.maximumListed { try context.report("… and \(count - Self.maximumListed) more", json: nil) }
        }
        try context.report(
            count == 0 ? "No article matches." : "Would change at most \(count.articles).",
            json: ["changed": 0, "matching": JSON(count), "dryRun": true])
    }
}
