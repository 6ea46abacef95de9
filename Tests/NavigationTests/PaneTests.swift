import Navigation
import Testing

@Suite("Panes of a state")
struct PaneTests {
    /// The routes of the columns: sidebar, list, and detail.
    private func columns(_ panes: Panes<Page>) -> [Page?] {
        [panes.sidebar?.route, panes.list?.route, panes.detail?.route]
    }

    @Test(
        "The columns are the nearest frames of each role, as far as the width has room",
        arguments: [
            (["/c/1"], .compact, [nil, nil, "/c/1"]),
            (["/a/1", "/b/1", "/c/1"], .compact, [nil, nil, "/c/1"]),
            (["/a/1", "/b/1", "/c/1"], .medium, [nil, "/b/1", "/c/1"]),
            (["/a/1", "/b/1", "/c/1"], .expanded, ["/a/1", "/b/1", "/c/1"]),
            (["/a/1", "/b/1"], .compact, [nil, "/b/1", nil]),
            (["/a/1", "/b/1"], .medium, [nil, "/b/1", nil]),
            (["/a/1", "/b/1"], .expanded, ["/a/1", "/b/1", nil]),
            (["/a/1"], .medium, ["/a/1", nil, nil]),
            (["/a/1", "/c/1"], .medium, ["/a/1", nil, "/c/1"]),
            (["/b/1", "/c/1", "/c/2"], .medium, [nil, "/b/1", "/c/2"]),
            (["/b/1", "/b/2", "/c/1"], .expanded, [nil, "/b/2", "/c/1"]),
            (["/b/1", "/c/1", "/b/2"], .medium, [nil, "/b/2", nil]),
            (["/a/1", "/c/1", "/b/2"], .expanded, ["/a/1", "/b/2", nil]),
            (["/b/1", "/a/1", "/c/1"], .expanded, ["/a/1", nil, "/c/1"]),
            (["/a/1", "/b/1", "/c/full"], .expanded, [nil, nil, "/c/full"]),
            (["/b/1", "/c/full", "/c/1"], .expanded, [nil, nil, "/c/1"]),
            (["/c/full", "/b/1", "/c/1"], .medium, [nil, "/b/1", "/c/1"]),
            ([], .expanded, [nil, nil, nil]),
        ] as [([Page], WidthClass, [Page?])])
    func columns(routes: [Page], width: WidthClass, shown: [Page?]) {
        let panes = State(routes).panes(for: width)
        #expect(columns(panes) == shown)
        #expect(panes.modal == nil)
        #expect(panes.active == panes.columns)
        #expect(panes.top?.route == routes.last)
    }

    @Test("A modal frame covers the columns, and only its screen may report events")
    func modal() throws {
        let state = try State(["/b/1", "/c/1"]).applying(.begin("/a/1", modal: true)).applying(.push("/a/2"))
        let panes = state.panes(for: .medium)
        #expect(columns(panes) == [nil, "/b/1", "/c/1"])
        #expect(panes.modal?.route == "/a/2")
        #expect(panes.active.map(\.route) == ["/a/2"])
        #expect(panes.top == state.top)
    }

    @Test(
        "Each column has the frames beneath its pane, as far as the next column",
        arguments: [
            (.compact, [["/a/1", "/b/1", "/b/2", "/c/1", "/c/2"]]),
            (.medium, [["/a/1", "/b/1", "/b/2"], ["/c/1", "/c/2"]]),
            (.expanded, [["/a/1"], ["/b/1", "/b/2"], ["/c/1", "/c/2"]]),
        ] as [(WidthClass, [[Page]])])
    func columnStacks(width: WidthClass, stacks: [[Page]]) throws {
        let state = try State(["/a/1", "/b/1", "/b/2", "/c/1", "/c/2"]).applying(.begin("/a/9", modal: true))
        #expect(state.columnStacks(for: width).map { $0.map(\.route) } == stacks)
        #expect(State().columnStacks(for: width) == [])
    }

