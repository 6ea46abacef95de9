import Arguments
import ArticleStore
import Text
import FlowCoordinators
import LibraryServices
import Terminal

/// `stats`: shows statistics about the library and reading.
struct StatsCommand: Command {
    static let name = "stats"
    static let spec = CommandSpec(
        name: name, summary: "show statistics of the library and your reading",
        discussion: """
            On a terminal, the command draws bars: articles by month of publication, the most frequent authors, and \
            the number of articles that you read in each week, not counting articles marked in bulk. Without a \
            terminal, and with --json, it prints all months, authors, and weeks as JSON. The number of words is \
            estimated from the reading time.
            """,
        examples: [
            Example(command: "articlesctl stats", summary: "show the statistics as bars"),
            Example(
                command: "articlesctl stats | jq -r '.weeks[] | [.monday, .read] | @tsv'",
                summary: "print how many articles you read in each week"),
        ])

    /// The maximum number of bars of each kind.
    private static let shown = 12

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        let statistics = try await context.listing(for: context.reader()).statistics()
        let pictures = try await context.pictures().size()
        guard !context.json, context.terminal.output.isTerminal else {
            let facts: JSON = ["count": JSON(pictures.count), "bytes": JSON(pictures.bytes)]
            return try context.write(.object((statistics.json.members ?? []) + [JSON.Member("pictures", facts)]))
        }
        let (size, unread) = (statistics.size, statistics.unread)
        let hours = size.readingMinutes / 60
        var lines = [
            "\(size.articles.articles), \(unread) unread; about \(size.words.quantity(of: "word")), "
                + (hours > 1 ? "\(hours) hours" : size.readingMinutes.quantity(of: "minute")) + " to read"
        ]
        if pictures.count > 0 {
            lines.append("\(pictures.count.quantity(of: "picture")), \((pictures.bytes + 1_023) / 1_024) KiB")
        }
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
