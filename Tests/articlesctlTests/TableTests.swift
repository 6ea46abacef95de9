import Terminal
import Testing

@testable import articlesctl

@Suite("Tables")
struct TableTests {
    private let table = Table(
        columns: [.init(title: "ID", isRight: true), .init(title: "AUTHOR"), .init(title: "TITLE")],
        rows: [["7", "日本", "A title that is long"], ["12", "Ann\t\u{1B}[2J", "Short\nand\u{85}broken"]]
    )

    @Test("Columns are aligned by their width on a terminal, and the last one is cut")
    func aligned() {
        #expect(
            table.aligned(width: 40).rendered(isColored: false) == """
                ID  AUTHOR    TITLE
                 7  日本      A title that is long
                12  Ann␉␛[2J  Short␊and�broken

                """)
        #expect(
            table.aligned(width: 30).rendered(isColored: false)
                == """
                ID  AUTHOR    TITLE
                 7  日本      A title that is…
                12  Ann␉␛[2J  Short␊and�brok…

                """.replacing("brok…", with: "broken"))
    }

    @Test("A column of paths keeps their ends")
    func paths() {
        let table = Table(
            columns: [.init(title: "NAME"), .init(title: "PLACE", keepsEnd: true)],
            rows: [["posts", "/home/ada/日本/blog/posts"], ["b", "/b"]])
        #expect(
            table.aligned(width: 20).rendered(isColored: false) == """
                NAME   PLACE
                posts  …/blog/posts
                b      /b

                """)
    }

    @Test("No line is wider than the terminal", arguments: 1...60)
    func narrow(width: Int) {
        for line in table.aligned(width: width).lines {
            #expect(line.displayWidth <= width)
        }
    }

    @Test("For a program there are tabs between cells and nowhere else")
    func tabs() {
        #expect(table.tabSeparated == "7\t日本\tA title that is long\n12\tAnn  [2J\tShort and broken\n")
    }

    @Test(
        "Wide columns are shortened first",
        arguments: [
            ([3, 4], 10, [3, 4]), ([3, 40], 20, [3, 17]), ([30, 40, 2], 21, [10, 9, 2]), ([30, 30], 2, [6, 6]),
            ([], 5, []), ([2, 30], 4, [2, 6]),
        ])
    func widths(natural: [Int], available: Int, expected: [Int]) {
        #expect(
            columnWidths(
                natural: natural, available: available, minimum: Array(repeating: 6, count: natural.count)) == expected)
    }

    @Test(
        "The title has the most room and times are complete, however long the tags of one row are", arguments: 60...200)
    func titles(width: Int) {
        let tags = (1...60).map { "tag-\($0)" }.joined(separator: ", ")
        let table = Table(
            columns: [
                .init(title: "ID", use: .exact), .init(title: "WHEN"), .init(title: "AUTHOR"),
                .init(title: "TITLE", use: .main), .init(title: "TAGS", use: .optional),
            ],
            rows: [
                [
                    "1", "2026-11-25 05:54", String(repeating: "An author with a long name ", count: 3),
                    String(repeating: "title ", count: 30), tags,
                ]
            ])
        let lines = table.aligned(width: width).rendered(isColored: false).split(separator: "\n")
        let starts = ["ID", "WHEN", "AUTHOR", "TITLE", "TAGS"].compactMap { title in
            lines[0].firstRange(of: title).map { lines[0].distance(from: lines[0].startIndex, to: $0.lowerBound) }
        }
        let ends = starts.dropFirst() + [width + 2]
        let widths = zip(starts, ends).map { $1 - $0 - 2 }
        #expect(widths[3] == widths.max())
        #expect(lines[1].contains("2026-11-25 05:54"))
        #expect(widths.count == 5 || table.omitted(width: width) == ["TAGS"])
    }
}
