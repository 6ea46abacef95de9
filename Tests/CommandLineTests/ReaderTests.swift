import Foundation
import Testing

@Suite("The reader", .enabled(if: Screen.isAvailable))
struct ReaderTests {
    /// Returns a home where `ada` has logged in.
    private func signedIn() async throws -> Home {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        return home
    }

    /// Waits until the saved place of a session contains this text.
    private func saved(_ text: String, in home: Home, on screen: Screen) async throws {
        try await screen.wait(for: "“\(text)” in the saved place") { _ in
            try await home.sql("SELECT place FROM session_place").contains(text)
        }
    }

    /// Checks that the shell has a normal terminal again.
    private func expectSane(_ screen: Screen) async throws {
        try await screen.type("clear; stty -a | tr ';' '\\n' | grep -ow -e '-*echo' -e '-*icanon'; echo asked")
        let settings = try await screen.wait(for: "\nasked")
        #expect(settings.contains("icanon") && !settings.contains("-icanon\n") && !settings.contains("-echo\n"))
    }

    @Test("A library that cannot be loaded ends the reader with a message on a normal terminal")
    func missingLibrary() async throws {
        let home = try await signedIn()
        try home.write("broken/libmd4c.so.0", "")
        try await Screen.open(in: home) { screen in
            try await screen.type("LD_LIBRARY_PATH=\(home.path("broken")) articlesctl; echo ended: $?")
            try await screen.wait(for: "1/60")
            try await screen.press("Enter")
            let ended = try await screen.wait(for: "ended: 69")
            #expect(ended.contains("the package libmd4c0") && !ended.contains("1/60"))
            try await expectSane(screen)
        }
    }

