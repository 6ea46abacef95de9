import ArticleStore
import FlowCoordinators
import Navigation
import Terminal
import TestSupport
import Testing

@testable import TerminalReader

@Suite("The reader during long work")
struct ReaderWorkTests {
    private func run(
        _ script: [ScriptedTerminal.Step], at paths: [String] = ["/articles"], model: ScriptedModel = ScriptedModel()
    ) async throws -> (terminal: ScriptedTerminal, events: [AppEvent]) {
        model.paths = paths
        model.isSlow = true
        let terminal = ScriptedTerminal(Size(columns: 80, rows: 24), script)
        terminal.finish = model.finish
        let session = ReaderSession(model: model, terminal: terminal, isColored: true)
        _ = try await session.run(showing: try model.screen())
        #expect(terminal.emulated.mistakes == [])
        model.finish()
        #expect(!terminal.isWoken, "nobody is called when the session has ended")
        return (terminal, model.events)
    }

    @Test("Work is shown after a while, and no longer when it is done")
    func activity() async throws {
        let (terminal, _) = try await run([.type("/number 7"), .idle, .idle, .wake, .type("7"), .idle])
        #expect(terminal.timeouts.prefix(5) == [300, 0, 100, 300, 300])
        #expect(!terminal.screens[2].contains("At searched") && terminal.screens[2].contains("/number 7"))
        #expect(terminal.screens[3].contains("/number 7") && terminal.screens[3].contains("At searched …"))
        #expect(!terminal.screens[4].contains("At searched") && !terminal.screens[4].contains("number 6"))
        #expect(terminal.screens[4].contains("Article number 7"))
        #expect(!terminal.screens[6].contains("At searched"), "what begins then has gone on for no while")
    }

    @Test("Work that ends immediately is never shown, only its result")
    func noFlicker() async throws {
        let (terminal, _) = try await run([.type("/number 7"), .idle, .wake])
        #expect(!terminal.screens.contains { $0.contains("At searched") })
        // The list, the text, and its results.
        #expect(terminal.writes.count == 3)
    }

    @Test("Esc leaves a running login immediately, and later results do not")
    func left() async throws {
        let (terminal, events) = try await run(
            [.type("secret\r"), .idle, .type("\u{1B}"), .wake], at: ["/welcome", "/login"])
        #expect(terminal.screens[2].contains("At submitted …"))
        #expect(terminal.screens[3].contains("Heading") && !terminal.screens[3].contains("At submitted"))
        #expect(terminal.screens.last == terminal.screens[3])
        #expect(events.map(\.name) == ["submitted"])
    }

    @Test("A secret stays until the answer, then it is typed again, and Enter does not send it twice")
    func refused() async throws {
        let model = ScriptedModel()
        model.refuses = true
        let (terminal, events) = try await run(
            [.type("secret\r"), .type("\r\r"), .wake, .type("x")], at: ["/login"], model: model)
        #expect(events.count == 1)
        #expect(terminal.screens[2].contains("••••••"))
        #expect(!terminal.screens[3].contains("•") && terminal.screens[3].contains("not the password"))
        #expect(terminal.screens[4].contains("•"))
    }

    @Test("Input during the wait for an answer is kept, and can be sent instead")
    func corrected() async throws {
        let model = ScriptedModel()
        model.refuses = true
        let (terminal, events) = try await run(
            [.type("secret\r"), .type("s!"), .wake, .type("\r"), .type("x\r")], at: ["/login"], model: model)
        #expect(terminal.screens[3].contains("••••••••"))
        #expect(terminal.screens[3].contains("not the password"))
        let passwords = events.map { event -> String? in
            if case .submitted(let answers) = event { answers[.password] } else { nil }
        }
        #expect(passwords == ["secret", "secrets!", "secrets!x"])
    }

    @Test("A user who goes to another field before the answer stays there")
    func elsewhere() async throws {
        let model = ScriptedModel()
        model.refuses = true
        let (terminal, _) = try await run(
            [.type("secret\r"), .type("\u{1B}[Zx"), .wake, .type("y")], at: ["/login"], model: model)
        #expect(terminal.screens[3].contains("annx") && terminal.screens[3].contains("not the password"))
        #expect(terminal.screens[4].contains("annxy") && !terminal.screens[4].contains("•"))
    }

