import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `search`: lists articles that contain words.
struct SearchCommand: Command {
    /// The settings of `list` except the search, which is an argument here.
    private static let settings = ArticleListSetting.all.filter { $0.name != "search" }

    static let spec = CommandSpec(
        name: "search", aliases: ["find"], summary: "search articles by their words",
        discussion: """
            Every word must be found, in title, authors, tags, summary or body, without regard to case and to accents on Latin \
            letters, and in its other forms by the rules of the article's language: migration finds migrations. "two words" stand \
            side by side, and quotation marks mean this form alone; between two words, OR means one of them; migrat* is the beginning of a word, -java must not be there; title:, \
            author: and tag: say where, source:, lang:, before: and after: what else must hold, is:unread, is:starred, is:later \
            and is:noted what you have marked. Notes are not searched. A date may be told from the present, as in after:yesterday and before:7 days ago. \
            Nothing is wrong: what is no condition is searched for as words. In a shell, put \
            a search that has quotation marks or asterisks between apostrophes, all of it; one that begins with a hyphen comes \
            after “--”.

            Words in the title count more than those of authors and tags, and these more than others. “--sort newest” gives the \
            latest first, and so does --all, as the best are looked for among the latest of very many.

            \(ListOutput.discussion) After WORDS could come others, so that --json takes FIELDS behind = alone.
            """,
        arguments: [
            ArgumentSpec(
                name: "WORDS", summary: "what is searched for", isRepeating: true,
                whenMissing: "without words, list takes the same options")
        ],
        options: settings.map(\.option).map { option in
            var option = option
            if option.name == "sort" { option.defaultValue = ArticleQuery.Sort.relevance.rawValue }
            return option
        } + ListOutput.options,
        examples: [
            Example(command: "articlesctl search keyset pages", summary: "articles with both words, the best first"),
            Example(
                command: "articlesctl search '\"keyset pages\" -mysql author:tomas after:2025' --sort newest",
                summary: "a phrase, without a word, by somebody, since a day"),
            Example(
                command: "articlesctl search --all sqlite --format '{slug}' | xargs articlesctl star",
                summary: "give all that it finds a star"),
        ])

    private let output: ListOutput

    init(_ parsed: ParsedCommand) throws {
        var list = try parsed.list(Self.settings)
        if parsed.values("sort").isEmpty { list.query.sort = parsed.flag("all") ? .newest : .relevance }
        let words = parsed.arguments("WORDS").joined(separator: " ")
        try parsed.checkLength(ofSearch: words)
        list.query.text = SearchQuery.dated(words, now: parsed.now)
        guard list.query.search != nil else { throw parsed.error(.other("there is no word to search for")) }
        output = try ListOutput(parsed, list: list)
    }

    func run(in context: Context) async throws { try await output.write(in: context) }
}