    @Test("Sign-up, login, list, article, back, and logout lose nothing and show no password")
    func story() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl; echo ended: $?")
            try await screen.wait(for: "Log in to read it.")
            try await screen.press("M")
            try await screen.wait(for: "2 to 32 characters")
            try await screen.write("e")
            try await screen.wait(for: "at least 2 characters")
            try await screen.write("ve")
            try await screen.wait(for: "✓ good")
            try await screen.press("Tab")
            try await screen.write("qwertyuiopasdfgh")
            try await screen.wait(for: "easy to guess")
            try await screen.press("C-u")
            try await screen.write(Home.password)
            try await screen.press("Tab")
            try await screen.write("x")
            try await screen.wait(for: "do not match")
            try await screen.press("BSpace")
            try await screen.type(Home.password)
            try await screen.wait(for: "Andorra")
            try await screen.write("swed")
            try await screen.wait(for: "Sweden (SE)")
            try await screen.press("Enter")
            try await screen.wait(for: "Registered eve.")
            let list = try await screen.wait(for: "1/60")
            #expect(list.contains("PUBLISHED") && list.contains("READING") && !list.contains(Home.password))
            try await screen.write("/of 42")
            try await screen.wait(for: " 1/2")
            try await screen.press("Enter")
            try await screen.press("Enter")
            try await screen.wait(for: "Body of 42.")
            try await screen.press("Escape")
            // A search looks in all articles, also in those that were read.
            try await screen.wait(for: "both articles") { $0.hasPrefix(" Articles matching") && $0.contains("/2\n") }
            try await screen.press("Escape")
            try await screen.wait(for: "/59")
            try await screen.press("L")
            try await screen.wait(for: "Log out?")
            try await screen.press("Escape")
            try await screen.wait(for: "/59")
            try await screen.press("L")
            try await screen.wait(for: "Log out?")
            try await screen.press("Enter")
            try await screen.wait(for: "Logged out.")
            try await screen.press("C-c")
            try await screen.wait(for: "ended: 0")
            try await expectSane(screen)
        }
        #expect(try await home.run("whoami").status == 77)
        #expect(try await home.sql("SELECT username FROM user ORDER BY id") == "ada\neve")
    }

    @Test("A link to an article goes through the login to it, with the list below")
    func deepLink() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl open /articles/article-7; echo ended: $?")
            try await screen.wait(for: "Password")
            try await screen.type("ada")
            try await screen.type(Home.password)
            try await screen.wait(for: "Body of 7.")
            try await screen.press("q")
            try await screen.wait(for: "1/60")
            // Beneath the list is the library, and beneath that the first section.
            try await screen.press("q")
            try await screen.wait(for: "KIND")
            try await screen.press("q")
            try await screen.wait(for: "the unread articles") { $0.hasPrefix(" Unread ") }
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
            try await screen.type("clear; articlesctl open /articles/none; echo ended: $?")
            try await screen.wait(for: "ended: 66")
            try await screen.wait(for: "there is no article “none”")
        }
    }

    @Test("Opened articles are marked, and keys set marks")
    func marks() async throws {
        let home = try await signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/60")
            try await screen.press("Enter")
            try await screen.wait(for: "Body of")
            try await screen.press("*")
            try await screen.wait(for: "Starred 1 article.")
            try await screen.press("Escape")
            let list = try await screen.wait(for: " 1/60")
            #expect(list.contains("★") && list.contains("•"))
            try await screen.press("]")
            try await screen.wait(for: "Body of")
            try await screen.press("U")
            try await screen.wait(for: "Marked 1 article as unread.")
            try await screen.press("Escape")
            try await screen.wait(for: " 2/60")
            try await screen.press("A")
            try await screen.wait(for: "Mark all 60 articles of this list as read?")
            try await screen.press("Enter")
            try await screen.wait(for: "Marked 59 articles as read.")
            try await screen.press("g")
            try await screen.wait(for: " 1/60")
            try await screen.press("U")
            try await screen.wait(for: "Marked 1 article as unread.")
            try await screen.press("r")
            try await screen.wait(for: " 1/1")
            try await screen.press("S")
            try await screen.wait(for: "the starred articles") { $0.hasPrefix(" Starred ") }
            try await screen.press("C-c")
        }
        #expect(try await home.run("list", "--unread", "--starred").lines.count == 1)
    }

    @Test("A key opens the library with its numbers, which leads to each list")
    func library() async throws {
        let home = try await signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles")
            try await screen.wait(for: " 1/60")
            try await screen.press("f")
            let library = try await screen.wait(for: "All articles")
            #expect(library.contains("KIND") && library.contains("Starred"))
            try await screen.press("j")
            try await screen.press("Enter")
            try await screen.wait(for: "the unread articles") { $0.hasPrefix(" Unread ") }
            try await screen.press("Enter")
            try await screen.wait(for: "Body of")
            try await screen.press("f")
            try await screen.wait(for: "Library, from “")
            try await screen.press("Enter")
            try await screen.wait(for: "Articles by ")
            for _ in 0..<3 { try await screen.press("q") }
            try await screen.wait(for: "the list") { !$0.contains("KIND") && $0.hasPrefix(" Unread ") }
        }
    }

    @Test("A key goes to the end of a long list, and a few to its middle")
    func longList() async throws {
        let home = try await Home.signedIn()
        try home.write("more.jsonl", Library.lines(0..<400))
        try await #require(home.run("seed", "more.jsonl").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: " 1/460")
            try await screen.press("G")
            try await screen.wait(for: " 460/460")
            for row in 1...12 {
                try await screen.press("PPage")
                try await screen.wait(for: " \(460 - row * 19)/460")
            }
            try await screen.press("g")
            try await screen.wait(for: " 1/460")
        }
    }

    @Test("A link leads to its heading, a footnote's number to its text, and v to the original")
    func places() async throws {
        let home = try await signedIn()
        let paragraphs = (0..<40).map { "Paragraph \($0)." }.joined(separator: "\n\n")
        try home.write(
            "blog/a.md",
            "---\ntitle: First\nlink: https://a.example/é\n---\n\n[there](b.md#part-two), a note[^1].\n\n\(paragraphs)\n\n"
                + "[^1]: What there is to note.\n")
        try home.write("blog/b.md", "# Second\n\nStart.\n\n\(paragraphs)\n\n## Part two\n\nHere.\n\n\(paragraphs)\n")
        try await #require(home.run("seed", "blog").status == 0)
        try home.write("open.sh", "echo \"$1\" > opened\n")
        try await Screen.open(in: home) { screen in
            try await screen.type("BROWSER='sh open.sh' articlesctl read /articles/a")
            try await screen.wait(for: "a note")
            try await screen.type("1")
            let there = try await screen.wait(for: "Here.")
            #expect(there.contains("Part two") && !there.contains("Start."))
            try await screen.press("Escape")
            try await screen.wait(for: "a note")
            try await screen.type("^1")
            try await screen.wait(for: "What there is to note.")
            try await screen.type("^7")
            try await screen.wait(for: "There is no footnote 7.")
            try await screen.press("v")
            try await screen.wait(for: "opened https://a.example/é")
        }
        #expect(try String(contentsOfFile: home.path("opened"), encoding: .utf8) == "https://a.example/%C3%A9\n")
    }

    @Test("Every screen follows the size of the terminal, down to a size where it says that it cannot")
    func resize() async throws {
        let home = try await signedIn()
        let screens: [(path: String, title: String)] = [
            ("/login", "Log in"), ("/signup", "Register (1 of 2)"), ("/signup/region", "Register (1 of 3)"),
            ("/articles", "Articles"), ("/articles/article-7", "Title"), ("/account", "ada"),
            ("/account/sessions", "Sessions"), ("/account/password", "Change password"), ("/appearance", "Appearance"),
        ]
        try await Screen.open(in: home) { screen in
            for (path, title) in screens {
                for key in ["", "F1"] {
                    try await screen.type("clear; articlesctl read \(path)")
                    try await screen.wait(for: "help")
                    if !key.isEmpty {
                        try await screen.press(key)
                        try await screen.wait(for: "close help")
                    }
                    let before = try await screen.text()
                    #expect(before.contains(title))
                    try await screen.resize(columns: 40, rows: 10)
                    let small = try await screen.wait(for: "\(title) at 40×10") { text in
                        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(10)
                        return lines.first?.contains(title) == true && lines.last?.contains("help") == true
                    }
                    #expect(small.split(separator: "\n").allSatisfy { $0.count <= 40 })
                    try await screen.resize(columns: 39, rows: 9)
                    try await screen.wait(for: "too small")
                    try await screen.resize(columns: 80, rows: 24)
                    try await screen.wait(for: "\(path) as it was") { $0 == before }
                    try await screen.press("C-c")
                    try await screen.wait(for: "the shell") { $0.contains("ready>") && !$0.contains(title) }
                }
            }
        }
    }

    @Test("A reader killed in an article begins there again, at the same line")
    func killed() async throws {
        let home = try await signedIn()
        let paragraphs = (1...80).map { "Paragraph \($0).\n\n" }.joined()
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n" + paragraphs)
        try await home.run("seed", "long.md")
        var read = ""
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: " 1/61")
            try await screen.press("Enter")
            try await screen.wait(for: "Paragraph 3.")
            try await screen.press("Space")
            try await screen.press("j")
            try await screen.press("j")
            read = try await screen.wait(for: "Paragraph 19.")
            try await saved("/articles/long", in: home, on: screen)
            // Three keys, and then a place that none of the passed articles has.
            let place = try await home.sql("SELECT place FROM session_place")
            try await screen.press("j")
            try await screen.wait(for: "another place") { _ in
                try await home.sql("SELECT place FROM session_place") != place
            }
            read = try await screen.text()
            try await screen.signal("KILL")
            try await screen.wait(for: "Killed")
        }
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: "the same screen") { $0 == read }
        }
    }

    @Test("A session that is ended elsewhere leads to the login at the next action, and from there back")
    func revoked() async throws {
        let home = try await signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: " 1/60")
            _ = try await home.sql("DELETE FROM session")
            try await screen.press("j")
            try await screen.wait(for: " 2/60")
            try await screen.press("Enter")
            try await screen.wait(for: "Your session has ended. Log in to continue.")
            try await screen.type("ada")
            try await screen.type(Home.password)
            try await screen.wait(for: " 2/60")
        }
    }

    @Test("A form whose session has ended has its text again after the login of its user", arguments: [false, true])
    func revokedForm(looksAtRegistration: Bool) async throws {
        let home = try await signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl open /write")
            try await screen.wait(for: "Write an article")
            try await screen.write("Mine")
            try await screen.wait(for: "Mine")
            _ = try await home.sql("DELETE FROM session")
            try await screen.press("C-s")
            try await screen.wait(for: "Your session has ended. Log in to continue.")
            if looksAtRegistration {
                for _ in 1...3 { try await screen.press("Tab") }
                try await screen.press("Enter")
                try await screen.wait(for: "Password again")
                try await screen.press("Escape")
                try await screen.wait(for: "Forgot password")
                for _ in 1...3 { try await screen.press("BTab") }
            }
            try await screen.type("ada")
            try await screen.type(Home.password)
            try await screen.wait(for: "Write an article") { $0.contains("Mine") && !$0.contains("Username") }
        }
    }

    @Test("Ctrl-Z gives the terminal back and fg returns, and a signal that ends it leaves a sane terminal")
    func signals() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            let list = try await screen.wait(for: " 1/60")
            try await screen.press("C-z")
            try await screen.wait(for: "the shell") { !$0.contains(" 1/60") && $0.contains("ready>") }
            try await screen.type("fg")
            try await screen.wait(for: "the same screen") { $0 == list }
            try await screen.signal("TERM")
            try await screen.wait(for: "ready>")
            try await screen.type("echo ended: $?")
            try await screen.wait(for: "ended: 143")
            try await expectSane(screen)
        }
    }

    @Test("A session from the environment cannot be replaced, so the password is not changed")
    func givenSession() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl open /account/password")
            try await screen.wait(for: "New password again")
            for password in [Home.password, Home.otherPassword, Home.otherPassword] { try await screen.type(password) }
            try await screen.wait(for: "ARTICLESCTL_TOKEN")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
        #expect(try await home.run("whoami").status == 0)
        #expect(try await home.sql("SELECT count(*) FROM audit WHERE event = 'passwordChanged'") == "0")
    }

    @Test("A process that writes delays reading and leaving only for a short time")
    func lockedOut() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl read /articles; echo ended: $?")
            try await screen.wait(for: " 1/60")
            let lock = home.database + "-lock"
            let holder = Task {
                try await home.shell(
                    #"exec flock "$1" sh -c 'echo > held; while [ -e held ] && ! [ -e free ]; do sleep 0.1; done'"#,
                    lock)
            }
            try await screen.wait(for: "the lock") { _ in FileManager.default.fileExists(atPath: home.path("held")) }
            try await screen.press("j")
            try await screen.wait(for: " 2/60")
            try await screen.press("Enter")
            try await screen.wait(for: "Body of")
            try await screen.press("C-c")
            try await screen.wait(for: "ended: 75")
            try await screen.wait(for: "cannot save the reading position")
            try home.write("free", "")
            _ = try await holder.value
        }
    }

    @Test("Links to the web open with BROWSER, which has the terminal in the meantime")
    func browser() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "link.md", "---\ntitle: Links\nslug: links\n---\n[a](https://example.org/a?b=c&d) [b](article-7)\n")
        try await home.run("seed", "link.md")
        try await Screen.open(in: home) { screen in
            try await screen.type("BROWSER='printf %%s\\n seen' articlesctl open /articles/links")
            try await screen.wait(for: "[1] https://example.org/a?b=c&d")
            try await screen.press("1")
            try await screen.press("Enter")
            try await screen.wait(for: "[1] https://example.org/a?b=c&d")
            try await screen.press("2")
            try await screen.press("Enter")
            try await screen.wait(for: "Body of 7.")
            try await screen.press("q")
            try await screen.wait(for: "Links")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
        }
    }

    @Test("NO_COLOR removes the colors, and the selection is still visible")
    func noColor() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("NO_COLOR=1 articlesctl")
            try await screen.wait(for: " 1/60")
            let styled = try await screen.text(isStyled: true)
            let codes = styled.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap { $0.1.split(separator: ";") }.compactMap {
                Int($0)
            }
            #expect(codes.contains(7))
            #expect(codes.allSatisfy { $0 < 30 || $0 == 39 || $0 == 49 })
        }
    }

    @Test("Without a terminal the reader prints the help, with the exit code of a usage error")
    func noTerminal() async throws {
        let home = try await Home.prepared()
        for arguments in [[], ["read"], ["read", "/account"]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 64 && outcome.output.isEmpty)
            #expect(outcome.error.contains("COMMANDS") == arguments.isEmpty)
        }
    }
}