    @Test("Keys typed ahead of a search act on its results")
    func ahead() async throws {
        let (terminal, events) = try await run([.type("/number 42\r\rj"), .idle, .wake])
        #expect(events.map(\.name) == ["searched", "open"])
        guard case .open(.article("slug-42"))? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(terminal.screens[1].contains("number 6") && terminal.screens[1].contains("/number 42"))
        #expect(terminal.screens[3].contains("Heading"))
    }

    @Test("Esc cancels keys that were typed ahead")
    func takenBack() async throws {
        let (terminal, events) = try await run([.type("/number 42\r\r"), .type("\u{1B}"), .idle, .wake])
        #expect(events.map(\.name) == ["searched", "searched"])
        #expect(terminal.screens[4].contains(" 1/1000") && terminal.screens[4].contains("number 4"))
    }

    @Test("The results of an earlier text do not replace those of a later one")
    func later() async throws {
        let (terminal, events) = try await run(
            [
                .type("/number 4"), .idle, .type("2"), .wake, .idle, .type("\r"), .event(.redraw), .wake, .type("/"),
                .wake,
            ])
        #expect(terminal.screens[4].contains("/number 42") && terminal.screens[4].contains("number 41"))
        #expect(terminal.screens[7].contains("/number 42") && terminal.screens[7].contains("number 41"))
        #expect(terminal.screens[8].contains("/number 42") && !terminal.screens[8].contains("number 41"))
        #expect(events.map(\.name) == ["searched", "searched"])
    }

    @Test("Keys that wait for rows are not lost, and loading rows are not requested again")
    func rows() async throws {
        let pages = String(repeating: " ", count: 20)
        let (terminal, events) = try await run([.type(pages)] + Array(repeating: .wake, count: 8))
        #expect(terminal.screens[1].contains(" 96/1000"))
        #expect(terminal.screens.last?.contains(" \(1 + 20 * 19)/1000") == true)
        #expect(events.allSatisfy { $0.name == "moreRowsWanted" })
        #expect(events.count < 10)
    }

    @Test("Keys after one that leads to the end of the list act at that end")
    func end() async throws {
        let (terminal, events) = try await run([.type("Gk"), .idle, .wake, .type("gj"), .wake])
        #expect(terminal.screens[2].contains(" 1/1000") && terminal.screens[2].contains("At lastRowsWanted …"))
        #expect(terminal.screens[3].contains("999/1000"))
        #expect(terminal.screens[5].contains(" 2/1000"))
        #expect(events.map(\.name) == ["lastRowsWanted", "firstRowsWanted"])
    }

    @Test("A visible row opens also while more rows are loading")
    func opened() async throws {
        let (terminal, events) = try await run([.type("     jjj\r")])
        #expect(events.map(\.name) == ["moreRowsWanted", "open"])
        #expect(terminal.screens[1].contains("Heading"))
    }

    @Test("Each request goes one article further, and the text scrolls in the meantime")
    func articles() async throws {
        let model = ScriptedModel()
        _ = try await run([.type("JJ"), .type(" "), .wake, .wake], at: ["/articles", "/articles/1"], model: model)
        #expect(model.paths == ["/articles", "/articles/1++"])
    }

    @Test(
        "A session that begins during work, or just after its end, shows that",
        arguments: [false, true])
    func begun(isDone: Bool) async throws {
        let model = ScriptedModel()
        model.isSlow = true
        try model.send(.searched("number 7"))
        if isDone { model.finish() }
        // `run` requests the screen before the session watches.
        let (terminal, _) = try await run([.idle, .wake], model: model)
        #expect(terminal.screens[isDone ? 0 : 2].contains("Article number 7"))
        #expect(!terminal.screens[isDone ? 0 : 2].contains("number 6"))
        #expect(terminal.screens[1].contains("At searched …") != isDone)
    }
}
