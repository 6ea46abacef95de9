import Foundation
import Testing

@Suite("Actions on an article in the reader", .enabled(if: Screen.isAvailable))
struct ReaderToolsTests {
    /// Returns a home with a signed-in user, and an article with sections and a link.
    private func home(of user: String = "ada") async throws -> Home {
        let home = try await Home.prepared()
        if user != "ada" { try await #require(home.register(user).status == 0) }
        try await #require(home.logIn(user).status == 0)
        let sections = (1...9).map { section in
            "## Part \(section)\n\n"
                + (1...30).map { "Sentence \(section).\($0) of the text.\n\n" }.joined()
        }
        try home.write(
            "long.md",
            "---\ntitle: Long\nslug: long\nlink: https://a.example/long\n---\nSee [the site](https://a.example/there).\n\n"
                + sections.joined())
        try await #require(home.run("seed", "long.md").status == 0)
        return home
    }

    @Test("An article is saved, piped to a command whose output is shown, and edited, as in the shell")
    func savedPipedEdited() async throws {
        let home = try await home()
        try await Screen.open(in: home) { screen in
            try await screen.type("EDITOR='sed -i s/Sentence.1.1/Changed/' articlesctl read /articles/long")
            try await screen.wait(for: "Sentence 1.1 of")
            try await screen.press("s")
            try await screen.wait(for: "Save to: long.md")
            try await screen.press("Enter")
            try await screen.wait(for: "long.md already exists. Replace it?")
            try await screen.press("Escape")
            try await screen.press("s")
            try await screen.wait(for: "Save to:")
            try await screen.press("C-u")
            try await screen.type("~/kept.md")
            try await screen.wait(for: "saved to ~/kept.md")
            try await screen.press("|")
            try await screen.wait(for: "Pipe to:")
            try await screen.type("grep -c Sentence; exit 3")
            let piped = try await screen.wait(for: "Press Enter to go back.")
            #expect(piped.contains("\n270\n") && piped.contains("It exited with status 3."))
            try await screen.press("Enter")
            try await screen.wait(for: "Sentence 1.1 of")
            try await screen.press("e")
            try await screen.wait(for: "Changed “Long”.")
            try await screen.wait(for: "Changed of the text.")
            try await screen.press("C-c")
        }
        let kept = try String(contentsOfFile: home.path("kept.md"), encoding: .utf8)
        #expect(kept.hasPrefix("---\n") && kept.contains("Sentence 9.30"))
        #expect(try String(contentsOfFile: home.path("long.md"), encoding: .utf8).contains("link: https"))
    }

    @Test("A user who may not import may not edit an article, and the reader says so")
    func refused() async throws {
        let home = try await home(of: "eve")
        try await Screen.open(in: home) { screen in
            try await screen.type("EDITOR='touch edited' articlesctl read /articles/long")
            try await screen.wait(for: "Sentence 1.1 of")
            try await screen.press("e")
            try await screen.wait(for: "editor")
            try await screen.press("C-c")
        }
        #expect(!FileManager.default.fileExists(atPath: home.path("edited")))
    }

    @Test("Keys show headings, copy the address, and change the width, and the mouse and a browser work")
    func reading() async throws {
        let home = try await home()
        try home.write("open.sh", "echo \"$1\" >> opened\n")
        try await Screen.open(in: home) { screen in
            try await screen.type(
                "tmux set -s set-clipboard on; DISPLAY=:0 BROWSER='sh open.sh' articlesctl read /articles")
            try await screen.wait(for: " 1/61")
            // A click on a column's title sorts by it.
            let list = try await screen.text().split(separator: "\n", omittingEmptySubsequences: false)
            let heads = try #require(list.firstIndex { $0.contains("PUBLISHED") })
            let column = try #require(list[heads].range(of: "TITLE"))
            let offset = list[heads].distance(from: list[heads].startIndex, to: column.lowerBound)
            try await click(row: heads, column: offset, on: screen)
            try await screen.wait(for: "by title")
            try await screen.type("/Long")
            try await screen.wait(for: " 1/1")
            // The first click selects a row, and a click on the selected row opens it.
            try await click(row: heads + 1, column: 4, on: screen)
            try await screen.wait(for: "Sentence 1.1 of")
            try await screen.press("c")
            try await screen.wait(for: "Part 9")
            try await screen.press("G")
            try await screen.press("Enter")
            try await screen.wait(for: "Sentence 9.1 of")
            try await screen.press("y")
            try await screen.wait(for: "copied https://a.example/long")
            try await screen.press("+")
            try await screen.wait(for: "76 columns")
            try await screen.press("g")
            let text = try await screen.wait(for: "the site").split(separator: "\n", omittingEmptySubsequences: false)
            let row = try #require(text.firstIndex { $0.contains("the site") })
            let start = try #require(text[row].range(of: "the site"))
            try await click(
                row: row, column: text[row].distance(from: text[row].startIndex, to: start.lowerBound), on: screen)
            // The browser runs beside the reader, which returns immediately.
            try await screen.wait(for: "opened https://a.example/there")
            try await screen.wait(for: "what the browser did") { _ in
                (try? String(contentsOfFile: home.path("opened"), encoding: .utf8)) == "https://a.example/there\n"
            }
            // A click on the bar does its action.
            let bar = try await screen.text().split(separator: "\n", omittingEmptySubsequences: false)
            let back = try #require(bar.last { $0.contains("Esc back") })
            let end = try #require(back.range(of: "Esc back"))
            try await click(row: 23, column: back.distance(from: back.startIndex, to: end.lowerBound), on: screen)
            try await screen.wait(for: " 1/1")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
            try await screen.type("clear; tmux show-buffer")
            try await screen.wait(for: "https://a.example/longready>")
        }
    }

    @Test("In a wide terminal the selected article is beside the list, unread, until a key hides it permanently")
    func preview() async throws {
        let home = try await home()
        try await Screen.open(in: home) { screen in
            try await screen.resize(columns: 130, rows: 24)
            for isFirst in [true, false] {
                try await screen.type("clear; articlesctl read /articles?search=sentence")
                try await screen.wait(for: " 1/1")
                if isFirst {
                    try await screen.wait(for: "Reading time")
                    try await screen.press("P")
                }
                try await screen.wait(for: "the list alone") { $0.contains(" 1/1") && !$0.contains("Reading time") }
                try await screen.press("C-c")
                try await screen.wait(for: "ready>")
            }
        }
        #expect(try await home.run("list", "--unread", "--search", "sentence").lines.count == 1)
    }

    @Test("A wide terminal shows the sidebar, the list, and the article; a narrow one shows the same place")
    func panes() async throws {
        let home = try await home()
        try await Screen.open(in: home) { screen in
            try await screen.resize(columns: 170, rows: 24)
            try await screen.type("clear; articlesctl read /articles?search=sentence")
            func isWide(_ text: String) -> Bool {
                text.contains("Go to") && text.contains(" 1/1") && text.contains("Reading time")
            }
            try await screen.wait(for: "three panes", isWide)
            try await screen.press("Enter")
            try await screen.wait(for: "the open article") { isWide($0) && $0.contains("Mark as unread") }
            try await screen.resize(columns: 80, rows: 24)
            try await screen.wait(for: "the article alone") {
                $0.contains("Reading time") && !$0.contains(" 1/1") && !$0.contains("Go to")
            }
            try await screen.resize(columns: 170, rows: 24)
            try await screen.wait(for: "three panes again", isWide)
            for key in ["BTab", "BTab", "G", "g", "j", "j", "j", "Enter"] { try await screen.press(key) }
            try await screen.wait(for: "the account") {
                $0.contains("Go to") && $0.contains("D Sessions") && !$0.contains(" 1/1")
            }
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
        #expect(try await home.run("list", "--unread", "--search", "sentence").lines.isEmpty)
    }

    @Test("Each section keeps its place, also at the next start, and going back at its root leads to the first")
    func sections() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            func go(down count: Int) async throws {
                for key in ["BTab", "g"] + Array(repeating: "j", count: count) + ["Enter"] {
                    try await screen.press(key)
                }
            }
            try await screen.resize(columns: 170, rows: 24)
            try await screen.type("clear; articlesctl; echo ended: $?")
            try await screen.wait(for: "the start") { $0.contains("Go to") && $0.contains(" 1/60") }
            for _ in 0..<4 { try await screen.press("j") }
            try await screen.wait(for: " 5/60")
            try await go(down: 1)
            try await screen.wait(for: "the library") { $0.contains("KIND") && !$0.contains(" 5/60") }
            try await screen.press("j")
            try await screen.wait(for: " 2/")
            try await screen.resize(columns: 80, rows: 24)
            try await screen.wait(for: "the library alone") { $0.contains(" 2/") && !$0.contains("Go to") }
            try await screen.write("gu")
            try await screen.wait(for: " 5/60")
            try await screen.write("gb")
            try await screen.wait(for: " Starred")
            try await screen.write("gf")
            try await screen.wait(for: "the library again") { $0.contains("KIND") && $0.contains(" 2/") }
            try await screen.resize(columns: 170, rows: 24)
            try await screen.wait(for: "Go to")
            try await go(down: 0)
            try await screen.wait(for: " 5/60")
            try await go(down: 1)
            try await screen.wait(for: "the library as it was") { $0.contains("KIND") && $0.contains(" 2/") }
            try await screen.press("C-c")
            try await screen.wait(for: "ended: 0")
            try await screen.type("clear; articlesctl; echo ended: $?")
            try await screen.wait(for: "the library again") { $0.contains("KIND") && $0.contains(" 2/") }
            try await screen.press("q")
            try await screen.wait(for: " 5/60")
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
        }
    }

    /// Presses and releases the first mouse button.
    private func click(row: Int, column: Int, on screen: Screen) async throws {
        for end in ["M", "m"] { try await screen.write("\u{1B}[<0;\(column + 1);\(row + 1)\(end)") }
    }
}