    @Test("A route is a detail, unless the application says otherwise")
    func role() throws {
        struct Plain: Route {
            enum Event: NavigationEvent { case tapped }
            typealias Screen = Never
            var flow: FlowKind { "plain" }
            var path: String { "/" }
            var screenName: String { "/" }
            init() {}
            init?(path: String) { nil }
        }
        let panes = NavigationState([Plain(), Plain()]).panes(for: .expanded)
        #expect(panes.columns.count == 1)
        #expect(panes.detail?.route == Plain())
    }

    @Test("The selected row of a list is the place above it")
    func selection() throws {
        let state = State(["/b/1", "/c/7", "/c/8"])
        #expect(state.selection(in: state.frames[0].id) == "/c/7")
        #expect(state.selection(in: state.frames[2].id) == nil)
        let modal = try State(["/b/1"]).applying(.begin("/c/7", modal: true))
        #expect(modal.selection(in: modal.frames[0].id) == nil)
        #expect(modal.selection(in: state.frames[2].id) == nil)
    }
}

@Suite("Events from panes")
struct PaneEventTests {
    private let heard = Box<[String]>([])
    private let changes = Box(0)

    /// A navigator with a list in flow `b` and details in flow `c`, which also has lists of its own.
    private func navigator(
        _ routes: [Page] = ["/b/1", "/c/7"], width: WidthClass = .medium,
        question: @escaping ([Page]) -> Page? = { _ in nil },
        start: @escaping (Puppet) -> Void = { _ in },
        act: @escaping (Flow<Page, String>, Page) -> Void = { _, _ in }
    ) throws -> Navigator<Page> {
        let script = Script(
            start: { start($0) },
            event: { [heard] puppet, event, page in
                heard.value.append("\(event) on \(page)")
                act(puppet.flow, page)
            }, question: question)
        let navigator = Navigator<Page>(children: ["a", "b", "c", "ask"].map { ChildFlow(puppet: $0, script) })
        navigator.widthClass = width
        navigator.onChange = { [changes] _ in changes.value += 1 }
        try navigator.perform(.show(routes))
        return navigator
    }

    private func tapList(_ navigator: Navigator<Page>) async throws {
        let list = try #require(navigator.state.frames.first { $0.route.flow == "b" })
        _ = try await navigator.screen(of: list.id)
        let outlet = try #require((navigator.coordinators[list.flow] as? Puppet)?.outlet)
        outlet(.tapped)
        navigator.settle()
    }

    @Test("A screen in a visible pane may report events, and a covered screen may not")
    func visible() async throws {
        let navigator = try navigator(width: .compact)
        try await tapList(navigator)
        #expect(heard.value == [])
        #expect(navigator.journal.entries.last == .dropped("tapped"))
        navigator.widthClass = .medium
        try await tapList(navigator)
        #expect(heard.value == ["tapped on /b/1"])
        #expect(navigator.state.picture == "[/b/1 | /c/7*]")
    }

    @Test("A screen beneath a modal frame may not report events at any width")
    func covered() async throws {
        let navigator = try navigator()
        try navigator.perform(.begin("/a/1", modal: true))
        try await tapList(navigator)
        #expect(heard.value == [])
    }

    @Test("Changing the width does not change the state")
    func resized() async throws {
        let navigator = try navigator(["/a/1", "/b/1", "/c/7"], width: .compact)
        let state = navigator.state
        let narrow = state.panes(for: navigator.widthClass)
        for width in [.expanded, .medium, .compact] as [WidthClass] {
            navigator.widthClass = width
            navigator.settle()
            #expect(navigator.state == state)
        }
        #expect(navigator.state.panes(for: navigator.widthClass) == narrow)
    }

    @Test(
        "A move of the list first goes back to the list, so another detail replaces the first",
        arguments: [
            (.begin("/c/8"), "[/b/1 | /c/8*]"), (.push("/b/2"), "[/b/1, /b/2*]"), (.replace("/b/2"), "[/b/2*]"),
            (.present("/b/2"), "[/b/1, (/b/2*]"), (.begin("/c/8", modal: true), "[/b/1 | /c/7 | (/c/8*]"),
            (.show(["/b/1", "/c/7", "/c/8"]), "[/b/1 | /c/7, /c/8*]"),
        ] as [(Transition<Page>, String)])
    func moves(move: Transition<Page>, picture: String) async throws {
        let navigator = try navigator(act: { flow, _ in
            switch move {
            case .begin(let page, let modal): flow.begin(page, modal: modal)
            case .push(let page): flow.push(page)
            case .replace(let page): flow.replace(with: page)
            case .present(let page): flow.present(page)
            case .show(let target): flow.show(target)
            default: break
            }
        })
        try await tapList(navigator)
        #expect(navigator.state.picture == picture)
    }

