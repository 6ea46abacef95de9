import Navigation
import Testing

@Suite("An outlet is bound to the frame it was made for")
struct OutletTests {
    private let heard = Box<[String]>([])

    private func navigator(_ act: @escaping (Flow<Page, String>, Signal) -> Void = { _, _ in }) async throws
        -> Navigator<Page>
    {
        let script = Script(event: { [heard] puppet, event, page in
            heard.value.append("\(event) on \(page)")
            act(puppet.flow, event)
        })
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", script), ChildFlow(puppet: "b", script),
        ])
        try await navigator.perform(.show(["/a/list"]))
        return navigator
    }

    /// The outlet of the screen on top.
    private func outlet(of navigator: Navigator<Page>) async throws -> Outlet<Signal> {
        _ = try await navigator.screen()
        let top = try #require(navigator.state.top)
        return try #require((navigator.coordinators[top.flow] as? Puppet)?.outlet)
    }

    @Test("A second tap on a row that leads on already is dropped, and journaled")
    func doubleTap() async throws {
        let navigator = try await navigator { flow, _ in flow.push("/a/7") }
        let row = try await outlet(of: navigator)
        row(.tapped)
        row(.tapped)
        await navigator.settle()
        #expect(navigator.state.picture == "[/a/list, /a/7*]")
        #expect(heard.value == ["tapped on /a/list"])
        #expect(navigator.journal.entries.contains(.dropped("tapped")))
    }

    @Test("What a covered screen reports is dropped, whatever covers it, and heard again when nothing does")
    func covered() async throws {
        let navigator = try await navigator()
        let row = try await outlet(of: navigator)
        for cover: Transition<Page> in [.push("/a/7"), .present("/a/7"), .begin("/b/1"), .begin("/a/list")] {
            try await navigator.perform(cover)
            row(.tapped)
            await navigator.settle()
            #expect(heard.value == [])
            await navigator.back()
        }
        row(.tapped)
        await navigator.settle()
        #expect(heard.value == ["tapped on /a/list"])
    }

    @Test("A screen that shows another place is the same; another screen in its place is not")
    func replaced() async throws {
        let navigator = try await navigator()
        try await navigator.perform(.push("/a/7"))
        let article = try await outlet(of: navigator)
        try await navigator.perform(.replace("/a/8"))
        article(.tapped)
        await navigator.settle()
        #expect(heard.value == ["tapped on /a/8"])
        try await navigator.perform(.replace("/a/other"))
        article(.tapped)
        await navigator.settle()
        #expect(heard.value.count == 1)
    }

    @Test("A screen that came back is another screen, at the same place too")
    func goneAndBack() async throws {
        let navigator = try await navigator()
        try await navigator.perform(.push("/a/7"))
        let article = try await outlet(of: navigator)
        await navigator.back()
        try await navigator.perform(.push("/a/7"))
        article(.tapped)
        await navigator.settle()
        #expect(heard.value == [])
    }

    @Test("Each frame of a user interface that shows several has its own")
    func beneath() async throws {
        let navigator = try await navigator()
        try await navigator.perform(.push("/a/7"))
        let list = navigator.state.frames[0]
        #expect(try await navigator.screen(of: list.id) == "screen of /a/list")
        let row = try #require((navigator.coordinators[list.flow] as? Puppet)?.outlet)
        await navigator.back()
        #expect(try await navigator.screen(of: navigator.state.frames[0].id) == "screen of /a/list")
        row(.tapped)
        await navigator.settle()
        #expect(heard.value == ["tapped on /a/list"])
        try await navigator.perform(.show(["/b/1"]))
        #expect(try await navigator.screen(of: list.id) == nil)
    }

    @Test("An event is sent to the screen that it happened on, or dropped")
    func sentFrom() async throws {
        let navigator = try await navigator()
        let list = try #require(navigator.state.top)
        try await navigator.perform(.push("/a/7"))
        await navigator.send(.tapped, from: list.id)
        #expect(heard.value == [])
        await navigator.back()
        await navigator.send(.tapped, from: list.id)
        #expect(heard.value == ["tapped on /a/list"])
    }

    @Test("It may be used from anywhere: the owner is told that something waits, and what came is handled in order")
    func anyTask() async throws {
        let navigator = try await navigator()
        let log = Log()
        navigator.onPending = { log.append("pending") }
        let row = try await outlet(of: navigator)
        await Task.detached {
            row(.chose(1))
            row(.chose(2))
        }.value
        #expect(log.lines == ["pending", "pending"])
        #expect(heard.value == [])
        await navigator.send(.tapped)
        #expect(heard.value == ["chose(1) on /a/list", "chose(2) on /a/list", "tapped on /a/list"])
    }
}
