import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// `search`: lists articles that contain words.
struct SearchCommand: Command {
    /// The settings of `list` except the search, which is an argument here.
    private static let settings = ArticleListSetting.all.filter { $0.name != "search" }

    static let name = "search"
    static let aliases = ["find"]
    static let spec = CommandSpec(
        name: name, aliases: aliases, summary: "search articles by their words",
        discussion: """
            An article must match every word, in its title, authors, tags, summary, or body. Case is ignored, and so \
            are accents on Latin letters. Other forms of a word match by the rules of the article's language: \
            migration finds migrations. "two words" is a phrase in exactly this form; OR between two words or \
            conditions matches either, and parentheses group, as in (swift OR rust) -is:read; migrat* matches the \
            beginning of a word; -java excludes a word. title:, author:, and tag: search one field; source:, lang:, \
            before:, and after: are filters; is:unread, is:read, is:starred, is:later, is:noted, and is:hidden refer to \
            your marks. Notes are not searched. Dates may be relative, such as after:yesterday or before:7 days ago. Any \
            search is valid: text that is not a filter is searched for as words. In a shell, put a search with \
            quotation marks, parentheses, or asterisks between apostrophes; write “--” before a search that begins \
            with a hyphen.

            Words in the title count more than words in authors and tags, and these more than others. “--sort newest” \
            lists the latest first. --all does the same, because the best matches are only searched among the latest \
            articles.

            \(ListOutput.discussion) Since WORDS may be followed by other words, --json takes FIELDS only after =.
            """,
        arguments: [
            ArgumentSpec(
                name: "WORDS", summary: "the words to search for", isRepeating: true,
                whenMissing: "without words, list takes the same options")
        ],
        options: settings.map(\.option).map { option in
            var option = option
            if option.name == "sort" { option.defaultValue = ArticleQuery.Sort.relevance.rawValue }
            return option
        } + ListOutput.options,
        examples: [
            Example(
                command: "articlesctl search keyset pages",
                summary: "search articles with both words, best matches first"),
            Example(
                command: "articlesctl search '\"keyset pages\" -mysql author:tomas after:2025' --sort newest",
                summary: "search a phrase, excluding a word, by an author, after a date"),
            Example(
                command: "articlesctl search --all sqlite --format '{slug}' | xargs articlesctl star",
                summary: "star all results"),
        ])

    private let output: ListOutput

    init(_ parsed: ParsedCommand) throws {
        var list = try parsed.list(Self.settings)
        if parsed.values("sort").isEmpty { list.query.sort = parsed.flag("all") ? .newest : .relevance }
        let words = parsed.arguments("WORDS").joined(separator: " ")
        try parsed.checkLength(ofSearch: words)
        list.query.text = SearchQuery.dated(words, now: parsed.now)
        guard list.query.search != nil else { throw parsed.error(.other("the search has no words")) }
        output = try ListOutput(parsed, list: list)
    }

    func run(in context: Context) async throws { try await output.write(in: context) }
}
