import FlowCoordinators
import Testing

@testable import articlesctl

@Suite("A session of the reader")
struct ReaderSessionTests {
    private func run(
        _ script: [ScriptedTerminal.Step], model: ScriptedModel = ScriptedModel(), saved: [String: SavedView] = [:],
        save: @escaping ([String: SavedView]) -> Void = { _ in }
    ) async throws -> (terminal: ScriptedTerminal, end: ReaderSession.End) {
        let terminal = ScriptedTerminal(Size(columns: 80, rows: 24), script)
        let session = ReaderSession(model: model, terminal: terminal, isColored: true, saved: saved, save: save)
        let end = try await session.run()
        #expect(terminal.emulated.mistakes == [])
        return (terminal, end)
    }

    @Test("Going back restores the selection of the list; another article starts at its top")
    func back() async throws {
        let model = ScriptedModel()
        let (terminal, end) = try await run(
            [.type("jjjjj"), .type("\r"), .type("  "), .type("q"), .type("j\r"), .type("q"), .type("q")], model: model)
        #expect(end == .quit)
        #expect(terminal.screens[2].contains("Heading"))
        #expect(terminal.screens[4] == terminal.screens[1])
        #expect(terminal.screens[5].contains("Heading"))
        #expect(model.events.map(\.name) == ["articleChosen", "articleChosen"])
    }

    @Test("A terminal that closes ends the session")
    func closed() async throws {
        #expect(try await run([]).end == .closed)
    }

    @Test("A burst of keys is drawn once, and nothing is written where nothing changes")
    func burst() async throws {
        let (terminal, _) = try await run([.type(String(repeating: "j", count: 50)), .type("\u{1B}[2~")])
        #expect(terminal.writes.count == 2)
        #expect(terminal.screens[2].contains("Article number 50"))
    }

    @Test("A resize draws at once, and keeps the place")
    func resize() async throws {
        let (terminal, _) = try await run([
            .type("G\r"), .resize(Size(columns: 40, rows: 10)), .resize(Size(columns: 20, rows: 5)),
            .resize(Size(columns: 100, rows: 30)),
        ])
        #expect(terminal.screens[1].contains("Heading"))
        #expect(terminal.screens[2].contains("Heading"))
        #expect(terminal.screens[3].contains("The terminal is too"))
        #expect(terminal.screens[4].contains("Heading"))
    }

    @Test("Ctrl-Z gives the terminal back, and what comes after draws the whole screen")
    func suspend() async throws {
        let (terminal, _) = try await run([.type("\u{1A}"), .event(.redraw)])
        #expect(terminal.suspensions == 1)
        #expect(terminal.screens[1] == terminal.screens[0])
        #expect(terminal.screens[2] == terminal.screens[0])
    }

    @Test("More rows are loaded when the end comes near, and the selection stays")
    func more() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("G"), .type("j")], model: model)
        #expect(model.requests == 1)
        #expect(terminal.screens[1].contains("100/150"))
        #expect(terminal.screens[2].contains("101/150"))
    }

    @Test("What was saved is taken up again, deep in the stack as well")
    func resume() async throws {
        var saved: [String: SavedView] = [:]
        let model = ScriptedModel()
        let (first, _) = try await run([.type("jjjjjjj\r"), .type("   ")], model: model) { saved = $0 }
        #expect(Set(saved.keys) == ["/articles", "/articles/slug-7"])
        let again = ScriptedModel()
        again.places = model.places
        let (second, _) = try await run([.type("q")], model: again, saved: saved)
        #expect(second.screens[0] == first.screens[2])
        #expect(second.screens[1].contains("8/100"))
    }

    @Test("A place that was left is forgotten")
    func forgotten() async throws {
        var saved: [String: SavedView] = [:]
        _ = try await run([.type("jj\r"), .type(" "), .type("q")]) { saved = $0 }
        #expect(Set(saved.keys) == ["/articles"])
    }

    @Test("After logging out no view of before is left")
    func logOut() async throws {
        let model = ScriptedModel()
        let (terminal, _) = try await run([.type("jjj\r"), .type("l"), .type("x")], model: model)
        #expect(terminal.screens[2].contains("Username"))
        #expect(terminal.screens[3].contains("annx"))
    }
}