    @Test("Only the first move goes back, so several moves build a stack")
    func severalMoves() async throws {
        let navigator = try navigator(act: { flow, _ in
            flow.push("/b/2")
            flow.push("/b/3")
        })
        try await tapList(navigator)
        #expect(navigator.state.picture == "[/b/1, /b/2, /b/3*]")
    }

    @Test("A list and a detail of the same flow work in the same way, and a modal screen keeps the detail")
    func sameFlow() async throws {
        let script = Script(event: { puppet, event, _ in
            if event == .tapped { puppet.flow.push("/d/8") } else { puppet.flow.present("/d/9") }
        })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "d", script)])
        navigator.widthClass = .medium
        try navigator.perform(.show(["/d/list", "/d/7"]))
        let list = navigator.state.frames[0].id
        navigator.send(.tapped, from: list)
        #expect(navigator.state.picture == "[/d/list, /d/8*]")
        navigator.send(.chose(1), from: list)
        #expect(navigator.state.picture == "[/d/list, /d/8, (/d/9*]")
    }

    @Test("If the detail would lose something, its question is shown first")
    func question() async throws {
        let navigator = try navigator(
            question: { $0 == ["/c/7"] ? "/ask/whether" : nil },
            act: { flow, page in
                if page == "/b/1" { flow.begin("/c/8") } else if page.flow == "ask" { flow.finish(with: "yes") }
            })
        try await tapList(navigator)
        #expect(navigator.state.picture == "[/b/1 | /c/7 | (/ask/whether*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | /c/8*]")
    }

    @Test("A result of work in the list does not go back to the list")
    func work() async throws {
        let navigator = try navigator(act: { flow, _ in
            flow.run("load", { _ in 8 }) { _, _ in flow.begin("/c/8") }
        })
        navigator.onRejection = { _, _ in }
        try await tapList(navigator)
        await navigator.finishWork()
        #expect(navigator.state.picture == "[/b/1 | /c/7*]")
        #expect(navigator.journal.entries.contains(.rejected("begin /c/8", .rejected(.notOnTop("b")))))
    }

    @Test("The graph has the same edge at each width")
    func edges() async throws {
        let navigator = try navigator(act: { flow, _ in flow.begin("/c/8") })
        try await tapList(navigator)
        #expect(navigator.journal.edges == [.init("/b/<n>", "tapped", "/c/<n>")])
    }

    @Test("A flow is started when it becomes visible, and the front is told")
    func started() async throws {
        let navigator = try navigator(
            ["/a/1", "/b/1", "/c/7"], width: .compact)
        #expect(!navigator.journal.entries.contains(.started("b")))
        let before = changes.value
        navigator.widthClass = .expanded
        navigator.settle()
        #expect(navigator.journal.entries.suffix(2) == [.started("b"), .started("a")])
        #expect(changes.value == before + 1)
    }

    @Test("A flow that starts in a pane may move, from its own screen")
    func startMoves() async throws {
        let navigator = try navigator(
            width: .compact,
            start: { puppet in
                if puppet.flow.isFirst { puppet.flow.push("/b/2") }
            })
        #expect(navigator.state.picture == "[/b/1 | /c/7*]")
        navigator.widthClass = .medium
        navigator.settle()
        #expect(navigator.state.picture == "[/b/1, /b/2*]")
    }

    @Test("The owner is called if the width changes outside a turn")
    func pending() async throws {
        let navigator = try navigator(width: .compact)
        let log = Log()
        navigator.onPending = { log.append("pending") }
        navigator.widthClass = .compact
        #expect(log.lines == [])
        navigator.widthClass = .medium
        #expect(log.lines == ["pending"])
    }
}

extension Flow<Page, String> {
    /// Whether this flow is the first of its navigator.
    fileprivate var isFirst: Bool { id.description == "#1" }
}
