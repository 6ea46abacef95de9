import ArticleStore
import FlowCoordinators
import Terminal
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `list`: a page of the list of articles.
struct ListCommand: Command {
    static let spec = CommandSpec(
        name: "list", aliases: ["ls"], summary: "list articles",
        discussion: """
            On a terminal a table; into a pipe one article a line, separated by tabs: id, slug, date, author, title, \
            tags. With --json, “next” is what --cursor takes for the page after this one, or null on the last; \
            “total” is null where a search goes on, because nobody has counted what it would find.
            """,
        options: [
            OptionSpec(
                name: "search",
                summary: "only articles with all these words, or parts of words, in title, authors or tags",
                value: "TEXT"),
            OptionSpec(
                name: "author", short: "a", summary: "only articles by this author, the whole name", value: "NAME"),
            OptionSpec(name: "tag", short: "t", summary: "only articles with this tag", value: "TAG"),
            OptionSpec(name: "language", summary: "only articles in this language", value: "CODE"),
            OptionSpec(name: "since", summary: "only articles published at this date or later", value: "DATE"),
            OptionSpec(name: "until", summary: "only articles published before this date", value: "DATE"),
            OptionSpec(
                name: "sort", short: "s", summary: "the order", value: "ORDER",
                values: .choices(ArticleQuery.Sort.allCases.map(\.rawValue)), defaultValue: "newest"),
            OptionSpec(
                name: "limit", short: "n", summary: "how many articles at most", value: "NUMBER",
                defaultValue: String(ArticleList.defaultLimit)),
            OptionSpec(name: "cursor", summary: "where the page begins", value: "CURSOR"),
        ],
        examples: [
            Example(
                command: "articlesctl list --author 'Ada Lindqvist' --since 2026-01-01",
                summary: "what one author has written since a day"),
            Example(command: "articlesctl list --json | jq -r '.articles[].title'", summary: "titles for a script"),
        ])

    private let list: ArticleList

    init(_ parsed: ParsedCommand) throws {
        func date(_ option: String) throws -> Date? {
            guard let text = parsed.value(option) else { return nil }
            do {
                return try DateParser.date(from: text)
            } catch {
                throw parsed.error(
                    .invalidValue(of: "--" + option, value: text, expected: "a date such as 2026-01-31"))
            }
        }
        let query = ArticleQuery(
            text: parsed.value("search"), author: parsed.value("author"), tag: parsed.value("tag"),
            language: parsed.value("language"), since: try date("since"), until: try date("until"),
            sort: parsed.value("sort").flatMap(ArticleQuery.Sort.init) ?? .newest)
        list = ArticleList(
            query: query, cursor: try parsed.value("cursor").map { try Cursor($0) },
            limit: try parsed.integer("limit", in: ArticleList.limits) ?? ArticleList.defaultLimit)
    }

    func run(in context: Context) async throws {
        try await context.show(.articles(list))
    }
}
