import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import Terminal
import TestSupport
import Testing

@testable import TerminalReader

@Suite("The panes of a wide terminal")
struct PaneTests {
    private static let wide = Size(columns: 120, rows: 24)
    private static let widest = Size(columns: 160, rows: 24)
    private static let tab = ScriptedTerminal.Step.type("\t")
    private static let shiftTab = ScriptedTerminal.Step.event(.key(KeyPress(.tab, .shift)))

    private static let places = Sidebar(groups: [
        .init(
            title: nil,
            entries: [
                .init(id: "unread", title: "Unread", place: .articles(ArticleList()), count: 7, isSelected: true),
                .init(id: "account", title: "Account", place: .account, count: nil, isSelected: false),
            ]),
        .init(
            title: "Sources",
            entries: [.init(id: "1", title: "News", place: .sources(), count: 3, isSelected: false)]),
    ])

    private func layout(
        _ stack: [AppRoute], width: Int = 120, isSplit: Bool = true, hasSidebar: Bool = true
    ) -> PaneLayout {
        PaneLayout(
            NavigationState(stack), width: width, textWidth: .default, isSplit: isSplit, hasSidebar: hasSidebar)
    }

    private func run(
        _ script: [ScriptedTerminal.Step], model: ScriptedModel = ScriptedModel(), size: Size = wide
    ) async throws -> ScriptedTerminal {
        let terminal = ScriptedTerminal(size, script)
        let session = ReaderSession(model: model, terminal: terminal, isColored: true)
        _ = try await session.run(showing: model.screen())
        return terminal
    }

    /// Returns an application that shows the form of a note of the signed-in user.
    ///
    /// - Parameter parked: the paths of the other section.
    private func modelWithNote(parked: [String] = []) -> ScriptedModel {
        let model = ScriptedModel()
        model.places = Self.places
        (model.section, model.paths, model.user) = ("one", ["/articles", "/note"], "ann")
        if !parked.isEmpty { model.parked = ["two": parked] }
        return model
    }

    private func press(row: Int, column: Int) -> ScriptedTerminal.Step {
        .event(.mouse(Mouse(kind: .press, column: column, row: row)))
    }

    private func wheel(row: Int, column: Int) -> ScriptedTerminal.Step {
        .event(.mouse(Mouse(kind: .wheelDown, column: column, row: row)))
    }

    /// Returns the part of each row in the list pane, or in the article pane, of a terminal of 120 columns.
    private func part(_ screen: String, isList: Bool) -> String {
        let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return rows.compactMap { row in
            row.firstIndex(of: "│").map { isList ? String(row[..<$0]) : String(row[row.index(after: $0)...]) }
        }.joined(separator: "\n")
    }

    @Test(
        "A list beside an article gives the title at least 29 columns",
        arguments: [(120, 29), (140, 32), (160, 39), (170, 37), (200, 36)])
    func titles(width: Int, least: Int) throws {
        let layout = layout([.articles(), .article("one")], width: width)
        let title = String(repeating: "0123456789", count: 6)
        let list = List(
            columns: [
                .init("", .mark), .init("Published", .fact), .init("Author", .fact, link: .author),
                .init("Title", .primary), .init("Source", .origin), .init("Reading", .estimate),
            ],
            rows: [
                List.Row([
                    .marks([.unread, .starred]), .day(Date(timeIntervalSince1970: 0)), .links(["Ann Author"]),
                    .text(title), .text("A blog with a name"), .minutes(12),
                ])
            ], placeholder: "")
        let view = ReaderView(
            Screen(title: "Articles", content: .list(list)), size: Size(columns: width, rows: 24), theme: .standard,
            columns: layout.columns(of: .list), panes: .on)
        let state = view.fitted(ViewState())
        let row = try #require(view.draw(state).text.split(separator: "\n").first { $0.contains("0123456789") })
        #expect(row.contains(title.prefix(least - 1)), "\(row)")
        #expect(row.contains("1970-01-01"))
    }

