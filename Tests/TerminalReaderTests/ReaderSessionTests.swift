import ArticleStore
import FlowCoordinators
import Navigation
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import TerminalReader

@Suite("A session of the reader")
struct ReaderSessionTests {
    private func run(
        _ script: [ScriptedTerminal.Step], model: ScriptedModel = ScriptedModel(), browser: Browser? = nil,
        tools: ArticleTools? = nil, size: Size = Size(columns: 80, rows: 24)
    ) async throws -> (terminal: ScriptedTerminal, end: ReaderSession.End) {
        let terminal = ScriptedTerminal(size, script)
        let session = ReaderSession(model: model, terminal: terminal, isColored: true, browser: browser, tools: tools)
        let end = try await session.run(showing: try model.screen())
        #expect(terminal.emulated.mistakes == [])
        return (terminal, end)
    }

    @Test("Going back restores the selection of the list, and another article starts at its top")
    func back() async throws {
        let model = ScriptedModel()
        let (terminal, end) = try await run(
            [.type("jjjjj"), .type("\r"), .type("  "), .type("q"), .type("j\r"), .type("q"), .type("q")], model: model)
        #expect(end == .quit)
        #expect(terminal.screens[2].contains("Heading"))
        #expect(terminal.screens[4] == terminal.screens[1])
        #expect(terminal.screens[5].contains("Heading"))
        #expect(model.events.map(\.name) == ["open", "open"])
    }

    @Test("An article begins where it was left, at any width, and its position is reported once, on leaving")
    func place() async throws {
        let model = ScriptedModel()
        let (first, _) = try await run([.type("\r"), .type("  j"), .idle, .type("q"), .type("jq")], model: model)
        #expect(model.left.count == 1)
        let place = try #require(model.left.first?.split(separator: " ").last.flatMap { Int($0) })
        for columns in [80, 60] {
            let again = ScriptedModel()
            again.place = place
            let (second, _) = try await run(
                [.type("\r"), .type("\u{3}")], model: again, size: Size(columns: columns, rows: 24))
            #expect(second.screens[1].contains("Paragraph 15 "))
            // With another width, lines begin elsewhere.
            if columns == 80 {
                #expect(second.screens[1] == first.screens[2])
                #expect(again.left == model.left)
            }
        }
        let other = ScriptedModel()
        other.place = place
        // A position of this session wins over a stored one of another.
        let (third, _) = try await run([.type("\r"), .type("g"), .type("q"), .type("\r"), .type("L")], model: other)
        #expect(third.screens[4].contains("Heading"))
        #expect(other.left.count == 3, "before the logout, too, after which it is nobody's")
    }

    @Test("While no key is pressed, background work runs until the next key")
    func whileIdle() async throws {
        let steps = Mutex<[String]>([])
        let terminal = ScriptedTerminal(Size(columns: 80, rows: 24), [.idle, .idle, .type("j"), .idle, .idle])
        let model = ScriptedModel()
        let session = ReaderSession(
            model: model, terminal: terminal, isColored: true,
            whileIdle: {
                steps.withLock { $0.append("begun") }
                while !Task.isCancelled { await Task.yield() }
                steps.withLock { $0.append("ended") }
            })
        _ = try await session.run(showing: try model.screen())
        #expect(terminal.timeouts.map { $0 ?? -1 } == [300, 300, -1, 300, 300, -1])
        // The work begins again after the key, and ends with the session.
        while steps.withLock({ $0.count }) < 4 { await Task.yield() }
        #expect(steps.withLock { $0.sorted() } == ["begun", "begun", "ended", "ended"])
    }

    /// Tools that record their calls.
    private final class Bench {
        var saved: [String] = []
        var piped: [String] = []
        var edited: [String] = []
        var files: Set<String> = ["there.md"]

