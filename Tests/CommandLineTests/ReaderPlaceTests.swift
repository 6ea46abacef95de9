import Foundation
import Testing

@Suite("Places in the reader", .enabled(if: Screen.isAvailable))
struct ReaderPlaceTests {
    /// Returns the bird in the selected row, which is drawn in reverse.
    private func chosen(on screen: Screen) async throws -> String {
        let styled = try await screen.text(isStyled: true)
        let row = styled.split(separator: "\n").first { $0.contains("\u{1B}[7m") } ?? ""
        return row.firstMatch(of: /Bird [0-9]+/).map { String($0.0) } ?? ""
    }

    @Test("The list is at the article that was read last, and another order keeps the selected article")
    func kept() async throws {
        let home = try await Home.signedIn()
        let birds = (0..<150).map { number in
            #"{"title":"Bird \#(number * 37 % 150 + 100)","slug":"b\#(number)","body":"About \#(number).","#
                + #""date":"2031-0\#(number / 28 + 1)-\#(number % 28 < 9 ? "0" : "")\#(number % 28 + 1)"}"#
        }
        try home.write("more.jsonl", birds.joined(separator: "\n"))
        try await #require(home.run("seed", "more.jsonl").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/210")
            try await screen.press("Enter")
            for _ in 0..<60 { try await screen.press("J") }
            // Esc would cancel pending keys.
            try await screen.wait(for: "About 89.")
            try await screen.press("Escape")
            try await screen.wait(for: " 61/210")
            // A frame may be visible before it is drawn completely.
            var row = ""
            try await screen.wait(for: "a row that is chosen") { _ in
                row = try await chosen(on: screen)
                return !row.isEmpty
            }
            try await screen.press("t")
            try await screen.wait(for: "another order") { !$0.contains(" 61/210") }
            try await screen.wait(for: "the row of before") { _ in try await chosen(on: screen) == row }
        }
    }

    @Test("A mark is on the disk before the reader reports it", .enabled(if: Program.find("strace") != nil))
    func durableMarks() async throws {
        let home = try await Home.signedIn()
        func syncs() async throws -> Int {
            try await home.shell("grep -c sync trace").lines.first.flatMap { Int($0) } ?? 0
        }
        try await Screen.open(in: home) { screen in
            try await screen.type("strace -f -e trace=fsync,fdatasync -o trace articlesctl read /articles/article-7")
            try await screen.wait(for: "Body of")
            let before = try await syncs()
            for words in ["Starred 1 article.", "Removed the star from 1 article.", "Starred 1 article."] {
                try await screen.press("*")
                try await screen.wait(for: words)
            }
            #expect(try await syncs() >= before + 3)
            try await screen.press("C-c")
        }
    }

    @Test("Text is in a column in the middle, and a width set by keys is remembered")
    func column() async throws {
        let home = try await Home.signedIn()
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + String(repeating: "word ", count: 300))
        try await #require(home.run("seed", "long.md").status == 0)
        func indent(_ text: String) -> Int? {
            text.split(separator: "\n").first { $0.contains("word word") }?.prefix { $0 == " " }.count
        }
        try await Screen.open(in: home) { screen in
            try await screen.resize(columns: 118, rows: 24)
            try await screen.type("articlesctl open /articles/long")
            try await screen.wait(for: "72 columns, in the middle of 118") { indent($0) == 23 }
            try await screen.write("--")
            try await screen.wait(for: "64 columns")
            try await screen.wait(for: "narrower text") { indent($0) == 27 }
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
            try await screen.type("clear; articlesctl open /articles/long")
            try await screen.wait(for: "text as narrow as before") { indent($0) == 27 }
        }
        #expect(try await home.sql("SELECT appearance FROM user_appearance") == "64")
    }

    @Test(
        "An article opens where it was left, in another session, at another width, and after an import"
    )
    func leftOff() async throws {
        let home = try await Home.prepared()
        let paragraphs = (1...60).map { "Paragraph \($0) " + String(repeating: "word ", count: 30) + "\n\n" }.joined()
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + paragraphs)
        try await #require(home.run("seed", "long.md").status == 0)
        for columns in [80, 60] {
            try await #require(home.logIn("ada").status == 0)
            try await Screen.open(in: home) { screen in
                try await screen.resize(columns: columns, rows: 24)
                try await screen.type("articlesctl read /articles")
                try await screen.wait(for: " 1/61")
                try await screen.press("Enter")
                if columns == 80 {
                    try await screen.wait(for: "Paragraph 1 word")
                    try await screen.type("/Paragraph 40 ")
                    try await screen.press("Escape")
                }
                try await screen.wait(for: "Paragraph 40 word")
                try await screen.press("q")
                try await screen.wait(for: " 1/61")
                try await screen.wait(for: "a place that is kept") { _ in
                    try await home.sql("SELECT place > 500 FROM article_mark WHERE place IS NOT NULL") == "1"
                }
                try await screen.write("L")
                try await screen.press("Enter")
                try await screen.wait(for: "Logged out.")
                try await screen.press("C-c")
                try await screen.wait(for: "ready>")
            }
            try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + paragraphs + "And more.\n")
            try await #require(home.run("seed", "long.md").status == 0)
        }
    }

    @Test("An article that the reader opens by its path is marked as read")
    func readByPath() async throws {
        let home = try await Home.signedIn()
        try home.write("one.md", "---\ntitle: One\nslug: one\n---\nThe text.\n")
        try await #require(home.run("seed", "one.md").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles/one")
            try await screen.wait(for: "The text.")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
        #expect(try await home.run("list", "--read", "--json").object().objects("articles").count == 1)
    }

    @Test("If the database is replaced under an open reader, it says so, and not that the user is logged out")
    func replaced() async throws {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl; echo ended: $?")
            try await screen.wait(for: " 1/60")
            let copy = home.path("copy.db")
            try await #require(home.run("backup", copy).status == 0)
            try await #require(home.shell(#"mv "$1" "$2""#, copy, home.database).status == 0)
            try await screen.press("Enter")
            try await screen.wait(for: "nothing was written to it")
            try await screen.press("j")
            try await screen.wait(for: "the notice gone") { !$0.contains("nothing was written") }
            try await screen.write("L")
            try await screen.press("Enter")
            let text = try await screen.wait(for: "nothing was written to it")
            #expect(!text.contains("Logged out"))
            try await screen.press("C-c")
            try await screen.wait(for: "ended:")
        }
        #expect(try await home.run("whoami").status == 0)
    }
}
