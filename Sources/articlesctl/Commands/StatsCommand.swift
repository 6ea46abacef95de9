import Arguments
import ArticleStore
import Text
import FlowCoordinators
import LibraryServices
import Terminal

/// `stats`: shows statistics about the library and reading.
struct StatsCommand: Command {
    static let spec = CommandSpec(
        name: "stats", summary: "show how much there is, and how much of it you have read",
        discussion: """
            On a terminal bars: articles by the month in which they were published, the authors with the most, and how many \
            articles you have read in each week, as far as you read them one by one. Elsewhere, and with --json, all months, \
            authors and weeks as JSON. The words are reckoned from the time to read.
            """,
        examples: [
            Example(command: "articlesctl stats", summary: "see it as bars"),
            Example(
                command: "articlesctl stats | jq -r '.weeks[] | [.monday, .read] | @tsv'",
                summary: "what you have read week by week"),
        ])

    /// The maximum number of bars of each kind.
    private static let shown = 12

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        let statistics = try await context.listing(for: context.reader()).statistics()
        guard !context.json, context.terminal.output.isTerminal else { return try context.write(statistics.json) }
        let (size, unread) = (statistics.size, statistics.unread)
        let hours = size.readingMinutes / 60
        var lines = [
            "\(size.articles.articles), \(unread) unread; about \(size.words) words, "
                + (hours > 1 ? "\(hours) hours" : "\(size.readingMinutes) minutes") + " to read"
        ]
        for (title, bars) in [
            ("Published", size.months.suffix(Self.shown).map { Bar(name: $0.name, count: $0.articles) }),
            ("Authors", statistics.authors.prefix(Self.shown).map { Bar(name: $0.name, count: $0.articles) }),
            ("Read in the week of", statistics.weeks.suffix(Self.shown).map { Bar(name: $0.monday, count: $0.read) }),
        ] where !bars.isEmpty {
            lines += ["", title] + Bar.lines(bars, width: context.terminal.width)
        }
        for line in lines { try context.output.writeLine(line.sanitized()) }
    }
}
