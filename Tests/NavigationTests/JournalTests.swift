import Navigation
import Testing

@Suite("The journal")
struct JournalTests {
    @Test("The journal records everything in order")
    func order() async throws {
        let list = ChildFlow<Page>(puppet: "list", Script(event: { puppet, _, _ in puppet.flow.begin("/detail/1") }))
        let detail = ChildFlow<Page>(puppet: "detail", Script(start: { $0.flow.finish(with: "seen") }))
        let navigator = Navigator(children: [list, detail])
        try navigator.perform(.show(["/list/1"]))
        navigator.send(.tapped)
        #expect(
            navigator.journal.entries == [
                .transition(before: [], after: ["/list/1"]),
                .started("list"),
                .event(name: "tapped", path: "/list/1"),
                .transition(before: ["/list/1"], after: ["/list/1", "/detail/1"]),
                .started("detail"),
                .transition(before: ["/list/1", "/detail/1"], after: ["/list/1"]),
                .ended("detail", .finished),
                .led(.init("/list/<n>", "tapped", "/list/<n>")),
            ])
    }

    @Test("The journal distinguishes a flow that was canceled or left from one that finished")
    func ends() async throws {
        let child = ChildFlow<Page>(
            puppet: "child",
            Script(event: { puppet, event, _ in
                if event == .tapped { puppet.flow.finish(with: "x") } else { puppet.flow.cancel() }
            }))
        let navigator = Navigator(children: [ChildFlow(puppet: "list"), child])
        try navigator.perform(.show(["/list/1", "/child/1"]))
        navigator.send(.tapped)
        try navigator.perform(.begin("/child/1"))
        navigator.send(.chose(1))
        try navigator.perform(.begin("/child/1"))
        navigator.back()
        let ends = navigator.journal.entries.filter { if case .ended = $0 { true } else { false } }
        #expect(ends == [.ended("child", .finished), .ended("child", .cancelled), .ended("child", .cancelled)])
    }

    @Test("Every observer receives each entry, also those that the journal does not keep")
    func observers() async throws {
        var navigator: Navigator<Page>? = Navigator(children: [ChildFlow(puppet: "a")], journalCapacity: 0)
        let first = try #require(navigator?.entries())
        try navigator?.perform(.show(["/a/1"]))
        let second = try #require(navigator?.entries())
        _ = navigator?.entries()
        navigator?.send(.tapped)
        #expect(navigator?.journal.entries == [])
        navigator = nil
        let later: [Journal.Entry] = [
            .event(name: "tapped", path: "/a/1"), .led(.init("/a/<n>", "tapped", "/a/<n>")),
        ]
        #expect(await second.reduce(into: []) { $0.append($1) } == later)
        #expect(
            await first.reduce(into: []) { $0.append($1) }
                == [.transition(before: [], after: ["/a/1"]), .started("a")] + later)
    }

    @Test("The journal contains the case of an event and never its values")
    func secrets() async throws {
        let kept = Box<Flow<Page, String>?>(nil)
        let login = ChildFlow<Page>(
            puppet: "login",
            Script(
                start: { kept.value = $0.flow },
                event: { puppet, _, _ in puppet.flow.finish(with: "hunter2") }))
        let navigator = Navigator(children: [login])
        try navigator.perform(.show(["/login/name"]))
        _ = try await navigator.screen()
        let puppet = navigator.coordinators.values.first as? Puppet
        let outlet = try #require(puppet?.outlet)
        navigator.send(.password("hunter2"))
        outlet(.password("hunter2"))
        kept.value?.send(.password("hunter2"))
        kept.value?.finish(with: "hunter2")
        navigator.send(.password("hunter2"))
        navigator.settle()
        #expect(navigator.journal.entries.contains(.event(name: "password", path: "/login/name")))
        #expect(navigator.journal.entries.filter { $0 == .dropped("password") }.count == 3)
        #expect(!"\(navigator.journal)".contains("hunter2"))
    }

    @Test(
        "The name of an event is the name of its case",
        arguments: [
            (Signal.tapped, "tapped"), (.chose(7), "chose"), (.password("tapped"), "password"),
        ])
    func names(event: Signal, name: String) {
        #expect(event.name == name)
    }

    @Test("An event that is not an enumeration has the name of its type")
    func structName() {
        struct Submitted: NavigationEvent { var password = "hunter2" }
        #expect(Submitted().name == "Submitted")
    }

    @Test("The journal keeps only the newest entries", arguments: [(-1, 0), (0, 0), (3, 3)])
    func bounded(capacity: Int, kept: Int) async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")], journalCapacity: capacity)
        try navigator.perform(.show(["/a/1"]))
        for _ in 0..<10 { navigator.send(.tapped) }
        #expect(navigator.journal.entries.count == kept)
        if kept > 0 { #expect(navigator.journal.entries.last == .led(.init("/a/<n>", "tapped", "/a/<n>"))) }
    }

    @Test("A refused move of a coordinator is recorded, with its reason")
    func rejected() async throws {
        let navigator = Navigator<Page>(children: [
            ChildFlow(
                puppet: "a",
                Script(event: {
                    $0.flow.pop(3); _ = ($1, $2)
                }))
        ])
        navigator.onRejection = { _, _ in }
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(navigator.journal.entries.contains(.rejected("pop 3", .rejected(.cannotPop(3, of: 0)))))
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