        var tools: ArticleTools {
            ArticleTools(
                fileName: { $0.slug + ".md" },
                save: { article, path, replaces in
                    if path == "bad" { throw ScriptedModel.Broken(description: "it is full") }
                    if self.files.contains(path), !replaces { return false }
                    self.saved.append("\(article.slug) \(path)")
                    return true
                },
                pipe: { article, command in
                    if command == "no" { throw ScriptedModel.Broken(description: "“no” cannot be started") }
                    self.piped.append("\(article.slug) \(command)")
                },
                edit: { article in
                    self.edited.append(article.slug)
                    return "Changed “\(article.title)”."
                },
                editText: { text in
                    self.edited.append(text)
                    return text.contains("same") ? nil : text + " changed\nin the editor"
                })
        }
    }

    @Test("Ctrl-O changes the text of a field in the editor, and the terminal is taken back")
    func editText() async throws {
        let bench = Bench()
        let model = ScriptedModel()
        model.paths = ["/articles", "/note"]
        let terminal = ScriptedTerminal(
            Size(columns: 80, rows: 24), [.type("\u{F}"), .type("\u{13}"), .type("\u{3}")])
        let session = ReaderSession(model: model, terminal: terminal, isColored: false, tools: bench.tools)
        _ = try await session.run(showing: try model.screen())
        #expect(bench.edited == ["One\nTwo"])
        #expect(terminal.loans == 1)
        #expect(terminal.screens[1].contains("│ Two changed\n │ in the editor"))
        guard case .submitted(let answers)? = model.events.last else {
            Issue.record("nothing was sent")
            return
        }
        #expect(answers[.note] == "One\nTwo changed\nin the editor")
    }

    @Test("An article is saved to the typed file, and an existing file is replaced only after a yes")
    func save() async throws {
        let bench = Bench()
        let (terminal, _) = try await run(
            [
                .type("\r"), .type("s"), .type("\r"), .type("s\u{15}there.md\r"), .type("\u{1B}"),
                .type("s\u{15}there.md\r\r"),
                .type("s\u{15}bad\r"), .type("s\u{1B}"), .type("s\u{15}\r"),
            ], model: ScriptedModel(), tools: bench.tools)
        #expect(terminal.screens[2].contains(" one.md"))
        #expect(terminal.screens[3].contains("one.md"))
        #expect(terminal.screens[4].contains("there.md"))
        #expect(terminal.screens[7].contains("it is full"))
        #expect(bench.saved == ["one one.md", "one there.md"])
        #expect(terminal.loans == 0)
    }

    @Test("An article is piped to the typed command, which has the terminal, and errors are shown")
    func pipe() async throws {
        let bench = Bench()
        let (terminal, _) = try await run(
            [.type("\r"), .type("|wc -l"), .type("\r"), .type("|no\r"), .type("j")], tools: bench.tools)
        #expect(terminal.screens[2].contains(" wc -l"))
        #expect(bench.piped == ["one wc -l"])
        #expect(terminal.loans == 2)
        #expect(terminal.screens[3].contains("Heading"))
        #expect(terminal.screens[4].contains("“no”"))
    }

