import Navigation
import TestSupport
import Testing

/// The guarantees for a user interface that moves during a handler.
@Suite("A move made while a turn runs")
@MainActor
struct WaitingTests {
    private let latch = Latch()
    private let entered = Latch()

    private func navigator() -> Navigator<Page> {
        Navigator(children: [
            ChildFlow(
                puppet: "a",
                Script(event: { [latch, entered] puppet, event, _ in
                    guard event == .tapped else { return }
                    entered.open()
                    await latch.wait()
                    puppet.flow.push("/a/9")
                }))
        ])
    }

    @Test("A move during a turn is executed after it, and then its call returns")
    func done() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/a/2"]))
        let turn = Task { await navigator.send(.tapped) }
        await entered.wait()
        let back = Task { await navigator.back() }
        let push = Task { try await navigator.perform(.push("/a/3")) }
        latch.open()
        await turn.value
        #expect(await back.value)
        try await push.value
        #expect(navigator.state.picture == "[/a/1, /a/2, /a/3*]", "the push of the handler, back, the push that waited")
    }

    @Test("A move during a turn returns whether it was possible at its time")
    func impossible() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/a/2"]))
        let frames = navigator.state.frames
        let turn = Task { await navigator.send(.tapped) }
        await entered.wait()
        let toLowest = Task { await navigator.back(to: frames[0].id) }
        let toSecond = Task { await navigator.back(to: frames[1].id) }
        let once = Task { await navigator.back() }
        let wrong = Task { try await navigator.perform(.dismiss) }
        latch.open()
        await turn.value
        #expect(await toLowest.value)
        #expect(await toSecond.value == false)
        #expect(await once.value == false)
        await #expect(throws: NavigationError.rejected(.nothingToDismiss)) { try await wrong.value }
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("Going back to a screen, past modals and flows, is one move and one change")
    func backTo() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/a/2"]), .present("/a/3"), .begin("/a/4"))
        let changes = Box(0)
        navigator.onChange = { _ in changes.value += 1 }
        #expect(await navigator.back(to: navigator.state.frames[0].id))
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(changes.value == 1)
        #expect(await navigator.back(to: navigator.state.frames[0].id) == false)
        #expect(navigator.journal.entries.contains(.event(name: "back", path: "/a/4")))
    }

    @Test("Going back from a modal screen dismisses it, and from one above it leads to it")
    func backFromModal() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1"]), .present("/a/2"), .push("/a/3"))
        #expect(await navigator.back())
        #expect(navigator.state.picture == "[/a/1, (/a/2*]")
        #expect(await navigator.back())
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
