import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import Terminal
import TestSupport
import Testing
import Text

@testable import TerminalReader

@Suite("Screens in the reader")
struct ReaderViewTests {
    private static let small = Size(columns: 40, rows: 10)

    /// Types into a screen, and returns the view state, the last step, and the frame.
    private func type(
        _ keys: String, into screen: Screen, size: Size = Size(columns: 80, rows: 24), state: ViewState? = nil
    ) -> (state: ViewState, step: SessionStep?, frame: Frame, all: [SessionStep]) {
        let view = ReaderView(screen, size: size, theme: .standard)
        var state = view.fitted(state ?? ViewState())
        var steps: [SessionStep] = []
        var decoder = InputDecoder()
        for event in decoder.decode(keys.utf8) + decoder.flush() {
            if let step = view.handle(event, &state) { steps.append(step) }
        }
        return (state, steps.last, view.draw(state), steps)
    }

    private func names(_ steps: [SessionStep]) -> [String] {
        steps.map { if case .send(let event) = $0 { event.name } else { "\($0)" } }
    }

    @Test(
        "Every screen works at 40×10: its title, its keys, and its content are visible",
        arguments: Screen.all.indices)
    func small(place: Int) {
        let screen = Screen.all[place]
        let frame = type("", into: screen, size: Self.small).frame
        #expect(frame.text(row: 0).contains(screen.title))
        #expect(frame.text(row: 9).contains("help"))
        #expect((1..<8).contains { !frame.text(row: $0).isEmpty })
    }

    @Test("The title has the most room, however many tags one article has", arguments: [80, 100, 120, 140, 200])
    func manyTags(width: Int) throws {
        let tags = (1...60).map { "tag-\($0)" }.joined(separator: ", ")
        let title = String(repeating: "title ", count: 20)
        let list = List(
            columns: [
                .init("Published"), .init("Author"), .init("Title", .primary), .init("Tags", .labels),
                .init("Reading", .estimate),
            ],
            rows: [.init(["2026-10-14", "Mei Okafor", title, tags, "4 min"].map { .text($0) })], placeholder: "")
        let frame = type(
            "", into: Screen(title: "Articles", content: .list(list)), size: Size(columns: width, rows: 24)
        ).frame
        let shown = frame.text(row: 2)
        let titleWidth = shown.ranges(of: "title").count
        #expect(titleWidth * 6 > width / 3, "\(shown)")
        #expect(shown.contains("2026-10-14") && shown.contains("Mei Okafor") && shown.contains("4 min"))
        if let start = shown.firstRange(of: "tag-1") {
            let tagsWidth = shown[start.lowerBound...].count - "  4 min".count
            #expect(titleWidth * 6 >= tagsWidth)
        }
    }

    @Test("In a field of several lines Enter begins a line, pasted text stays text, and Ctrl-S sends")
    func severalLines() throws {
        let typed = type("\u{1B}[Fq\ry\u{1B}[200~a\rx\nb\u{1B}[201~", into: .note)
        #expect(typed.all.isEmpty)
        #expect(typed.frame.text.contains("│ Oneq"))
        #expect(typed.frame.text.contains("│ ya"))
        #expect(!typed.frame.text.contains("␊"))
        let bar = typed.frame.text(row: 23)
        #expect(bar.contains("^S Save") && bar.contains("^O open your editor"), "\(bar)")
        guard case .send(.submitted(let answers))? = type("\u{13}", into: .note, state: typed.state).step else {
            Issue.record("Ctrl-S sends nothing")
            return
        }
        #expect(answers[.note] == "Oneq\nya\nx\nb\nTwo")
        #expect(answers[.version] == "1")
    }

    @Test("A form that nobody changed sends its text as it was, with its line breaks")
    func unchangedLines() {
        let text = "One\r\nTwo\u{2028}Three"
        let screen = Screen(
            title: "Note", content: .form(Form([.init(.note, "Note", kind: .lines, value: text)], submitLabel: "Save")))
        guard case .send(.submitted(let answers))? = type("\u{1B}[B\u{13}", into: screen).step else {
            Issue.record("Ctrl-S sends nothing")
            return
        }
        #expect(answers[.note].map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        "A smaller terminal shows a message, and Ctrl-C still leaves",
        arguments: [(39, 10), (40, 9), (1, 1), (0, 0), (5, 3)])
    func tooSmall(columns: Int, rows: Int) {
        for screen in Screen.all {
            let result = type("\u{3}", into: screen, size: Size(columns: columns, rows: rows))
            if columns > 20 { #expect(result.frame.text.contains("too small")) }
            if case .quit = result.step {} else { Issue.record("Ctrl-C") }
        }
    }

    @Test("No size and no key breaks a view", arguments: 0..<4)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys =
            Array("jkudgG /nN?q12\t\r\u{7F}abc日".unicodeScalars).map { InputEvent.character($0) }
            + [
                .key(.enter), .key(.escape), .key(.tab), .key(KeyPress(.tab, .shift)), .key(.down), .key(.up),
                .key(.pageDown), .key(.pageUp),
                .key(.home), .key(.end), .key(.left), .key(.right), .key(.backspace), .key(.delete),
                .key(.control("w")),
                .key(.function(1)), .paste("x\ny\u{1B}[2J"), .mouse(Mouse(kind: .wheelDown, column: 3, row: 3)),
            ]
        var old: Frame?
        let screens =
            Screen.all + [.articles(count: 0), .article(paragraphs: 0), Screen(title: "", content: .menu(text: ""))]
        for screen in screens {
            var size = Size(columns: 80, rows: 24)
            var view = ReaderView(screen, size: size, theme: .dark)
            var state = view.fitted(ViewState())
            var terminal = EmulatedTerminal(size: size)
            old = nil
            for _ in 0..<120 {
                if Int.random(in: 0..<30, using: &random) == 0 {
                    size = Size(
                        columns: Int.random(in: 0...130, using: &random), rows: Int.random(in: 0...50, using: &random))
                    let next = ReaderView(screen, size: size, theme: .dark, reusing: view)
                    state = next.fitted(state, from: view)
                    view = next
                    terminal = EmulatedTerminal(size: size)
                    old = nil
                }
                var event = keys.randomElement(using: &random) ?? .key(.enter)
                if Int.random(in: 0..<8, using: &random) == 0 {
                    event = .mouse(
                        Mouse(
                            kind: .press, column: Int.random(in: 0...90, using: &random),
                            row: Int.random(in: 0...50, using: &random)))
                }
                _ = view.handle(event, &state)
                let frame = view.draw(state)
                terminal.write(FrameDiff.bytes(from: old, to: frame))
                if let difference = terminal.difference(from: frame) {
                    Issue.record("\(difference)")
                    return
                }
                old = frame
            }
        }
    }