    @Test("A user who may edit sees the editor, and another user sees the reason")
    func edit() async throws {
        let bench = Bench()
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("\re"), .type("j")], model: model, tools: bench.tools)
        #expect(terminal.screens[1].contains("“An article”"))
        #expect(bench.edited == ["one"])
        model.refusal = .init(description: "this takes an editor")
        let (other, _) = try await run([.type("e"), .type("j")], model: model, tools: bench.tools)
        #expect(other.screens[1].contains("this takes an editor"))
        #expect(other.loans == 0 && bench.edited == ["one"])
    }

    @Test(
        "In a wide terminal the selected article is beside the list after a pause, without being marked"
    )
    func preview() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run(
            [.idle, .type("jjj"), .idle, .type("P"), .idle, .type("P"), .idle, .resize(Size(columns: 119, rows: 24))],
            model: model, size: Size(columns: 120, rows: 24))
        #expect(terminal.timeouts.first == 0)
        #expect(!terminal.screens[0].contains("About") && terminal.screens[0].contains("│"))
        #expect(terminal.screens[1].contains("About slug-0") && terminal.screens[1].contains("Article number 0"))
        #expect(terminal.screens[2].contains(" 4/1000") && terminal.screens[2].contains("About slug-0"))
        #expect(terminal.screens[3].contains("About slug-3"))
        #expect(!terminal.screens[4].contains("│") && !terminal.screens[5].contains("About"))
        #expect(terminal.screens[6].contains("About slug-3"))
        #expect(!terminal.screens[8].contains("About"))
        #expect(model.previews == ["slug-0", "slug-3"])
        #expect(model.events.isEmpty && model.showsPreview)
    }

    @Test("A terminal that closes ends the session")
    func closed() async throws {
        #expect(try await run([]).end == .closed)
    }

    @Test("A burst of keys is drawn once, and nothing is written if nothing changes")
    func burst() async throws {
        let (terminal, _) = try await run([.type(String(repeating: "j", count: 50)), .type("\u{1B}[2~")])
        #expect(terminal.writes.count == 2)
        #expect(terminal.screens[2].contains("Article number 50"))
    }

    @Test("A resize draws immediately, and keeps the place")
    func resize() async throws {
        let (terminal, _) = try await run([
            .type("G\r"), .resize(Size(columns: 40, rows: 10)), .resize(Size(columns: 20, rows: 5)),
            .resize(Size(columns: 100, rows: 30)),
        ])
        #expect(terminal.screens[1].contains("Heading"))
        #expect(terminal.screens[2].contains("Heading"))
        #expect(!terminal.screens[3].contains("Heading"))
        #expect(terminal.screens[4].contains("Heading"))
    }

    @Test("Ctrl-Z gives the terminal back, and afterward the whole screen is drawn")
    func suspend() async throws {
        let (terminal, _) = try await run([.type("\u{1A}"), .event(.redraw)])
        #expect(terminal.suspensions == 1)
        #expect(terminal.screens[1] == terminal.screens[0])
        #expect(terminal.screens[2] == terminal.screens[0])
    }

    @Test("A list scrolls from end to end, a part at a time, and the selected row stays in place")
    func more() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run(
            Array(repeating: .type(" "), count: 60) + Array(repeating: .type("b"), count: 60), model: model)
        var seen: Set<String> = []
        for screen in terminal.screens { seen.formUnion(screen.split(separator: "\n").map { String($0.prefix(5)) }) }
        #expect((0..<1000).allSatisfy { row in seen.contains { $0.hasPrefix(" \(row) ") } })
        #expect(terminal.screens[60].contains("1000/1000"))
        #expect(terminal.screens[120].contains(" 1/1000"))
        #expect(terminal.screens[120].contains(" 0   ") && terminal.screens[120].contains("Article number 19"))
        #expect(model.events.allSatisfy { ["moreRowsWanted", "earlierRowsWanted"].contains($0.name) })
        // Each page moves by the visible rows, whether or not rows arrived.
        for page in 1...40 {
            #expect(terminal.screens[page].contains(" \(1 + page * 19)/1000"), "\(terminal.screens[page])")
        }
    }

    @Test("A key goes to either end of the whole list")
    func ends() async throws {
        let (terminal, _) = try await run([.type("G"), .type("k"), .type("g")])
        #expect(terminal.screens[1].contains("1000/1000"))
        #expect(terminal.screens[2].contains("999/1000"))
        #expect(terminal.screens[3].contains(" 1/1000") && terminal.screens[3].contains("Article number 19"))
    }

    @Test("A burst of letters is searched once, and then the selection is from its results")
    func search() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run(
            [.type("/number 42\r\r"), .type("q"), .type("\u{1B}"), .idle], model: model)
        #expect(model.events.map(\.name) == ["searched", "open", "searched"])
        guard case .open(.article("slug-42")) = model.events[1] else {
            Issue.record("\(model.events[1])")
            return
        }
        #expect(terminal.screens[2].contains("/number 42"))
        #expect(!terminal.screens[2].contains("number 41"))
        #expect(terminal.screens[4].contains(" 1/1000") && terminal.screens[4].contains("number 4"))
    }

    @Test("Typed text is shown before it is searched, and further typing saves the search")
    func typing() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("/nu"), .type("mber 7"), .idle, .type("\u{7F}")], model: model)
        #expect(terminal.screens[1].contains("/nu") && terminal.screens[1].contains("number 6"))
        #expect(terminal.timeouts.prefix(4) == [300, 0, 0, 300])
        #expect(!terminal.screens[3].contains("number 6") && terminal.screens[3].contains("number 7"))
        #expect(model.events.map(\.name) == ["searched"])
    }

    @Test("A saved state is restored, also deep in the stack")
    func resume() async throws {
        let model = ScriptedModel()
        let (first, _) = try await run([.type("jjjjjjj\r"), .type("   ")], model: model)
        #expect(Set(model.saved.keys) == ["/articles", "/articles/slug-7"])
        let again = ScriptedModel()
        again.paths = model.paths
        again.saved = model.saved
        let (second, _) = try await run([.type("q")], model: again)
        #expect(second.screens[0] == first.screens[2])
        #expect(second.screens[1].contains(" 8/1000"))
    }

    @Test("The selected row is found again if rows were inserted before it")
    func resumeShifted() async throws {
        let model = ScriptedModel()
        _ = try await run([.type(String(repeating: "j", count: 60))], model: model)
        let again = ScriptedModel()
        again.rows = 30..<130
        again.saved = model.saved
        let (second, _) = try await run([], model: again)
        #expect(second.screens[0].contains(" 61/1000"))
    }

    @Test(
        "Saved numbers that are out of range are moved into it",
        arguments: [(Int.max, Int.min), (Int.min, Int.max), (-1, 5), (Int.max, Int.max)])
    func strangeNumbers(selection: Int, top: Int) async throws {
        for paths in [["/articles"], ["/articles", "/articles/slug-7"], ["/region"]] {
            let model = ScriptedModel()
            model.paths = paths
            model.saved = [paths[paths.count - 1]: SavedView(row: nil, selection: selection, top: top)]
            let (terminal, _) = try await run([.type("jk"), .type(" ")], model: model)
            #expect(terminal.screens.allSatisfy { !$0.isEmpty })
        }
    }

    @Test("An article that is opened again is where it was left")
    func again() async throws {
        let (terminal, _) = try await run([.type("jj\r"), .type("  j"), .type("q"), .idle, .type("\r")])
        #expect(terminal.screens[2] != terminal.screens[1])
        #expect(terminal.screens[5] == terminal.screens[2])
    }

    @Test("The place is saved after a pause, once, and at the end")
    func idle() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.idle, .type("jj"), .idle, .type("k")], model: model)
        #expect(terminal.timeouts.map { $0 == nil } == [false, true, false, true, false])
        #expect(model.saves == 3)
        #expect(model.saved["/articles"]?.selection == 1)
    }

    @Test("A place that cannot be saved does not prevent reading, and is reported at the end")
    func saveFails() async throws {
        let model = ScriptedModel()
        model.broken = .init(description: "the disk is full")
        let error = await #expect(throws: UnsavedError.self) {
            _ = try await run([.idle, .type("j"), .type("q")], model: model)
        }
        #expect(try #require(error).reason is ScriptedModel.Broken)
        #expect(model.saves == 2)
    }

    @Test("A failure is shown, and the screen stays")
    func fails() async throws {
        let model = ScriptedModel()
        model.broken = .init(description: "the disk is on fire")
        let (terminal, end) = try await run([.type("L"), .type("j"), .type("\r"), .type("\u{1B}")], model: model)
        #expect(end == .closed)
        #expect(terminal.screens[1].contains("the disk is on fire") && terminal.screens[1].contains("number 4"))
        #expect(!terminal.screens[2].contains("fire"))
        #expect(terminal.screens[3].contains("on fire"))
        #expect(terminal.screens[4].contains("number 4"))
    }

    @Test(
        "A link in the library is followed there, and another one with the browser, which gets the terminal",
        .processSignals)
    func links() async throws {
        let model = ScriptedModel()
        let browser = Browser(environment: { $0 == "BROWSER" ? "true %s" : nil }, inheriting: ["PATH=/usr/bin:/bin"])
        let (terminal, _) = try await run([.type("\r2\r"), .type("1\r")], model: model, browser: browser)
        #expect(model.events.map(\.name) == ["open", "linkFollowed", "linkFollowed"])
        #expect(terminal.loans == 1)
        #expect(terminal.screens[2].contains("Heading"))

        let (other, _) = try await run([.type("\r1\r")])
        #expect(other.screens[1].contains("https://example.org/a ("))
        let failing = Browser(environment: { $0 == "BROWSER" ? "false" : nil }, inheriting: ["PATH=/usr/bin:/bin"])
        let (third, _) = try await run([.type("\r1\r")], browser: failing)
        #expect(third.screens[1].contains("https://example.org/a"))
    }

    @Test("A link that the reader passed to the browser is not reported again after another program")
    func linkOnce() async throws {
        let bench = Bench()
        let (terminal, _) = try await run([.type("\r1\r"), .type("j"), .type("|wc -l\r")], tools: bench.tools)
        #expect(terminal.screens[1].contains("https://example.org/a ("))
        #expect(bench.piped == ["one wc -l"])
        #expect(!terminal.screens[3].contains("“https://example.org/a”"))
    }

    @Test(
        "A graphical browser runs beside the reader, which reports only links that it could not open", .processSignals)
    func browserBeside() async throws {
        func browser(_ command: String) -> Browser? {
            Browser(
                environment: { $0 == "BROWSER" ? command : $0 == "DISPLAY" ? ":0" : nil },
                inheriting: ["PATH=/usr/bin:/bin"])
        }
        let folder = try TemporaryFolder()
        // The program ends when the pipe has content, which is after the session.
        try #require(runProgram(["mkfifo", folder.file("end")]).status == 0)
        let script = try folder.write("show.sh", "cat \"$(dirname \"$0\")/end\"\n")
        let (terminal, _) = try await run([.type("\r1\r"), .type("j")], browser: browser("sh \(script)"))
        #expect(terminal.loans == 0)
        #expect(terminal.screens[1].contains("https://example.org/a"))
        try folder.write("end", "")

        let model = ScriptedModel()
        let other = ScriptedTerminal(Size(columns: 80, rows: 24), [.type("\r1\r"), .wake])
        let session = ReaderSession(model: model, terminal: other, isColored: true, browser: browser("false"))
        other.finish = { [unowned other] in other.waitForWake() }
        // The wait needs other threads, which the tasks share.
        _ = try await withTaskExecutorPreference(OwnThread()) {
            let screen = try model.screen()
            return try await session.run(showing: screen)
        }
        #expect(other.screens[2].contains("https://example.org/a"))
        #expect(browser("/usr/bin/w3m -o x=y")?.needsTerminal == true)
    }

    @Test("On return, a list selects the row that was looked at last")
    func comeBack() async throws {
        let model = ScriptedModel()
        model.current = "3"
        let (terminal, _) = try await run([.type("jjjjjjj\r"), .type("q"), .type("jj"), .event(.wake)], model: model)
        #expect(terminal.screens[1].contains("Heading"))
        #expect(terminal.screens[2].contains(" 4/1000"))
        #expect(terminal.screens[4].contains(" 6/1000"), "and stays where one goes from there")
    }

    @Test("After a key, the result of work does not show its notice again")
    func noticeOnce() async throws {
        let model = ScriptedModel()
        model.notice = Notice("It is saved.")
        let (terminal, _) = try await run([.type("j"), .event(.wake), .type("jj")], model: model)
        #expect(terminal.screens[0].contains("It is saved."))
        #expect(terminal.screens.dropFirst().allSatisfy { !$0.contains("It is saved.") })
    }

    @Test("A new width of the text is stored after a pause, and the place in the text stays")
    func textWidth() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("\r"), .type("   "), .idle, .type("-"), .idle], model: model)
        #expect(model.textWidth == TextWidth(columns: 68))
        #expect(model.saves == 3)
        #expect(terminal.screens[4].contains("68 columns"))
        func first(_ screen: String) -> Substring? {
            screen.split(separator: "\n").dropFirst().first.map { $0.drop { $0 == " " }.prefix(12) }
        }
        #expect(first(terminal.screens[4]) == first(terminal.screens[2]))
    }

    @Test("A user who comes back to the terminal sees the changes of others in a list")
    func focus() async throws {
        let model = ScriptedModel()
        let (_, _) = try await run([.event(.focus(false)), .event(.focus(true)), .type("\u{1A}")], model: model)
        #expect(model.events.map(\.name) == ["cameBack", "cameBack"])
        let (_, _) = try await run([.type("\r/x"), .event(.focus(true)), .type("\u{1B}")], model: model)
        #expect(model.events.map(\.name) == ["cameBack", "cameBack", "open"])
    }

    @Test("A very long article shows its beginning immediately, and other keys wait for the rest")
    func longArticle() async throws {
        let model = ScriptedModel()
        model.paragraphs = 6000
        let terminal = ScriptedTerminal(
            Size(columns: 80, rows: 24), [.type("\rj"), .type(" "), .type("G"), .wake, .type("/paragraph 3000\r")])
        let session = ReaderSession(model: model, terminal: terminal, isColored: true)
        terminal.finish = { [unowned terminal] in terminal.waitForWake() }
        // The wait needs other threads, which the tasks share.
        _ = try await withTaskExecutorPreference(OwnThread()) {
            let screen = try model.screen()
            return try await session.run(showing: screen)
        }
        #expect(terminal.screens[1].contains("Paragraph 0 ") && !terminal.screens[1].contains("%"))
        #expect(terminal.screens[2].contains("Paragraph 9 ") && terminal.timeouts[2] == 100)
        #expect(terminal.screens[3] == terminal.screens[2], "what is at the end is not there yet")
        #expect(terminal.screens[4].contains("END") && terminal.screens[4].contains("100%"))
        #expect(terminal.screens[5].contains("Paragraph 3000 "))
    }

    @Test("The address of an article goes to the clipboard of the terminal")
    func copy() async throws {
        let (terminal, _) = try await run([.type("\ry")])
        #expect(terminal.emulated.clipboard == "aHR0cHM6Ly9leGFtcGxlLm9yZy/DqQ==")
        #expect(terminal.screens[1].contains("https://example.org/é"))
    }

    @Test("However high the stack, each place is restored as it was left")
    func highStack() async throws {
        let model = ScriptedModel()
        model.paths = ["/articles", "/articles/1"]
        let down = (2...9).map { _ in ScriptedTerminal.Step.type(" 2\r") }
        let (terminal, _) = try await run(down + (2...9).map { _ in .type("q") }, model: model)
        // Each entry was left one page further down, and is the same article.
        #expect(terminal.screens[9].contains("Paragraph 9") && !terminal.screens[8].contains("Paragraph 9"))
        #expect(terminal.screens[9...16].allSatisfy { $0 == terminal.screens[9] })
    }

    @Test("Typed text is there again after going back and on, except secrets")
    func drafts() async throws {
        let model = ScriptedModel()
        model.paths = ["/welcome", "/login"]
        let (terminal, _) = try await run(
            [.type("pass\u{1B}[Zx\t\t\t\r"), .type("jap\u{1B}"), .type("\r"), .type("\u{1B}\u{1B}")], model: model)
        #expect(terminal.screens[1].contains("Region"))
        #expect(terminal.screens[2].contains("annx") && terminal.screens[2].contains("••••"))
        #expect(terminal.screens[3].contains("jap"))
    }

    @Test("After logging out, no earlier view is left")
    func logOut() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("jjj\r"), .type("L"), .type("x")], model: model)
        #expect(terminal.screens[2].contains("Username"))
        #expect(terminal.screens[3].contains("•"))
    }
}
