import Testing

@Suite("The reader", .enabled(if: Screen.isAvailable))
struct ReaderTests {
    @Test("log in, list, article, back and out; the next start returns to the article that was left")
    func story() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl; echo ended: $?")
            try await screen.wait(for: "Log in to read it.")
            try await screen.press("Enter")
            try await screen.wait(for: "Password")
            try await screen.type("ada")
            try await screen.type(Home.password)
            let list = try await screen.wait(for: "of 60")
            #expect(list.contains("PUBLISHED") && !list.contains(Home.password))
            try await screen.press("Enter")
            try await screen.wait(for: "Esc back")
            let article = try await screen.wait(for: "Reading time")
            try await screen.press("C-c")
            try await screen.wait(for: "ended:")

            try await screen.type("clear; articlesctl")
            let resumed = try await screen.wait(for: "Reading time")
            #expect(resumed.split(separator: "\n").first == article.split(separator: "\n").first)
            try await screen.press("Escape")
            try await screen.wait(for: "of 60")
            try await screen.press("l")
            try await screen.wait(for: "Logged out.")
            try await screen.press("C-c")
            try await screen.wait(for: "ready>")
            try await screen.type("stty -a | tr ';' '\\n' | grep -ow -e '-*echo' -e '-*icanon'")
            let settings = try await screen.wait(for: "icanon")
            #expect(!settings.contains("-icanon\n") && !settings.contains("-echo\n"))
        }
        #expect(try await home.run("whoami").status == 77)
    }

    @Test("without a terminal there is help on what to do, and the exit code of a wrong use")
    func noTerminal() async throws {
        let home = try await Home.prepared()
        for arguments in [[], ["read"]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 64 && outcome.output.isEmpty && !outcome.error.isEmpty)
        }
    }
}
