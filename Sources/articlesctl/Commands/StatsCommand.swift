import Arguments
import ArticleStore
import Essentials
import FlowCoordinators
import ReadingStore
import Terminal
import Text

/// `stats`: how much there is, and how much of it was read.
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

    /// How many bars of a kind a person is shown.
    private static let shown = 12

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        let user = try await context.reader()
        let articles = try context.articles()
        let marks = SQLiteMarkRepository(database: try context.database())
        let size = try await articles.size()
        let authors = try await articles.labels(.author).sorted { ($1.articles, $0.key) < ($0.articles, $1.key) }
        let unread = try await marks.counts(of: user).unread
        let weeks = Self.weeks(ofDays: try await marks.readDays(of: user))
        guard !context.json, context.terminal.output.isTerminal else {
            return try context.write(Self.json(size, authors, weeks, unread: unread))
        }
        let hours = size.readingMinutes / 60
        var lines = [
            "\(size.articles.articles), \(unread) unread; about \(size.words) words, "
                + (hours > 1 ? "\(hours) hours" : "\(size.readingMinutes) minutes") + " to read"
        ]
        for (title, bars) in [
            ("Published", size.months.suffix(Self.shown).map { Bar(name: $0.name, count: $0.articles) }),
            ("Authors", authors.prefix(Self.shown).map { Bar(name: $0.name, count: $0.articles) }),
            ("Read in the week of", weeks.suffix(Self.shown).map { Bar(name: $0.monday, count: $0.read) }),
        ] where !bars.isEmpty {
            lines += ["", title] + Bar.lines(bars, width: context.terminal.width)
        }
        for line in lines { try context.output.writeLine(line.sanitized()) }
    }

    private struct Week {
        let monday: String
        let read: Int
    }

    /// The weeks from the first to the last in which something was read, also those without.
    private static func weeks(ofDays days: [Int: Int]) -> [Week] {
        // Day 0 was a Thursday.
        let weeks = days.reduce(into: [Int: Int]()) { weeks, day in
            weeks[Int((Double(day.key + 3) / 7).rounded(.down)), default: 0] += day.value
        }
        guard let first = weeks.keys.min(), let last = weeks.keys.max() else { return [] }
        return (first...last).map { week in
            let monday = Date(timeIntervalSince1970: Double(week * 7 - 3) * 86_400)
            return Week(monday: RFC3339.day(of: monday, offset: 0), read: weeks[week] ?? 0)
        }
    }

    private static func json(
        _ size: LibrarySize, _ authors: [ArticleLabel], _ weeks: [Week], unread: Int
    ) -> JSON {
        [
            "articles": JSON(size.articles), "unread": JSON(unread), "words": JSON(size.words),
            "readingMinutes": JSON(size.readingMinutes),
            "months": .array(size.months.map { ["month": .string($0.name), "articles": JSON($0.articles)] }),
            "authors": .array(authors.map { ["name": .string($0.name), "articles": JSON($0.articles)] }),
            "weeks": .array(weeks.map { ["monday": .string($0.monday), "read": JSON($0.read)] }),
        ]
    }
}
