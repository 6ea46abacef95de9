import ArticleStore
import FlowCoordinators
import ReadingStore
import Text

/// Which articles are to be marked: those that are named, or those of a list.
struct MarkTarget {
    static let argument = ArticleSelection.argument.optional
    static let options =
        ArticleListSetting.conditions.map(\.option) + [OptionSpec(name: "all", summary: "all articles of the library")]

    /// What the help of each of the commands says.
    static let discussion = """
        The articles are those that are named, or those of a list: the options are the ones of list, and all of them must \
        hold. Where nothing answers to one of the names, nothing is changed. Marks are of who is logged in, and nobody else \
        sees them.
        """

    private let names: [String]
    private let query: ArticleQuery

    init(_ parsed: ParsedCommand) throws {
        names = parsed.arguments("ARTICLE")
        query = try parsed.whole(ArticleListSetting.conditions)
        let isQuery = query != ArticleQuery()
        guard !names.isEmpty || isQuery || parsed.flag("all") else {
            throw parsed.error(.other("say which articles: ARTICLE..., options such as --unread, or --all"))
        }
        guard names.isEmpty || !isQuery && !parsed.flag("all") else {
            throw parsed.error(.other("name articles or describe them by options, not both"))
        }
        guard !isQuery || !parsed.flag("all") else {
            throw parsed.error(.other("--all means every article, and takes no other condition"))
        }
    }

    /// Marks them, in the name of who is signed in.
    func mark(_ change: MarkChange, in context: Context) async throws {
        let references = try ArticleSelection(names).references
        try await context.completeSearch(for: query)
        let front = try context.front()
        let place = AppRoute.articles(ArticleList(query: query))
        try await front.go(to: place) { $0 == place }
        let words = try await front.send(names.isEmpty ? .listMarked(change) : .marked(change, references))
        try context.report(words, json: ["changed": JSON(front.application.notice?.count ?? 0)])
    }
}