    @Test("Hostile text is drawn as marks, wherever it comes from")
    func hostile() {
        let evil = "\u{1B}]0;pwned\u{7}\u{9B}2J\u{202E}\u{1B}[31m"
        let screens: [Screen] = [
            Screen(
                title: evil, content: .menu(text: evil), actions: [Action(evil, .open(.login()))],
                notice: Notice(evil)),
            Screen(
                title: evil,
                content: .list(
                    List(
                        columns: [.init(evil)], rows: [.init([.text(evil)])], placeholder: evil, choice: evil,
                        search: evil)),
                actions: [Action(evil, .open(.login()))], notice: Notice(evil)),
            Screen(
                title: evil,
                content: .document(Document(facts: [.init(evil, evil)], body: evil + "[x](\(evil))", format: .markdown))
            ),
            Screen(
                title: evil,
                content: .form(
                    Form(
                        [
                            .init(.username, evil, value: evil, hint: evil),
                            .init(.region, evil, kind: .choice([.init(value: evil, label: evil)])),
                        ], submitLabel: evil)),
                notice: Notice(evil)),
        ]
        for screen in screens {
            for keys in ["", "?", "/x", "\t\t"] {
                let frame = type(keys, into: screen).frame
                let bytes = String(decoding: FrameDiff.bytes(from: nil, to: frame), as: UTF8.self)
                #expect(!bytes.contains("]0;pwned\u{7}"))
                #expect(!bytes.contains("\u{1B}]"))
                #expect(frame.text.unicodeScalars.allSatisfy { !$0.isHarmful || $0 == "\n" })
            }
        }
    }

    @Test("Wide characters and emoji keep the columns of a list aligned", arguments: [40, 60, 80, 120])
    func columns(width: Int) {
        let frame = type("", into: .articles(count: 30), size: Size(columns: width, rows: 24)).frame
        // The titles start below their column's title.
        let heading = Array(frame[1])
        let start = heading.indices.first { place in
            heading[place...].prefix(5).map { String($0.cluster) }.joined() == "TITLE"
        }
        guard let column = start else {
            Issue.record("no heading")
            return
        }
        for row in 2..<22 {
            let cells = Array(frame[row])
            #expect(cells[column - 1].cluster == " ")
            #expect(["A", "日"].contains(String(cells[column].cluster)))
        }
    }

    @Test(
        "A list moves by rows, pages, and ends",
        arguments: [
            ("j", 1), ("jjk", 1), ("k", 0), ("G", 99), ("Gk", 98), ("\u{1B}[F\u{1B}[H", 0), ("Gg", 0),
            ("\u{1B}[6~", 19), (" b", 0), ("\u{1B}[B\u{1B}[B\u{1B}[A", 1), ("d", 9),
        ])
    func list(keys: String, expected: Int) {
        let result = type(keys, into: .articles(count: 100))
        #expect(result.state.selection == expected)
        #expect(result.frame.text.contains("Article number \(expected)") || expected % 10 == 3)
    }

    @Test("A list is filtered during typing, Enter keeps the filter, and Esc removes it")
    func filter() {
        let typed = type("/number 42", into: .articles(count: 100))
        #expect(typed.frame.text.contains("Article number 42"))
        #expect(!typed.frame.text.contains("Article number 41"))
        #expect(typed.state.selection == 42)
        #expect(typed.frame.cursor != nil)
        #expect(typed.all.isEmpty)
        #expect(names(type("/number 42\r\r", into: .articles(count: 100)).all).last == "open")
        let cancelled = type("/number 42\u{1B}", into: .articles(count: 100))
        #expect(cancelled.frame.text.contains("Article number 1"))
        #expect(type("/no such row", into: .articles(count: 100)).state.selection == 0)
        #expect(type("/NUMBER 4\rn", into: .articles(count: 100)).state.selection == 40)
        #expect(type("/NUMBER 4\rN", into: .articles(count: 100)).state.selection == 49)
    }

    @Test("If the library searches a list, the text is sent, and the rows stay until others arrive")
    func search() {
        let screen = Screen.articles(0..<100, of: 1000, search: "")
        let typed = type("/42", into: screen)
        #expect(names(typed.all) == [#"search("4")"#, #"search("42")"#])
        #expect(typed.frame.text.contains("Article number 1"))
        #expect(names(type("/42\u{1B}", into: screen).all).last == #"search("")"#)
        let found = Screen.articles(0..<100, of: 1000, search: "42")
        #expect(type("", into: found).frame.text(row: 22).contains("/42"))
        #expect(names(type("\u{1B}", into: found).all) == [#"search("")"#])
    }

    @Test("q ends a search before it leaves, and new text replaces the old search")
    func searchAgain() {
        let found = Screen.articles(0..<100, of: 1000, search: "42")
        #expect(names(type("q", into: found).all) == [#"search("")"#])
        #expect(names(type("/7", into: found).all) == [#"search("7")"#])
        #expect(names(type("/\u{1B}[D7", into: found).all) == [#"search("472")"#])
        #expect(names(type("/\u{7F}", into: found).all) == [#"search("")"#])
        #expect(type("/\r", into: found).all.isEmpty)
        #expect(type("/", into: found).frame.text(row: 22).contains("/42"))
    }

