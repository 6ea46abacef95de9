import Foundation
import Testing

@Suite("A day with the reader", .enabled(if: Screen.isAvailable))
struct ReaderStoryTests {
    @Test("A key limits a list and undoes that, and Esc and q undo one thing at a time before q quits")
    func narrowed() async throws {
        let home = try await Home.signedIn()
        try await #require(home.run("star", "article-7", "article-8").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles; echo ended: $?")
            try await screen.wait(for: " 1/60")
            try await screen.press("S")
            try await screen.wait(for: " 1/2\n")
            try await screen.press("r")
            try await screen.wait(for: "the unread articles") { $0.hasPrefix(" Unread ") }
            try await screen.write("/19 of 7")
            try await screen.wait(for: "one article") { $0.contains("Title 19 of 7") && $0.contains(" 1/1\n") }
            try await screen.press("Enter")
            // The old word is selected, so typing replaces it.
            try await screen.press("/")
            try await screen.wait(for: "/19 of 7")
            try await screen.write("56 of 8")
            try await screen.wait(for: "Title 56 of 8")
            try await screen.press("Enter")
            try await screen.press("q")
            try await screen.wait(for: "all unread articles") { $0.hasPrefix(" Unread ") && $0.contains(" 1/60\n") }
            try await screen.press("q")
            try await screen.wait(for: "the whole list") { !$0.hasPrefix(" Unread ") && $0.contains(" 1/60\n") }
            try await screen.press("S")
            try await screen.wait(for: " 1/2\n")
            try await screen.press("x")
            try await screen.wait(for: " 1/60\n")
            // Beneath the list is the library, and beneath that the first section.
            try await screen.press("q")
            try await screen.wait(for: "KIND")
            try await screen.press("q")
            try await screen.wait(for: "the unread articles") { $0.hasPrefix(" Unread ") }
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
        }
    }

    @Test("The reader begins with the unread articles; if there are none, Enter shows all articles")
    func unread() async throws {
        let home = try await Home.signedIn()
        try await #require(home.run("mark", "read", "--all").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl; echo ended: $?")
            try await screen.wait(for: "Nothing is unread.")
            try await screen.press("Enter")
            try await screen.wait(for: " 1/60")
            try await screen.press("q")
            try await screen.wait(for: "Nothing is unread.")
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
        }
    }

    @Test("Below each search result is the matching text, with the words marked")
    func excerpts() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "bird.md", "---\ntitle: Of birds\nslug: birds\n---\nBy the river sat a kingfisher, blue as the evening.\n")
        try await #require(home.run("seed", "bird.md").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: " 1/61")
            try await screen.write("/kingfisher")
            try await screen.wait(for: "the line of the text") { text in
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                guard let row = lines.firstIndex(where: { $0.contains("Of birds") }) else { return false }
                return lines[row + 1].contains("sat a kingfisher, blue as")
            }
            try await screen.wait(for: "the word marked") { _ in
                try await screen.text(isStyled: true).contains(/\u{1B}\[[0-9;]*m(\u{1B}\[[0-9;]*m)*kingfisher\u{1B}/)
            }
        }
    }

    @Test("A resize in the middle loses no place in a text, no typed text, no selection, and no search")
    func resized() async throws {
        let home = try await Home.signedIn()
        let paragraphs = (1...60).map { "Paragraph \($0) " + String(repeating: "word ", count: 30) + "\n\n" }.joined()
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + paragraphs)
        try await #require(home.run("seed", "long.md").status == 0)
        try await Screen.open(in: home) { screen in
            /// Makes the terminal narrow, and wide again, and waits each time for these words.
            func resize(waitingFor words: String, location: SourceLocation = #_sourceLocation) async throws {
                for columns in [80, 170] {
                    try await screen.resize(columns: columns, rows: 24)
                    try await screen.wait(for: "“\(words)” in \(columns) columns", location: location) {
                        $0.contains(words) && $0.contains("Go to") == (columns > 100)
                    }
                }
            }
            try await screen.resize(columns: 170, rows: 24)
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/61")
            try await screen.press("Enter")
            try await screen.wait(for: "Paragraph 1 word")
            try await screen.type("/Paragraph 40 ")
            try await screen.press("Escape")
            try await screen.wait(for: "Paragraph 40 word")
            try await resize(waitingFor: "Paragraph 40 word")
            try await screen.press("m")
            try await screen.wait(for: "[ Save ]")
            try await screen.write("A note")
            try await resize(waitingFor: "A note")
            try await screen.write(" goes on")
            try await screen.wait(for: "A note goes on")
            try await screen.press("C-s")
            try await screen.wait(for: "Paragraph 40 word")
            try await screen.press("Escape")
            try await screen.wait(for: " 1/61")
            for _ in 0..<4 { try await screen.press("j") }
            try await screen.wait(for: " 5/61")
            try await resize(waitingFor: " 5/61")
            try await screen.write("/Long on")
            try await screen.wait(for: " 1/1\n") { $0.contains("/Long on") && $0.contains(" 1/1") }
            try await resize(waitingFor: "/Long on")
            try await screen.write("e")
            try await screen.wait(for: "/Long one")
            try await screen.press("Escape")
            try await screen.wait(for: " 5/61")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
        #expect(try await home.run("note", "long").output == "A note goes on\n")
    }

    @Test("A key without effect says so, n needs a search, and a message stays until the next key")
    func said() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/60")
            try await screen.press("n")
            let text = try await screen.wait(for: "There is no search yet")
            #expect(text.contains(" 1/60"))
            try await screen.press("x")
            try await screen.wait(for: "x does nothing here; ? shows the keys.")
            try await screen.press("j")
            try await screen.wait(for: "a row on, and nothing said") {
                $0.contains(" 2/60") && !$0.contains("does nothing here")
            }
            // Long help shows that there is more of it, and scrolls.
            try await screen.resize(columns: 60, rows: 12)
            try await screen.press("?")
            let help = try await screen.wait(for: "the beginning of the keys") { $0.contains("↓ 9/") }
            #expect(help.contains("Keys: ") && !help.contains("suspend"))
            try await screen.press("G")
            try await screen.wait(for: "the end of the keys") { $0.contains("suspend") && $0.contains("↑ ") }
            try await screen.press("Escape")
            try await screen.wait(for: " 2/60")
        }
    }

    @Test("Links between sources lead to articles, others to BROWSER, and the terminal receives them")
    func links() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "site.jsonl",
            #"{"title":"Home","slug":"home","url":"https://a.example/2024/home.html","format":"html","#
                + #""body":"<p>See <a href=\"/2024/other.html\">the other</a>, <a href=\"/feed\">the feed</a>.</p>"}"#
                + "\n"
                + #"{"title":"Other","slug":"other","url":"https://a.example/2024/other.html","body":"Here you are."}"#
                + "\n")
        try await #require(home.run("seed", "site.jsonl").status == 0)
        try home.write("open.sh", "echo \"$1\" > opened\nuntil [ -e closed ]; do sleep 0.1; done\n")
        try await Screen.open(in: home) { screen in
            try await screen.type("tmux pipe-pane 'cat > written'")
            try await screen.type(
                "TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.4 DISPLAY=:0 BROWSER='sh open.sh' articlesctl read /articles/home"
            )
            try await screen.wait(for: "the feed")
            try await screen.wait(for: "links for the terminal") { _ in
                let written = (try? String(contentsOfFile: home.path("written"), encoding: .utf8)) ?? ""
                return written.contains("\u{1B}]8;") && written.contains(";https://a.example/feed\u{1B}\\")
            }
            try await screen.type("2")
            try await screen.wait(for: "opened https://a.example/feed")
            // A browser that keeps running blocks nobody.
            try await screen.type("1")
            try await screen.wait(for: "Here you are.")
            try await screen.press("q")
            try await screen.wait(for: "the feed")
            try home.write("closed", "")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
        #expect(try String(contentsOfFile: home.path("opened"), encoding: .utf8) == "https://a.example/feed\n")
    }

    @Test("A list that the user comes back to shows the changes of others")
    func followed() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/60")
            try await screen.press("C-z")
            try await screen.wait(for: "the shell") { !$0.contains(" 1/60") && $0.contains("ready>") }
            try home.write("new.md", "---\ntitle: A kingfisher\ndate: 2030-01-01\n---\nBlue.\n")
            try await #require(home.run("seed", "new.md").status == 0)
            try await screen.type("fg")
            // The selected row stays at its place on the screen.
            try await screen.wait(for: " 2/61")
            try await screen.press("g")
            try await screen.wait(for: "A kingfisher")
            try await screen.press("Enter")
            try await screen.wait(for: "Blue.")
            try await #require(home.run("delete", "article-59", "--yes").status == 0)
            try await screen.press("q")
            try await screen.wait(for: " 1/60")
        }
    }

    @Test("A very long article shows its beginning immediately, and keys for its end wait")
    func long() async throws {
        let home = try await Home.signedIn()
        let paragraphs = (1...20_000).map { "Paragraph \($0) has some words in it, enough for a line or more.\n\n" }
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + paragraphs.joined() + "The end.\n")
        try await #require(home.run("seed", "long.md").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles/long")
            try await screen.wait(for: "Paragraph 3 has")
            try await screen.press("G")
            let end = try await screen.wait(for: "The end.")
            #expect(end.contains("100%"))
            try await screen.press("g")
            try await screen.wait(for: "Paragraph 3 has")
        }
    }

    @Test("The next unread article beyond the loaded rows is then selected in the list")
    func beyond() async throws {
        let home = try await Home.signedIn()
        try home.write("more.jsonl", Library.lines(0..<400))
        try await #require(home.run("seed", "more.jsonl").status == 0)
        try await #require(home.run("mark", "read", "--all").status == 0)
        try await #require(home.run("mark", "unread", "bulk-11", "bulk-399").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/460")
            try await screen.press("]")
            try await screen.wait(for: "the first of them") { $0.contains("Bulk 11") && $0.contains("word word") }
            try await screen.press("]")
            try await screen.wait(for: "the other") { $0.contains("Bulk 399") && $0.contains("word word") }
            // The list was left at its beginning, far from both articles.
            try await screen.press("q")
            try await screen.wait(for: "the list where the article is") { text in
                text.contains("PUBLISHED") && text.contains("Bulk 399") && !text.contains(" 1/460")
            }
        }
    }
}
