import Navigation
import Testing

@Suite("The journal")
struct JournalTests {
    @Test("tells what happened, in order")
    func order() async throws {
        let list = ChildFlow<Page>(puppet: "list", Script(event: { puppet, _, _ in puppet.flow.begin("/detail/1") }))
        let detail = ChildFlow<Page>(puppet: "detail", Script(start: { $0.flow.finish(with: "seen") }))
        let navigator = Navigator(children: [list, detail])
        try await navigator.perform(.show(["/list/1"]))
        await navigator.send(.tapped)
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

    @Test("names the case of an event and never what it carries")
    func secrets() async throws {
        let kept = Box<Flow<Page, String>?>(nil)
        let login = ChildFlow<Page>(
            puppet: "login",
            Script(
                start: { kept.value = $0.flow },
                event: { puppet, _, _ in puppet.flow.finish(with: "hunter2") }))
        let navigator = Navigator(children: [login])
        try await navigator.perform(.show(["/login/name"]))
        await navigator.send(.password("hunter2"))
        kept.value?.outlet(.password("hunter2"))
        kept.value?.send(.password("hunter2"))
        kept.value?.finish(with: "hunter2")
        await navigator.send(.password("hunter2"))
        await navigator.settle()
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

    @Test("An event that is no enumeration goes by its type")
    func structName() {
        struct Submitted: NavigationEvent { var password = "hunter2" }
        #expect(Submitted().name == "Submitted")
    }

    @Test("keeps the newest entries only", arguments: [(-1, 0), (0, 0), (3, 3)])
    func bounded(capacity: Int, kept: Int) async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")], journalCapacity: capacity)
        try await navigator.perform(.show(["/a/1"]))
        for _ in 0..<10 { await navigator.send(.tapped) }
        #expect(navigator.journal.entries.count == kept)
        if kept > 0 { #expect(navigator.journal.entries.last == .led(.init("/a/<n>", "tapped", "/a/<n>"))) }
    }

    @Test("A move that a coordinator had refused is there, with its reason")
    func rejected() async throws {
        let navigator = Navigator<Page>(children: [
            ChildFlow(
                puppet: "a",
                Script(event: {
                    $0.flow.pop(3); _ = ($1, $2)
                }))
        ])
        try await navigator.perform(.show(["/a/1"]))
        await navigator.send(.tapped)
        #expect(navigator.journal.entries.contains(.rejected("pop 3", .rejected(.cannotPop(3, of: 0)))))
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