    @Test("Below each row is its matching text, marked, if there is room")
    func excerpts() throws {
        let long = String(repeating: "before ", count: 20)
        let rows = (0..<40).map { row in
            List.Row(
                [.text("Row \(row)")], event: .open(.article(ArticleReference("a\(row)"))), id: "\(row)",
                excerpt: MarkedText([.init(long), .init("found", isMarked: true), .init(" after \(row)")]))
        }
        let screen = Screen(
            title: "Articles",
            content: .list(List(columns: [.init("Title", .primary)], rows: rows, placeholder: "", search: "found")))
        for columns in [40, 80] {
            let frame = type("", into: screen, size: Size(columns: columns, rows: 24)).frame
            #expect(frame.text(row: 2).contains("Row 0"))
            #expect(frame.text(row: 3).contains("…"))
            let start = try #require(frame[3].firstIndex { $0.style == Theme.standard.match }) - frame[3].startIndex
            #expect(frame.text(row: 3).contains("found after 0") && start < columns * 2 / 3)
            #expect(frame.text(row: 5).contains("found after 1"))
            #expect(frame.text(row: 20).contains("Row 9") && frame.text(row: 21).contains("after 9"))
        }
        let page = type(" ", into: screen)
        #expect(page.state.selection == 9)
        #expect(type("\u{1B}[<0;4;6M", into: screen).state.selection == 1)
        #expect(type("G", into: screen).frame.text(row: 20).contains("Row 39"))
        #expect(!type("", into: screen, size: Self.small).frame.text.contains("after"))
    }

    @Test("A key without effect says so until the next one, unless letters are text")
    func unbound() {
        for screen in [Screen.articles(count: 100), .article(paragraphs: 60), .welcome] {
            #expect(type("~", into: screen).frame.text(row: 22).contains("~ "))
            #expect(!type("~j", into: screen).frame.text.contains("~ "))
        }
        #expect(!type("~", into: .login).frame.text(row: 22).contains("~ "))
        #expect(!type("/~", into: .articles(count: 100)).frame.text(row: 22).contains("~ "))
        #expect(!type("?~", into: .articles(count: 100)).frame.text(row: 22).contains("~ "))
    }

    @Test("A key that needs the address of an article names the reason if there is none")
    func unaddressed() {
        let status = type("v", into: .article(paragraphs: 60)).frame.text(row: 22)
        #expect(status.contains("address") && !status.contains("v "))
    }

    @Test(
        "In a narrow terminal, the columns that identify rows have most of the room",
        arguments: [(40, 30), (60, 24), (80, 24)])
    func narrow(width: Int, expected: Int) {
        let title = "A title that is longer than any terminal that this is shown in, as those of articles may be"
        let list = List(
            columns: [
                .init("", .mark), .init("Published"), .init("Author"), .init("Title", .primary),
                .init("Reading", .estimate),
            ],
            rows: [
                .init([
                    .marks(.unread), .text("2026-10-14"), .text("Ada Lindqvist"), .text(title), .minutes(4),
                ])
            ], placeholder: "")
        let screen = Screen(title: "Articles", content: .list(list))
        let row = type("", into: screen, size: Size(columns: width, rows: 10)).frame.text(row: 2)
        #expect(row.contains(title.prefix(expected - 1)))
    }

    @Test("Rows beyond the loaded ones are requested a screen ahead, and ends at once")
    func more() {
        let first = Screen.articles(0..<100, of: 1000, search: "")
        #expect(type("jjjkk", into: first).all.isEmpty)
        #expect(names(type("     ", into: first).all) == ["moreRowsWanted"])
        #expect(names(type("G", into: first).all) == ["lastRowsWanted"])
        #expect(type("g", into: first).all.isEmpty)
        let middle = Screen.articles(400..<500, of: 1000, search: "")
        #expect(names(type("     k", into: middle).all) == ["moreRowsWanted"])
        #expect(names(type("jjjk", into: middle).all) == ["earlierRowsWanted"])
        #expect(names(type("gG", into: middle).all) == ["firstRowsWanted", "lastRowsWanted"])
    }

    @Test("The position in the whole list is at the top, as far as it is known")
    func position() {
        #expect(type("jj", into: .articles(400..<500, of: 1000, search: "")).frame.text(row: 0).hasSuffix(" 403/1000"))
        func position(total: Int?, offset: Int?, more: Bool, earlier: Bool = false) -> String {
            let list = List(
                columns: [.init("ID")], rows: [.init([.text("1")]), .init([.text("2")])], placeholder: "", total: total,
                offset: offset, earlier: earlier ? .init(some: .earlierRowsWanted, last: .firstRowsWanted) : nil,
                more: more ? .init(some: .moreRowsWanted, last: .lastRowsWanted) : nil)
            return type("j", into: Screen(title: "T", content: .list(list))).frame.text(row: 0)
        }
        #expect(position(total: nil, offset: 0, more: true).hasSuffix(" 2/2+"))
        #expect(position(total: nil, offset: 0, more: false).hasSuffix(" 2/2"))
        #expect(position(total: 9, offset: nil, more: true, earlier: true).hasSuffix(" …/9"))
        #expect(position(total: nil, offset: nil, more: true, earlier: true).hasSuffix(" …"))
        #expect(position(total: nil, offset: nil, more: false).hasSuffix(" 2/2"))
    }

    @Test("A message stays until the next key, and is shown again if it answers that key")
    func notice() {
        for notice in [Notice("Saved."), Notice(ArticleError.noArticle("wrong"))] {
            for screen in [Screen.articles(count: 100), .article(paragraphs: 60)] {
                var screen = screen
                screen.notice = notice
                #expect(type("", into: screen).frame.text(row: 22).contains(notice.text))
                let after = type("j", into: screen)
                #expect(!after.frame.text.contains(notice.text))
                #expect(!type("", into: screen, state: after.state).frame.text.contains(notice.text))
            }
        }
    }

