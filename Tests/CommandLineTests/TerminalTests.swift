import Foundation
import Testing

@Suite("At a terminal", .enabled(if: Screen.isAvailable))
struct TerminalTests {
    @Test("register and login ask for missing values, and show no password")
    func register() async throws {
        let home = try await Home.migrated()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl register")
            try await screen.wait(for: "Username:")
            try await screen.type("a")
            try await screen.wait(for: "at least 2 characters")
            try await screen.type("ada")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type("qwertyuiopasdfgh")
            try await screen.wait(for: "easy to guess")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.password)
            try await screen.wait(forPrompt: "Password again:")
            try await screen.type("else")
            try await screen.wait(for: "do not match")
            // Either of the two may be mistyped.
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.password)
            try await screen.wait(forPrompt: "Password again:")
            try await screen.type(Home.password)
            try await screen.wait(for: "Region (two-letter code, such as ")
            try await screen.type("Narnia")
            try await screen.wait(for: "not a country code")
            try await screen.type("SE")
            try await screen.wait(for: "Registered ada.")
            try await screen.type("clear; articlesctl whoami; echo ended: $?")
            try await screen.wait(for: "ended: 0")
            try await screen.type("articlesctl login ada; echo logged: $?")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.password)
            let text = try await screen.wait(for: "logged: 0")
            #expect(text.contains("Logged in as ada."))
            #expect(!text.contains(Home.password))
        }
        #expect(try await home.sql("SELECT username, region FROM user") == "ada|SE")
    }

    @Test(
        "register ends after the third weak password, and asks for no repetition of it",
        arguments: ["qwertyuiopasdfgh", ""])
    func weakPasswords(password: String) async throws {
        let home = try await Home.migrated()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl register ada; echo ended: $?")
            for failures in 0..<3 {
                try await screen.wait(for: "a prompt after \(failures) weak passwords") { text in
                    text.ranges(of: "Password:").count == failures + 1
                        && text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("Password:")
                }
                try await screen.type(password)
            }
            let text = try await screen.wait(for: "ended: 65")
            #expect(!text.contains("again"))
        }
        #expect(try await home.sql("SELECT count(*) FROM user") == "0")
    }

    @Test("A list without a session asks for the login, accepts a corrected typing error, and continues")
    func listAsksForLogIn() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl list -n 3; echo ended: $?")
            try await screen.wait(for: "Log in to continue.")
            try await screen.wait(for: "Username:")
            try await screen.type("ada")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.otherPassword)
            try await screen.wait(for: "wrong username or password")
            try await screen.wait(for: "Username (default: ada):")
            try await screen.press("Enter")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.password)
            let text = try await screen.wait(for: "ended: 0")
            #expect(text.contains("PUBLISHED"))
            #expect(text.contains("of 59"))
            #expect(text.contains("3 of 60"))
        }
        #expect(try await home.run("whoami").status == 0)
    }

    @Test("A list that is cut names the command for the rest, and that command works")
    func next() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl list --tag all -n 2 --author 'Mei Okafor'; echo ended: $?")
            let text = try await screen.wait(for: "ended: 0")
            let lines = text.components(separatedBy: "\n")
            let start = try #require(lines.firstIndex { $0.contains("2 of 15, next: ") })
            let end = try #require(lines.firstIndex { $0.contains("ended: 0") && !$0.contains("$?") })
            // The terminal breaks a line that is wider than it.
            let whole = lines[start..<end].map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
            let command = whole.trimmingCharacters(in: .whitespaces).replacing(#/^.*next: /#, with: "")
            #expect(command.hasPrefix("articlesctl list --author 'Mei Okafor' --tag all --limit 2 --cursor "))
            let rest = try await home.shell(command)
            #expect(rest.status == 0 && rest.lines.count == 2)
        }
    }

    @Test("JSON is indented on a terminal")
    func laidOut() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl list -n 1 --json id,tags; echo ended: $?")
            let text = try await screen.wait(for: "ended: 0")
            let start = "{\n  \"articles\": [\n    {\n      \"id\": 60,\n      \"tags\": [\n        \"all\"\n"
            #expect(text.contains(start))
        }
    }

    @Test("Options alone open the reader")
    func optionsAlone() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl --database \(home.database)")
            try await screen.wait(for: "Title")
            try await screen.press("C-c")
        }
    }

    @Test("A long article is formatted and shown in the pager, and a short one without it")
    func pager() async throws {
        let home = try await Home.signedIn()
        let paragraphs = (1...60).map { "Paragraph *number* \($0).\n\n" }.joined()
        try home.write("long.md", "---\ntitle: Long one\nslug: long\n---\n## A heading\n\n" + paragraphs)
        try await home.run("seed", "long.md")
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl show long; echo ended: $?")
            try await screen.wait(for: "Paragraph number 1.")
            let text = try await screen.text()
            #expect(text.contains("Long one"))
            #expect(text.contains("A heading"))
            #expect(!text.contains("## A heading"))
            #expect(!text.contains("Paragraph number 60."))
            try await screen.press("G")
            try await screen.wait(for: "Paragraph number 60.")
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
            try await screen.type("clear; articlesctl show article-7; echo again: $?")
            #expect(try await screen.wait(for: "again: 0").contains("More text."))
        }
    }

    @Test(
        "The whole list is shown through the pager, which may be left early", arguments: ["", " --json", " -f {slug}"])
    func pagedList(shape: String) async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl list --all\(shape); echo ended: $?")
            try await screen.wait(forPrompt: ":")
            try await screen.press("q")
            try await screen.wait(for: "ended: 0")
        }
    }

    @Test("If the pager cannot run, the whole list is written without it")
    func brokenPager() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            try await screen.type("PAGER='exit 3;' articlesctl list --all -f '{slug}'; echo ended: $?")
            let text = try await screen.wait(for: "ended: 0")
            #expect(text.contains("article-0\n"))
        }
    }

    @Test("A login ends after the third wrong password")
    func attempts() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl login ada; echo ended: $?")
            for failures in 0..<3 {
                try await screen.wait(for: "a prompt after \(failures) wrong passwords") { text in
                    text.ranges(of: "wrong username or password").count == failures
                        && text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("Password:")
                }
                try await screen.type("wrong horse battery")
            }
            try await screen.wait(for: "ended: 77")
        }
        #expect(home.tokenFiles.isEmpty)
    }

    @Test("Ctrl-C at a password exits with 130, and the terminal shows typed text again")
    func interruptedPassword() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl login ada")
            try await screen.wait(for: "Password:")
            try await screen.press("C-c")
            // On a line of its own: the shell drops the rest of a line in which Ctrl-C was pressed.
            try await screen.type("echo ended: $?; stty -a")
            try await screen.wait(for: "ended: 130")
            let settings = try await screen.wait(for: "echoctl").split(whereSeparator: \.isWhitespace)
            #expect(!settings.contains("-echo"))
            #expect(!settings.contains("-icanon"))
            try await screen.type("clear; articlesctl login ada; echo finished: $?")
            try await screen.wait(for: "Password:")
            try await screen.press("C-d")
            try await screen.wait(for: "finished: 64")
        }
        #expect(home.tokenFiles.isEmpty)
    }

    @Test("A long import shows its progress, and Ctrl-C keeps the imported articles")
    func interruptedSeed() async throws {
        let home = try await Home.migrated()
        try home.write("bulk.jsonl", Library.lines(0..<Library.batch + 500))
        try await Screen.open(in: home) { screen in
            try await screen.type(
                "mkfifo feed; sh -c 'cat bulk.jsonl; exec sleep 600' >feed & articlesctl seed - <feed; echo ended: $?")
            try await screen.wait(for: "\(Library.batch) articles …")
            try await screen.press("C-c")
            let text = try await screen.wait(for: "ended: 130")
            #expect(text.contains("interrupted after"))
            #expect(!text.contains("articles …"))
            #expect(text.contains(" inserted, 0 updated, 0 unchanged, 0 rejected"))
            try await screen.type("kill $!")
        }
        let count = try #require(Int(try await home.sql("SELECT count(*) FROM article")))
        #expect(count >= Library.batch)
        #expect(try await home.sql("PRAGMA integrity_check") == "ok")
    }

    @Test("--no-input asks nothing, even here")
    func noInput() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl list --no-input; echo ended: $?")
            try await screen.wait(for: "ended: 77")
            try await screen.type("articlesctl login --no-input; echo finished: $?")
            let text = try await screen.wait(for: "finished: 64")
            #expect(text.contains("missing USERNAME and --password-stdin"))
        }
    }

    @Test("Colors are used unless they are turned off")
    func colours() async throws {
        let home = try await Home.signedIn()
        try await Screen.open(in: home) { screen in
            // The input of script must not be the terminal: script would change its modes while the others write to it.
            try await screen.type(
                "for c in never always; do script -qec \"articlesctl --color $c tags\" /dev/null </dev/null | cat -v; done; NO_COLOR=1 script -qec 'articlesctl tags' /dev/null </dev/null | cat -v; echo ended: $?"
            )
            let lines = try await screen.wait(for: "ended: 0").split(separator: "\n")
            let titles = lines.filter { $0.contains("UNREAD") }
            #expect(titles.map { $0.contains("^[") } == [false, true, false])
        }
    }
}
