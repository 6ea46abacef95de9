/// Articles that the tests import, known without running the program.
enum Library {
    struct Item: Hashable, Sendable {
        let number: Int
        let slug: String
        let title: String
        let author: String
        let tags: [String]
        let language: String
        let day: String
    }

    /// The size of an import's batches. Smaller imports can be lost by an interrupt, so tests of interrupts import
    /// more.
    static let batch = 14_400
    /// The size of its first batch.
    static let firstBatch = 900

    /// Sixty articles, three on a day, so that a page may end among equal dates.
    static let articles: [Item] = (0..<60).map { number in
        Item(
            number: number, slug: "article-\(number)", title: "Title \((number * 37) % 60) of \(number)",
            author: ["Ada Lindqvist", "Tomás Herrera", "Mei Okafor"][number % 4 % 3],
            tags: (number % 2 == 0 ? ["swift"] : []) + (number % 5 == 0 ? ["SQLite"] : []) + ["all"],
            language: number % 6 == 0 ? "sv" : "en", day: "2026-01-" + twoDigits(number / 3 + 1))
    }

    /// The articles as JSON Lines.
    static func lines(_ items: [Item]) -> String {
        items.map { item in
            let tags = item.tags.map { "\"\($0)\"" }.joined(separator: ",")
            return
                #"{"title":"\#(item.title)","slug":"\#(item.slug)","author":"\#(item.author)","date":"\#(item.day)","#
                + #""tags":[\#(tags)],"lang":"\#(item.language)","body":"Body of \#(item.number).\n\nMore *text*.\n"}"#
                + "\n"
        }.joined()
    }

    /// Returns this many articles as JSON Lines, for tests that need more than a few.
    static func lines(_ numbers: Range<Int>, prefix: String = "bulk") -> String {
        numbers.map { number in
            #"{"title":"Bulk \#(number)","slug":"\#(prefix)-\#(number)","author":"Author \#(number % 7)","#
                + #""date":"2025-\#(twoDigits(number % 12 + 1))-\#(twoDigits(number % 28 + 1))","tags":["bulk","t\#(number % 5)"],"#
                + #""body":"\#(String(repeating: "word ", count: 4))"}"# + "\n"
        }.joined()
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