    @Test("Messages of success and failure look the same, whatever their source")
    func styles() {
        func style(_ result: (state: ViewState, step: SessionStep?, frame: Frame, all: [SessionStep])) -> Style {
            result.frame[22].first { $0.cluster != " " }?.style ?? .plain
        }
        var (good, bad) = (Screen.articles(count: 9), Screen.articles(count: 9))
        (good.notice, bad.notice) = (Notice("Saved."), Notice(ArticleError.noArticle("wrong")))
        #expect(style(type("", into: good)) == style(type("-", into: .article(paragraphs: 9))))
        #expect(style(type("", into: bad)) == style(type("7\r", into: .article(paragraphs: 9))))
        #expect(style(type("", into: bad)) == style(type("/nowhere\r", into: .article(paragraphs: 9))))
    }

    @Test("An action receives the selected row, if that makes a difference")
    func actionAtRow() {
        guard case .send(.sortChosen(.title, at: 7))? = type("jjjjjjjt", into: .articles(count: 100)).step else {
            Issue.record("not at the row")
            return
        }
    }

    @Test("An action that cannot be undone asks first, and only y means yes")
    func confirmation() {
        let list = List(
            columns: [.init("ID")],
            rows: [
                .init(
                    [.text("1")], event: Session.ID("0123456789abcdef").map(AppEvent.sessionRevocationChosen),
                    confirmation: "End session 1?")
            ],
            placeholder: "", choice: "End the session")
        let screen = Screen(
            title: "T", content: .list(list),
            actions: [
                Action(
                    "Log out everywhere", .logOutEverywhereChosen, for: .logOutEverywhere,
                    confirmation: "End every session?")
            ])
        let asked = type("\r", into: screen)
        #expect(asked.all.isEmpty)
        #expect(asked.frame.text(row: 22).contains("End session 1?"))
        #expect(asked.frame.text(row: 23).contains("Enter yes") && asked.frame.text(row: 23).contains("Esc no"))
        #expect(names(type("\r\r", into: screen).all) == ["sessionRevocationChosen"])
        // Letters have another meaning elsewhere, so they do not answer.
        for no in ["\u{1B}", "q", "y", "n", "x", " "] { #expect(type("\r" + no, into: screen).all.isEmpty) }
        #expect(type("\r\u{1B}", into: screen).frame == type("", into: screen).frame)
        #expect(names(type("E\r", into: screen).all) == ["logOutEverywhereChosen"])
        #expect(names(type("\r\u{3}", into: screen).all) == ["quit"])
    }

    @Test("On the lowest screen Esc does not leave, q does, and the bar says so")
    func root() {
        let view = ReaderView(.welcome, size: Size(columns: 80, rows: 24), theme: .standard, isRoot: true)
        var state = view.fitted(ViewState())
        #expect(view.handle(.key(.escape), &state) == nil)
        if case .quit? = view.handle(.character("q"), &state) {} else { Issue.record("q stays") }
        #expect(view.draw(state).text(row: 23).contains("q quit"))
    }

    @Test("A form shows during typing what is wrong, and what is right")
    func validation() {
        let form = Form(
            [
                .init(.username, "Username", hint: "Letters.") { answers in
                    let text = answers[.username] ?? ""
                    return text.isEmpty ? .unfinished : text.count < 3 ? .wrong("too short") : .good
                },
                .init(.confirmation, "Again") { answers in
                    let text = answers[.confirmation] ?? ""
                    return text.isEmpty ? .unfinished : text == answers[.username] ? .good : .wrong("not the same")
                },
            ], submitLabel: "Send")
        let screen = Screen(title: "T", content: .form(form))
        #expect(type("", into: screen).frame.text.contains("Letters."))
        #expect(type("ad", into: screen).frame.text.contains("✗ too short"))
        #expect(!type("ad", into: screen).frame.text.contains("not the same"))
        #expect(type("ada", into: screen).frame.text.contains("✓ good"))
        #expect(type("ada\tad", into: screen).frame.text.contains("✗ not the same"))
        // A change of a field is also checked in the field that depends on it.
        #expect(type("ada\tada\u{1B}[Zx", into: screen).frame.text.contains("✗ not the same"))
    }

    @Test("A form begins at the first field that is empty, or wrong")
    func firstField() {
        #expect(type("x", into: .login).frame.text.contains("•"))
        #expect(type("", into: .region).state.form.focus == 0)
        let fields: [Form.Field] = [
            .init(.username, "Username", value: "ann") { _ in .good },
            .init(.region, "Region", value: "x") { _ in .wrong("no such region") },
        ]
        let screen = Screen(title: "T", content: .form(Form(fields, submitLabel: "Send")))
        #expect(type("", into: screen).state.form.focus == 1)
    }

    @Test("An error of a field is shown once, and a secret that was sent is typed again")
    func afterSending() {
        var screen = Screen(
            title: "T",
            content: .form(
                Form([.init(.username, "Name", value: "a") { _ in .wrong("too short") }], submitLabel: "Send")))
        screen.notice = Notice("too short")
        #expect(type("", into: screen).frame.text.ranges(of: "too short").count == 1)
        let sent = type("secret\r", into: .login).state
        #expect(type("", into: .login, state: sent).state.form.lines[.password] == nil)
        #expect(!type("", into: .login, state: sent).frame.text.contains("•"))
    }

    @Test("A canceled search returns to the previous place")
    func searchBack() {
        let down = type("jjjjj", into: .articles(count: 100)).state
        #expect(type("/number 42\u{1B}", into: .articles(count: 100), state: down).state.selection == 5)
        #expect(type("/number 42\r\u{1B}", into: .articles(count: 100), state: down).state.selection == 5)
    }

    @Test("The letter of an action stays the same, whatever else is offered")
    func shortcuts() {
        for others in [[], [Action("Just another", .open(.account))]] {
            var screen = Screen.welcome
            screen.actions = others + [Action("Next", .nextArticleChosen, for: .next)]
            #expect(names(type("J", into: screen).all) == ["nextArticleChosen"])
        }
    }

    @Test("The way back and the help are in the bar of every screen, however small", arguments: Screen.all.indices)
    func wayOut(place: Int) {
        let bar = type("", into: Screen.all[place], size: Self.small).frame.text(row: 9)
        #expect(bar.contains("Esc back") && bar.contains("help"))
    }

    @Test(
        "Every action has its own key or button, shown and in force, and no key means two things",
        arguments: Screen.all.indices)
    func letters(place: Int) {
        let screen = Screen.all[place]
        for keys in ["", "/x", "\t", "\t\t", "1"] {
            let view = ReaderView(screen, size: Size(columns: 100, rows: 24), theme: .standard)
            let state = type(keys, into: screen).state
            let bindings = view.bindings(state)
            let all = bindings.flatMap(\.keys)
            #expect(Set(all).count == all.count)
            guard state.search == nil else { continue }
            if case .form = screen.content {
                let text = view.draw(state).text
                #expect(screen.actions.allSatisfy { text.contains("[ \($0.label) ]") })
                continue
            }
            for (number, action) in screen.actions.enumerated() {
                let binding = bindings.first { $0.command == .action(number) }
                #expect(binding?.help == action.label)
                guard let key = binding?.keys.first else { continue }
                var after = state
                guard case .send(let event)? = view.handle(.key(key), &after) else {
                    Issue.record("\(key) does nothing")
                    continue
                }
                #expect(event.name == action.event.name)
            }
        }
    }

    @Test("The help names every key that has an effect here, and closes", arguments: Screen.all.indices)
    func help(place: Int) {
        let screen = Screen.all[place]
        let size = Size(columns: 100, rows: 50)
        let view = ReaderView(screen, size: size, theme: .standard)
        let state = view.fitted(ViewState())
        let shown = type("\u{1B}OP", into: screen, size: size)
        for binding in view.bindings(state) {
            #expect(shown.frame.text.contains(binding.help), "\(binding.help)")
            for key in binding.keys.prefix(3) { #expect(shown.frame.text.contains(key.name)) }
        }
        #expect(type("\u{1B}OPq", into: screen, size: size).frame == type("", into: screen, size: size).frame)
    }

    @Test("Help names the keys that follow g exactly where they lead somewhere", arguments: Screen.all.indices)
    func goKeys(place: Int) {
        let screen = Screen.all[place]
        let size = Size(columns: 100, rows: 60)
        let help = type("\u{1B}OP", into: screen, size: size).frame.text
        for (key, summary, _) in KeyPurpose.goKeys {
            let leads = !type("g\(key)", into: screen).all.isEmpty && type("\(key)", into: screen).all.isEmpty
            #expect(help.contains("g \(key)") == leads, "g \(key)")
            #expect(help.contains("\(summary)") == leads)
        }
    }

    @Test("Help that is longer than the screen says so, and every key of it can be seen", arguments: Screen.all.indices)
    func longHelp(place: Int) {
        let screen = Screen.all[place]
        let view = ReaderView(screen, size: Self.small, theme: .standard)
        let bindings = view.bindings(view.fitted(ViewState()))
        let first = type("\u{1B}OP", into: screen, size: Self.small).frame
        #expect(first.text(row: 0).contains("↓") && !first.text(row: 0).contains("↑"))
        var seen = ""
        // Each picture shows seven lines.
        for line in stride(from: 0, through: 60, by: 7) {
            let frame = type("\u{1B}OP" + String(repeating: "j", count: line), into: screen, size: Self.small).frame
            seen += (1..<8).map { frame.text(row: $0) }.joined(separator: "\n") + "\n"
        }
        for key in bindings.flatMap(\.keys) { #expect(seen.contains(key.name), "\(key.name)") }
        let last = type("\u{1B}OPG", into: screen, size: Self.small).frame
        #expect(last.text(row: 0).contains("↑") && !last.text(row: 0).contains("↓"))
        let large = type("\u{1B}OP", into: screen, size: Size(columns: 100, rows: 60)).frame
        #expect(!large.text(row: 0).contains("↓"))
    }

    @Test("The headings of a text are a table of contents, which leads to each")
    func contents() {
        let words = String(repeating: "word ", count: 400)
        let body = "# One\n\n\(words)\n\n### Deep *down*\n\n\(words)\n\n## Two\n\n\(words)\n"
        let screen = Screen(title: "T", content: .document(Document(facts: [], body: body, format: .markdown)))
        let shown = type("c", into: screen).frame
        let rows = (1...3).map { shown.text(row: $0).trimmingPrefix { $0 == " " } }
        #expect(rows == ["One", "Deep down", "Two"])
        #expect(shown.text(row: 2).prefix { $0 == " " }.count == shown.text(row: 1).prefix { $0 == " " }.count + 4)
        #expect(shown[1].dropFirst(4).first?.style == Theme.standard.selection)
        #expect(type("cj\r", into: screen).frame.text(row: 1).contains("Deep down"))
        #expect(type("cjjj\r", into: screen).frame.text(row: 1).contains("Two"))
        #expect(
            type("cG\rjcj\r", into: screen).frame.text(row: 1).contains("Two"), "from the heading that one is below")
        #expect(type("cj\u{1B}", into: screen).frame == type("", into: screen).frame)
        #expect(type("c\u{1B}[<0;9;3M", into: screen).frame.text(row: 1).contains("Deep down"))
        let plain = Screen(title: "T", content: .document(Document(facts: [], body: words)))
        #expect(type("c", into: plain).state.heading == nil)
    }

    @Test("Running text is in a column of 72 in the middle, which keys make wider and narrower")
    func textWidth() {
        let wide = Size(columns: 200, rows: 24)
        let screen = Screen(
            title: "T",
            content: .document(
                Document(
                    facts: [],
                    body: String(repeating: "word ", count: 200) + "\n\n    "
                        + String(
                            repeating: "code ", count: 25), format: .markdown)))
        let frame = type("", into: screen, size: wide).frame
        let line = frame.text(row: 1)
        #expect(line.prefix { $0 == " " }.count == 64)
        #expect(line.count <= 64 + 72 && line.count > 64 + 66)
        // Code may be wider.
        #expect(frame.text.split(separator: "\n").contains { $0.contains("code") && $0.count > 64 + 120 })
        guard case .setTextWidth(TextWidth(columns: 76))? = type("+", into: screen, size: wide).step,
            case .setTextWidth(TextWidth(columns: 68))? = type("-", into: screen, size: wide).step,
            // From the visible width, not from a width without room.
            case .setTextWidth(TextWidth(columns: 62))? = type("-", into: screen, size: Size(columns: 68, rows: 24))
                .step
        else {
            Issue.record("another width")
            return
        }
        #expect(type("+", into: screen, size: Size(columns: 74, rows: 24)).step == nil)
        let view = ReaderView(screen, size: wide, theme: .standard, textWidth: TextWidth(columns: 100))
        #expect(view.draw(view.fitted(ViewState())).text(row: 1).prefix { $0 == " " }.count == 50)
        // A match is marked at its place.
        let found = type("/word\r", into: screen, size: wide).frame
        #expect(found[1].dropFirst(64).first?.style == Theme.standard.currentMatch)
    }

    @Test(
        "A document scrolls by lines, pages, and halves, and shows its position",
        arguments: [("j", 1), ("jk", 0), (" ", 20), (" b", 0), ("d", 10), ("du", 0), ("\u{1B}[<65;1;5M", 3), ("\r", 0)])
    func document(keys: String, expected: Int) {
        #expect(type(keys, into: .article(paragraphs: 60)).state.top == expected)
    }

    @Test("The end of a document is 100%, and its long code lines are complete")
    func end() {
        let frame = type("G", into: .article(paragraphs: 60)).frame
        #expect(frame.text(row: 0).contains("100%"))
        #expect(frame.text.contains("[2] /articles/other"))
        #expect(type("/END\r", into: .article(paragraphs: 3), size: Self.small).frame.text.contains("END"))
    }

    @Test("Finding goes to the text, marks it, and continues with n and N")
    func find() {
        let found = type("/paragraph 5\r", into: .article(paragraphs: 60))
        #expect(found.frame.text.contains("Paragraph 5 "))
        let marked = found.frame.text.contains("Paragraph 5 ")
        #expect(marked)
        let cells = (1..<22).flatMap { Array(found.frame[$0]) }.filter { $0.style == Theme.standard.currentMatch }
        #expect(cells.map { String($0.cluster) }.joined() == "Paragraph 5")
        // 5, then 50 to 59, then 5 again.
        #expect(type("/paragraph 5\rn", into: .article(paragraphs: 60)).frame.text.contains("Paragraph 50"))
        #expect(type("/paragraph 5\rnN", into: .article(paragraphs: 60)).state.selection == found.state.selection)
        #expect(type("/paragraph 5\rN", into: .article(paragraphs: 60)).frame.text.contains("Paragraph 59"))
        #expect(type("/nowhere\r", into: .article(paragraphs: 60)).frame.text(row: 22).contains("nowhere"))
        #expect(type("/日本\r", into: .article(paragraphs: 60)).state.query == "日本")
    }

    @Test("A link is followed by its number, and its address is shown")
    func links() {
        let typed = type("2", into: .article(paragraphs: 60))
        #expect(typed.frame.text(row: 22).contains("[2] /articles/other"))
        guard case .follow("/articles/other")? = type("2\r", into: .article(paragraphs: 60)).step else {
            Issue.record("no link")
            return
        }
        #expect(type("7\r", into: .article(paragraphs: 60)).frame.text(row: 22).contains("7"))
        #expect(type("0\r99999999999999999999\r", into: .article(paragraphs: 60)).all.isEmpty)
        #expect(type("2\u{1B}", into: .article(paragraphs: 60)).state.number == "")
        #expect(type("x", into: .article(paragraphs: 60)).state.number == "")
        let facts = Screen(title: "T", content: .document(Document(facts: [.init("Author", "Ann")])))
        #expect(type("1\r", into: facts).all.isEmpty && type("1", into: facts).state.number == "")
    }

    @Test("An action without a letter has a number: after those of the links in a text, and a digit elsewhere")
    func numberedActions() {
        var screen = Screen.article(paragraphs: 2)
        screen.actions += [Action("Pause", .open(.sources())), Action("Resume", .open(.account))]
        let typed = type("4", into: screen)
        #expect(typed.all.isEmpty && typed.frame.text(row: 22).contains("[4] Resume"))
        guard case .send(.open(.account))? = type("4\r", into: screen).step else {
            Issue.record("no action")
            return
        }
        #expect(type("5\r", into: screen).frame.text(row: 22).contains("There is no link 5."))
        var list = Screen.articles(count: 3)
        list.actions += [Action("Pause", .open(.sources())), Action("Resume", .open(.account))]
        #expect(names(type("2", into: list).all) == ["open"])
    }

    @Test(
        "A document keeps its place when the width changes, and in the next session",
        arguments: [41, 60, 100, 200])
    func reflow(width: Int) {
        let screen = Screen.article(paragraphs: 60)
        let before = ReaderView(screen, size: Size(columns: 80, rows: 24), theme: .standard)
        let state = type("/Paragraph 30\r", into: screen).state
        var top = state
        for _ in 0..<3 { _ = before.handle(.character("j"), &top) }
        while !before.draw(top).text(row: 1).contains("Paragraph 30") { _ = before.handle(.character("j"), &top) }
        let after = ReaderView(screen, size: Size(columns: width, rows: 24), theme: .standard, reusing: before)
        #expect(after.draw(after.fitted(top, from: before)).text(row: 1).contains("Paragraph 30"))
        let saved = before.saved(top)
        #expect(saved.map { after.draw(after.restored($0)).text(row: 1).contains("Paragraph 30") } == true)
    }

    @Test("A form is filled in, shows no secret, and is sent")
    func form() {
        let typed = type("\u{1B}[Zx\tp日🇩🇪", into: .login)
        #expect(typed.frame.text.contains("annx"))
        #expect(typed.frame.text.contains("•••"))
        #expect(!typed.frame.text.contains("日"))
        #expect(typed.frame.cursor != nil)
        guard case .send(.submitted(let answers))? = type("\u{1B}[Z\u{15}bob\rsecret q?\r", into: .login).step else {
            Issue.record("not sent")
            return
        }
        #expect(answers[.username] == "bob")
        #expect(answers[.password] == "secret q?")
        #expect(names(type("\t\t\r", into: .login).all) == ["open"])
        #expect(names(type("\u{1B}", into: .login).all) == ["back"])
    }

    @Test("After a try the focus stays, and in a low window the result is at the bottom", arguments: [10, 24])
    func trialResult(rows: Int) {
        let fields = FieldName.allCases.prefix(10).map { Form.Field($0, $0.rawValue, value: "x") }
        var screen = Screen(
            title: "Rule", content: .form(Form(fields, submitLabel: "Save", trialLabel: "Try")))
        let size = Size(columns: 60, rows: rows)
        let before = ReaderView(screen, size: size, theme: .standard)
        var state = before.fitted(ViewState())
        // The first field has the focus.
        for _ in 0..<2 { _ = before.handle(.key(.tab), &state) }
        _ = before.handle(.key(KeyPress(.character("t"), .control)), &state)
        let cursor = before.draw(state).cursor
        screen.notice = Notice("The rule meets 3 articles.")
        let after = ReaderView(screen, size: size, theme: .standard, reusing: before)
        state.noticeRead = nil
        let fitted = after.fitted(state, from: before)
        #expect(after.draw(fitted).text.contains("The rule meets 3 articles."))
        #expect(after.draw(fitted).cursor == cursor)
    }

    @Test("A field is turned on and off with Space, and Ctrl-T tries the answers")
    func trial() {
        let form = Form(
            [
                .init(.name, "Name"), .init(.hide, "Hide", kind: .toggle, hint: "omit"),
                .init(.star, "Star", kind: .toggle),
            ],
            submitLabel: "Save", trialLabel: "Try")
        let screen = Screen(title: "T", content: .form(form), actions: [Action("Remove", .ruleRemovalChosen("a"))])
        func answers(_ keys: String) -> (event: String, hide: String?, star: String?)? {
            switch type(keys, into: screen).step {
            case .send(.submitted(let answers)): ("save", answers[.hide], answers[.star])
            case .send(.tried(let answers)): ("try", answers[.hide], answers[.star])
            default: nil
            }
        }
        #expect(answers("a b\r \r\r") ?? ("", "", "") == ("save", "yes", ""))
        #expect(answers("a\r  x\r \u{14}") ?? ("", "", "") == ("try", "", "yes"))
        #expect(answers("a\t\t\t\t\r") ?? ("", "", "") == ("try", "", ""))
        #expect(answers("a\u{13}") ?? ("", "", "") == ("save", "", ""))
        #expect(names(type("\t\t\t\t\t\r", into: screen).all) == ["ruleRemovalChosen"])
        let typed = type("a\r ", into: screen)
        #expect(typed.frame.text.contains("Hide: [x]") && typed.frame.text.contains("Star: [ ]"))
        #expect(typed.frame.text.contains("omit") && typed.frame.text(row: 23).contains("^T Try"))
    }

    @Test("The error of a field is at the field, which has the focus")
    func fieldError() {
        var screen = Screen(
            title: "T",
            content: .form(
                Form([.init(.name, "Name"), .init(.words, "Words"), .init(.tags, "Tags")], submitLabel: "Save")))
        screen.notice = Notice(RuleError.noCondition, at: .words)
        let shown = type("", into: screen)
        #expect(shown.state.form.focus == 1)
        let rows = (0..<24).map { shown.frame.text(row: $0) }
        #expect(rows[2].contains("Words:") && rows[3].contains("✗ a rule needs a condition"), "\(rows)")
        #expect(rows.count { $0.contains("a rule needs a condition") } == 1)
    }

    @Test("The error of a form is in the form")
    func formError() {
        var screen = Screen.login
        screen.notice = Notice(ArticleError.noArticle("wrong"))
        for size in [Size(columns: 80, rows: 24), Self.small] {
            #expect(type("", into: screen, size: size).frame.text.contains("“wrong”"))
        }
    }

    @Test(
        "A choice is found by its name or value, or with arrows",
        arguments: [
            ("niger\r", "NE"), ("jp\r", "JP"), ("jer\r", "JE"), ("\u{1B}[B\u{1B}[B\r", "JP"), ("ni\u{1B}[B\r", "NG"),
            ("zzz\r", "zzz"), ("\r", ""),
        ])
    func choice(keys: String, expected: String) {
        let result = type(keys, into: .region)
        guard case .send(.submitted(let answers))? = result.step else {
            Issue.record("not sent")
            return
        }
        #expect(answers[.region] == expected)
    }

    @Test("A click chooses an item of a menu, a row and then opens it, and a field")
    func clicks() {
        func click(_ row: Int) -> String { "\u{1B}[<0;4;\(row + 1)M" }
        #expect(names(type(click(4), into: .welcome).all) == ["open"])
        #expect(type(click(5), into: .articles(count: 100)).state.selection == 3)
        #expect(names(type(click(5) + click(5), into: .articles(count: 100)).all) == ["open"])
        #expect(type("\u{1B}[Z" + click(3), into: .login).state.form.focus == 1)
        #expect(type(click(0) + click(22), into: .articles(count: 100)).all.isEmpty)
    }

    @Test("A click follows a link, acts on the bar at the bottom, and sorts by a column's title")
    func clicksBeside() {
        func click(_ frame: Frame, _ text: String, row: Int) -> String {
            let cells = Array(frame[row])
            let column = cells.indices.first { column in
                cells[column...].prefix(text.count).map { String($0.cluster) }.joined() == text
            }
            return "\u{1B}[<0;\((column ?? -1) + 1);\(row + 1)M"
        }
        let article = Screen.article(paragraphs: 9)
        let frame = type("", into: article).frame
        let row = (1..<22).first { frame.text(row: $0).contains("another") } ?? 0
        guard case .follow("/articles/other")? = type(click(frame, "another", row: row), into: article).step else {
            Issue.record("no link")
            return
        }
        #expect(type(click(frame, "and", row: row), into: article).all.isEmpty)
        #expect(type(click(frame, "help", row: 23), into: article).state.isHelpShown)
        guard case .back? = type(click(frame, "Esc", row: 23), into: article).step else {
            Issue.record("not back")
            return
        }
        let list = Screen.articles(count: 100)
        let heading = click(type("", into: list).frame, "TITLE", row: 1)
        guard case .send(.sortChosen(.title, at: 2))? = type("jj" + heading, into: list).step else {
            Issue.record("not sorted")
            return
        }
        #expect(type(click(type("", into: list).frame, "AUTHOR", row: 1), into: list).all.isEmpty)
        #expect(names(type(click(type("", into: list).frame, "Account", row: 23), into: list).all) == ["open"])
    }

    @Test("A click on a tag, author, or source of an article opens its list")
    func facts() throws {
        let screen = Screen(
            title: "T",
            content: .document(
                Document(
                    facts: [
                        .init("Author", [.init("Ann", list: ArticleQuery(author: "Ann")), .init("Bo")]),
                        .init(
                            "Tags",
                            [
                                .init("swift", list: ArticleQuery(tag: "swift")),
                                .init("日本", list: ArticleQuery(tag: "日本")),
                            ]),
                    ], body: "Text")))
        let frame = type("", into: screen).frame
        #expect(frame.text(row: 1).contains("Ann, Bo") && frame.text(row: 2).contains("swift, 日本"))
        func chosen(_ text: String, row: Int) throws -> ArticleQuery? {
            let column = try #require(frame[row].firstIndex { String($0.cluster) == text }) - frame[row].startIndex
            let step = type("\u{1B}[<0;\(column + 1);\(row + 1)M", into: screen).step
            guard case .send(.open(.articles(let list)))? = step else { return nil }
            return list.query
        }
        #expect(try chosen("n", row: 1)?.author == "Ann")
        #expect(try chosen("B", row: 1) == nil)
        #expect(try chosen("w", row: 2)?.tag == "swift")
        #expect(try chosen("本", row: 2)?.tag == "日本")
    }

    @Test("The results of a search go round only if all of them are there")
    func wrapping() {
        let all = Screen.articles(0..<100, of: 100, search: "Article")
        #expect(type("N", into: all).state.selection == 89)
        #expect(type("Gn", into: all).state.selection == 0)
        for some in [0..<100, 900..<1000, 400..<500] {
            let screen = Screen.articles(some, of: 1000, search: "Article")
            #expect(type("N", into: screen).state.selection == 0, "\(some)")
            #expect(type("n", into: screen).state.selection == 1, "\(some)")
        }
        // Of 100 rows, 90 are found. At the end of those that are there, the next ones are asked for.
        let first = Screen.articles(0..<100, of: 1000, search: "Article")
        let end = type(String(repeating: "n", count: 89), into: first)
        #expect(end.state.selection == 89 && names(end.all) == ["moreRowsWanted"])
        #expect(type(String(repeating: "n", count: 90), into: first).state.selection == 89)
    }

    @Test("Without a search, n moves nothing, and says so", arguments: ["n", "N"])
    func nothingSearched(key: String) {
        for screen in [Screen.articles(count: 100), .article(paragraphs: 60)] {
            let result = type("jj" + key, into: screen)
            #expect(result.state.selection == 2)
            #expect(result.frame.text(row: 22) != type("jj", into: screen).frame.text(row: 22))
        }
    }

    @Test("Without colors nothing is colored, and the selection is still visible", arguments: Screen.all.indices)
    func monochrome(place: Int) {
        let theme = Theme(.dark, isColored: false)
        let view = ReaderView(Screen.all[place], size: Size(columns: 80, rows: 24), theme: theme)
        let frame = view.draw(view.fitted(ViewState()))
        let cells = (0..<24).flatMap { Array(frame[$0]) }
        #expect(cells.allSatisfy { $0.style.color == nil && $0.style.background == nil })
    }

    static let themes: [Theme] = [.dark, .light, .highContrast]

    @Test("A theme colors every cell of the screen", arguments: themes.indices)
    func coloured(place: Int) {
        let theme = Self.themes[place]
        for screen in Screen.all {
            let view = ReaderView(screen, size: Size(columns: 80, rows: 24), theme: theme)
            for state in [
                view.fitted(ViewState()),
                {
                    var state = ViewState(); state.isHelpShown = true; return state
                }(),
            ] {
                let frame = view.draw(state)
                #expect((0..<24).flatMap { Array(frame[$0]) }.allSatisfy { $0.style.background != nil })
            }
        }
    }

    @Test(
        "A line is edited at its cursor",
        arguments: [
            ("abc\u{1B}[D\u{7F}", "ac"), ("abc\u{1}x", "xabc"), ("one two\u{17}", "one "), ("abc\u{1}\u{1B}[3~", "bc"),
            ("abc\u{2}\u{B}", "ab"),
            ("e\u{301}\u{7F}", ""), ("👩\u{200D}👩\u{7F}x", "x"), ("ab\u{1}\u{1B}[C\u{1B}[C\u{1B}[Cc", "abc"),
            ("\u{7F}\u{17}\u{1B}[Da", "a"),
            ("\u{1B}[200~two\nlines\u{1B}[201~", "two lines"), ("x\u{5}\u{15}", ""),
        ])
    func line(keys: String, expected: String) {
        var line = LineEditor()
        var decoder = InputDecoder()
        for event in decoder.decode(keys.utf8) { _ = line.handle(event) }
        #expect(line.text == expected)
        #expect(line.shown(width: 5, isSecret: false).text.displayWidth <= 5 || line.cursor <= 5)
    }
}