    @Test("The panes depend on the top of the stack")
    func frames() throws {
        let (list, article, form) = (AppRoute.articles(), AppRoute.article("one"), AppRoute.note("one"))
        for stack in [[list], [form, list], [.library(), list]] {
            let layout = layout(stack)
            #expect(layout.hasPreview && layout.top == .list && layout.listBeneath == nil)
        }
        #expect(layout([list, article]).listBeneath == 0)
        #expect(layout([list, list, article, article]).listBeneath == 1)
        #expect(layout([list, article]).panes == [.list, .article])
        for stack in [[article], [list, form, article], [list, article, form], [list, .library()], []] {
            let layout = layout(stack)
            #expect(layout.panes == [.article] && !layout.hasPreview && layout.listBeneath == nil)
        }
        let asking = try NavigationState([list, article]).applying(.begin(.leave(.importing), modal: true))
        #expect(
            PaneLayout(asking, width: 120, textWidth: .default, isSplit: true, hasSidebar: false).panes == [.article])
    }

    @Test("The user can switch the panes off, and a sidebar needs places")
    func choice() {
        #expect(layout([.articles()], width: 200, isSplit: false).panes == [.article])
        #expect(layout([.articles()], width: 200, hasSidebar: false).panes == [.list, .article])
    }

    @Test(
        "The columns of the panes fill the terminal, and the text has its width if the list leaves it",
        arguments: 20...300)
    func columns(width: Int) {
        let layout = layout([.articles(), .article("one")], width: width)
        let panes = layout.panes
        #expect(panes == (width < 120 ? [.article] : width < 160 ? [.list, .article] : [.sidebar, .list, .article]))
        #expect(layout.columns(of: panes[0]).lowerBound == 0 && layout.article.upperBound == width)
        for (left, right) in zip(panes, panes.dropFirst()) {
            #expect(layout.columns(of: left).upperBound + 1 == layout.columns(of: right).lowerBound)
        }
        for column in 0..<width {
            #expect(layout.panes.last { layout.columns(of: $0).lowerBound <= column } == layout.pane(at: column))
        }
        guard width >= 120 else { return }
        #expect(layout.columns(of: .list).count >= 48)
        #expect(layout.article.count >= min(width - 49, 76) || layout.columns(of: .list).count == 48)
    }

    @Test("Enter opens the article in its pane, and the list stays")
    func open() async throws {
        let model = ScriptedModel()
        let terminal = try await run([.idle, .type("\r"), .idle, .type("jjj"), .idle], model: model)
        #expect(part(terminal.screens[2], isList: false).contains("An article"))
        #expect(part(terminal.screens[2], isList: true).contains("Article number 0"))
        // The keys scroll the article, and no pane is loaded again.
        #expect(part(terminal.screens[4], isList: true) == part(terminal.screens[3], isList: true))
        #expect(part(terminal.screens[4], isList: false) != part(terminal.screens[3], isList: false))
        #expect(model.beneath == [0])
        #expect(model.events.map(\.name) == ["open"])
    }

    @Test("Keys act on the pane with the focus, and an event of the list closes the article first, in one step")
    func focus() async throws {
        let model = ScriptedModel()
        let terminal = try await run(
            [.type("\r"), .idle, Self.tab, .type("jj"), .type("\r"), .idle, Self.shiftTab, Self.shiftTab, .type("j")],
            model: model)
        // The list moves its selection; the article stays.
        #expect(terminal.screens[4].contains(" 3/1000"))
        #expect(part(terminal.screens[4], isList: false) == part(terminal.screens[3], isList: false))
        #expect(model.returns == 1 && model.paths == ["/articles", "/articles/slug-2"])
        #expect(model.events.map(\.name) == ["open", "open"])
        // A single step shows the other article.
        #expect(part(terminal.screens[5], isList: false).contains("An article"))
        #expect(terminal.screens[5].contains(" 3/1000"))
        // Two steps with the focus lead back to the article.
        #expect(terminal.screens[9].contains(" 3/1000") && terminal.screens[9] != terminal.screens[8])
    }

    @Test("The keys scroll a preview with the focus, and do not open it")
    func previewFocus() async throws {
        let model = ScriptedModel()
        let terminal = try await run(
            [.idle, Self.tab, .type("j"), .type(" "), .type("*"), .type("\r")], model: model)
        #expect(terminal.screens[3] != terminal.screens[2] && terminal.screens[4] != terminal.screens[3])
        #expect(part(terminal.screens[4], isList: true) == part(terminal.screens[2], isList: true))
        #expect(model.events.map(\.name) == ["open"] && model.previews == ["slug-0"])
    }

    @Test("A click gives a pane the focus, and the wheel scrolls the pane under the pointer")
    func mouse() async throws {
        let model = ScriptedModel()
        let terminal = try await run(
            [
                .type("\r"), .idle, wheel(row: 5, column: 5), wheel(row: 5, column: 80), press(row: 4, column: 5),
                .type("j"), press(row: 5, column: 80), .type("j"),
            ], model: model)
        let screens = terminal.screens
        #expect(screens[3].contains(" 4/1000"))
        #expect(part(screens[3], isList: false) == part(screens[2], isList: false))
        #expect(part(screens[4], isList: false) != part(screens[3], isList: false))
        #expect(screens[5].contains(" 3/1000") && screens[6].contains(" 4/1000"))
        #expect(part(screens[6], isList: false) == part(screens[5], isList: false))
        #expect(part(screens[8], isList: true) == part(screens[6], isList: true))
        #expect(part(screens[8], isList: false) != part(screens[7], isList: false))
        #expect(model.returns == 0 && model.events.map(\.name) == ["open"])
    }

    @Test("An empty list has no preview")
    func emptyList() async throws {
        let model = ScriptedModel()
        model.found = 0..<0
        let terminal = try await run([.idle, .type("/nothing\r"), .idle, .idle], model: model)
        #expect(part(terminal.screens[1], isList: false).contains("About slug-0"))
        let last = try #require(terminal.screens.last)
        #expect(!last.contains("About slug-0") && model.search == "nothing")
    }

    @Test("A click in a preview gives it the focus, and follows no link")
    func previewClick() async throws {
        let model = ScriptedModel()
        let terminal = try await run([.idle, press(row: 6, column: 60), .type("j")], model: model)
        #expect(model.events.isEmpty)
        #expect(part(terminal.screens[3], isList: false) != part(terminal.screens[1], isList: false))
    }

    @Test("Moving in the list keeps the article open until the user goes past the last loaded row")
    func rowsBeneath() async throws {
        let model = ScriptedModel()
        model.total = 150
        _ = try await run(
            [.type("\r"), .idle, Self.tab, .type(String(repeating: "j", count: 99)), .idle], model: model)
        #expect(model.returns == 0 && model.rows.upperBound == 100)
        let other = ScriptedModel()
        other.total = 150
        _ = try await run(
            [.type("\r"), .idle, Self.tab, .type(String(repeating: "j", count: 101)), .idle], model: other)
        #expect(other.returns == 1 && other.rows.upperBound == 150)
    }

    @Test("The article that is closed stays visible as the preview, without another request")
    func closing() async throws {
        let model = ScriptedModel()
        model.current = "1"
        let terminal = try await run([.type("j\r"), .idle, .type("jj"), .type("q"), .idle], model: model)
        #expect(part(terminal.screens[4], isList: false) == part(terminal.screens[3], isList: false))
        #expect(model.paths == ["/articles"] && model.previews.isEmpty)
    }

    @Test("The list selects the article to which the user goes on")
    func following() async throws {
        let model = ScriptedModel()
        model.current = "5"
        let terminal = try await run(
            [.type("\r"), .idle, Self.tab, .type("j"), .event(.wake), .idle, Self.tab, .type("J"), .idle], model: model)
        #expect(part(terminal.screens[2], isList: true).contains(" 6/1000"))
        // Loading the list again does not move the selection of the user.
        #expect(model.beneath.count == 3)
        #expect(part(terminal.screens[6], isList: true).contains(" 7/1000"))
        #expect(part(terminal.screens[9], isList: true).contains(" 6/1000"))
    }

    @Test(
        "A detour to another width changes nothing: not the place, the selection, or the scroll position",
        arguments: 0..<30 as Range<UInt64>)
    func detour(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let keys = ["j", "k", " ", "G", "g", "\r", "q", "b"]
        let script = (0..<12).flatMap { _ in
            [ScriptedTerminal.Step.type(keys.randomElement(using: &random) ?? "j"), .idle]
        }
        let narrow = Size(columns: 100, rows: 24)
        let wide = Size(columns: Int.random(in: 120...220, using: &random), rows: 24)
        let (straight, detoured) = (ScriptedModel(), ScriptedModel())
        straight.paths.append("/articles/start")
        detoured.paths.append("/articles/start")
        let before = try await run(script + [.idle], model: straight, size: narrow)
        let after = try await run(
            script + [.resize(wide), .idle, .idle, .resize(narrow), .idle], model: detoured, size: narrow)
        #expect(before.screens.last == after.screens.last)
        #expect(straight.paths == detoured.paths && straight.rows == detoured.rows)
    }

    @Test("From 160 columns a sidebar leads to its places, with the keys and the mouse")
    func sidebar() async throws {
        let model = ScriptedModel()
        model.places = Self.places
        let terminal = try await run(
            [.idle, Self.shiftTab, .type("jj"), .type("\r"), press(row: 2, column: 5), .idle], model: model,
            size: Self.widest)
        let first = terminal.screens[0]
        #expect(first.contains("› Unread") && first.contains("SOURCES") && first.contains("Article number 0"))
        #expect(first.split(separator: "\n")[1].contains("7 │"))
        #expect(model.gone == [.sources(), .account])
        #expect(terminal.screens[3].contains("News"))
    }

    @Test("Exactly the pane with the focus has a bar as its title", arguments: [true, false])
    func focusBar(isColored: Bool) async throws {
        let model = ScriptedModel()
        let terminal = ScriptedTerminal(Self.wide, [.idle, Self.tab, .idle])
        let session = ReaderSession(model: model, terminal: terminal, isColored: isColored)
        _ = try await session.run(showing: model.screen())
        let title = terminal.emulated.rows[0]
        let edge = try #require(title.firstIndex { $0.text == "│" })
        #expect(title[..<edge].allSatisfy { !$0.style.attributes.contains(.reverse) })
        #expect(title[(edge + 1)...].allSatisfy { $0.style.attributes.contains(.reverse) })
    }

    @Test("A section keeps its article, its row, and the text of its form while another section is shown")
    func sections() async throws {
        let model = ScriptedModel()
        model.places = Self.places
        (model.section, model.parked) = ("one", ["two": ["/note"]])
        let (unread, account) = (press(row: 1, column: 5), press(row: 2, column: 5))
        let terminal = try await run(
            [
                .type("jjj"), .idle, account, .type("written"), unread, .idle, account, .idle, unread, .type("\r"),
                account,
                unread, .idle,
            ], model: model, size: Self.widest)
        #expect(terminal.screens[2].contains("4/1000"))
        #expect(terminal.screens[3].contains("Note on") && !terminal.screens[3].contains("written"))
        #expect(terminal.screens[6].contains("4/1000"))
        #expect(terminal.screens[8].contains("Note on") && terminal.screens[8].contains("written"))
        #expect(terminal.text.contains("An article") && model.paths == ["/articles", "/articles/slug-3"])
    }

    @Test("The text of a form is there again after the entry of its own section has closed it")
    func formClosed() async throws {
        let model = modelWithNote(parked: ["/note"])
        let terminal = try await run(
            [.type("written"), press(row: 1, column: 5), .idle, press(row: 2, column: 5), .idle], model: model,
            size: Self.widest)
        #expect(terminal.screens[3].contains("1/1000"))
        #expect(terminal.text.contains("Note on") && terminal.text.contains("written"))
    }

    @Test("Quitting asks if typed text is not saved, also in another section, and not a second time")
    func unsentText() async throws {
        for isParked in [false, true] {
            let model = modelWithNote()
            let away = isParked ? [press(row: 2, column: 5), .idle] : []
            let terminal = try await run(
                [.type("written")] + away + [.type("\u{3}"), .type("\u{1B}"), .type("\u{3}"), .type("\u{3}")],
                model: model, size: Self.widest)
            let asked = terminal.screens[(away.count + 2)...]
            #expect(asked.map { $0.contains("“Note on “An article”” is not saved") } == [true, false, true])
            #expect(terminal.isAtEnd)
        }
        let model = modelWithNote()
        let terminal = try await run([.type("a\u{7F}"), .type("\u{3}"), .type("never")], model: model)
        #expect(!terminal.isAtEnd, "nothing is lost")
    }

    @Test("Text that was sent is lost without a question only if it was saved")
    func sentText() async throws {
        func isAsked(_ script: [ScriptedTerminal.Step], _ change: (ScriptedModel) -> Void) async throws -> Bool {
            let model = modelWithNote()
            change(model)
            let terminal = try await run([.type("written")] + script + [.type("\u{3}"), .type("\u{3}")], model: model)
            return terminal.isAtEnd
        }
        let save = ScriptedTerminal.Step.type("\u{13}")
        #expect(try await !isAsked([save]) { $0.answer = Notice("Saved.") })
        #expect(try await !isAsked([save]) { _ in }, "not every form has a message")
        #expect(try await isAsked([save]) { $0.answer = Notice(ScriptedModel.refusal) }, "the form has closed")
        #expect(try await isAsked([save]) { $0.refuses = true }, "the form is open")
        #expect(try await isAsked([save]) { $0.isSlow = true }, "the request is running")
        #expect(try await isAsked([save, .type("\u{1B}")]) { $0.isSlow = true }, "the user left the form")
        #expect(try await isAsked([.type("\u{1B}")]) { _ in }, "the user left the form")
    }

    @Test("Logging out asks if it loses typed text, and leaves nothing for the next user")
    func logOutWithText() async throws {
        let model = modelWithNote(parked: ["/articles"])
        let terminal = try await run(
            [
                .type("written"), press(row: 2, column: 5), .idle, .type("L"), .type("\u{1B}"), .type("L"), .type("\r"),
                .type("\u{3}"),
            ], model: model, size: Self.widest)
        #expect(terminal.screens[4].contains("is not saved. Log out?"))
        #expect(model.paths == ["/login"])
        #expect(terminal.screens.last?.contains("is not saved") == false)
    }

    @Test("Text that comes back is sent with the version that it changes")
    func draftVersion() async throws {
        let model = modelWithNote(parked: ["/note"])
        model.refuses = true
        let terminal = ScriptedTerminal(
            Self.widest,
            [
                .type("written"), press(row: 1, column: 5), .wake, press(row: 2, column: 5), .idle, .type("\u{13}"),
                .type("\u{13}"),
            ])
        terminal.finish = { model.noteVersion = "2" }
        _ = try await ReaderSession(model: model, terminal: terminal, isColored: true).run(showing: model.screen())
        let versions = model.events.compactMap {
            if case .submitted(let answers) = $0 { answers[.version] } else { nil }
        }
        #expect(versions == ["1", "2"], "the second time, the user has seen the answer")
    }

    @Test("Tab after the last button of a form leads to the sidebar, and back to the first field")
    func formTabs() async throws {
        let model = modelWithNote(parked: ["/articles"])
        let terminal = try await run(
            [.idle, .type("\t\t"), .type("j\r"), .idle], model: model, size: Self.widest)
        #expect(terminal.screens[2].contains("Note on"))
        #expect(model.gone == [.account], "the keys act on the sidebar")
        let returned = try await run(
            [.idle, .type("\t\t\t"), .type("new "), .idle], model: modelWithNote(), size: Self.widest)
        #expect(returned.text.contains("new "))
    }

    @Test("The entry of the shown section goes back to its lowest list, and then to the first row")
    func scrollsUp() async throws {
        let model = ScriptedModel()
        model.places = Self.places
        model.section = "one"
        let unread = press(row: 1, column: 5)
        let terminal = try await run(
            [.type("jjj"), .type("\r"), .idle, unread, .idle, unread, .idle], model: model, size: Self.widest)
        #expect(terminal.screens[5].contains("4/1000") && model.paths == ["/articles"])
        #expect(terminal.text.contains("1/1000"))
    }

    @Test("Without a session, and below 160 columns, there is no sidebar")
    func noSidebar() async throws {
        let model = ScriptedModel()
        #expect(try await !run([.idle, .idle], model: model, size: Self.widest).text.contains("Go to"))
        model.places = Self.places
        #expect(
            try await !run([.idle, .idle], model: model, size: Size(columns: 159, rows: 24)).text.contains("Go to"))
        #expect(try await run([.idle, .idle], model: model, size: Self.widest).text.contains("Go to"))
    }

    @Test("P switches all panes off and on, also beside an article")
    func switching() async throws {
        let model = ScriptedModel()
        model.places = Self.places
        let terminal = try await run(
            [.type("\r"), .idle, .type("P"), .idle, .type("P"), .idle], model: model, size: Self.widest)
        #expect(terminal.screens[2].contains("│") && terminal.screens[2].contains("Go to"))
        #expect(!terminal.screens[3].contains("│") && !terminal.screens[3].contains("Go to"))
        #expect(terminal.screens[5].contains("│") && terminal.screens[5].contains("Go to"))
        // There is nothing to show or hide in a narrow terminal.
        let narrow = try await run([.type("P")], size: Size(columns: 119, rows: 24))
        #expect(narrow.screens[1].contains("does nothing here"))
    }

    @Test("A place below a link shows its list as soon as the user stops pressing keys")
    func deepLink() async throws {
        let model = ScriptedModel()
        model.paths.append("/articles/one")
        let terminal = try await run([.idle], model: model)
        #expect(!terminal.screens[0].contains("Article number") && terminal.screens[0].contains("An article"))
        #expect(terminal.screens[1].contains("Article number 0") && terminal.screens[1].contains("An article"))
    }
}
