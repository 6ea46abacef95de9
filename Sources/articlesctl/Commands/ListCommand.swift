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
        options: ArticleListSetting.all.map { setting in
            OptionSpec(
                name: setting.name, short: letters[setting.name], summary: setting.summary,
                value: setting.noun.uppercased(), values: setting.choices.map(Values.choices) ?? .any,
                defaultValue: setting.defaultValue)
        },
        examples: [
            Example(
                command: "articlesctl list --author 'Ada Lindqvist' --since 2026-01-01",
                summary: "what one author has written since a day"),
            Example(command: "articlesctl list --json | jq -r '.articles[].title'", summary: "titles for a script"),
        ])

    /// The options that have a short form.
    private static let letters: [String: Character] = ["author": "a", "tag": "t", "sort": "s", "limit": "n"]

    private let list: ArticleList

    init(_ parsed: ParsedCommand) throws {
        var list = ArticleList()
        for setting in ArticleListSetting.all {
            guard let text = parsed.value(setting.name) else { continue }
            switch setting.value {
            case .text(let path):
                list.query[keyPath: path] = text
            case .date(let path):
                guard let date = try? DateParser.date(from: text) else {
                    let expected = "a date such as 2026-01-31"
                    throw parsed.error(.invalidValue(of: "--" + setting.name, value: text, expected: expected))
                }
                list.query[keyPath: path] = date
            case .sort:
                list.query.sort = ArticleQuery.Sort(rawValue: text) ?? list.query.sort
            case .limit:
                list.limit = try parsed.integer(setting.name, in: ArticleList.limits) ?? list.limit
            case .cursor:
                list.cursor = try Cursor(text)
            }
        }
        self.list = list
    }

    func run(in context: Context) async throws {
        try await context.show(.articles(list))
    }
}
