import Navigation
import Testing

@Suite("Going back")
struct BackTests {
    private let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])

    @Test("Going back to a screen, past modals and flows, is one move and one change")
    func backTo() async throws {
        try navigator.perform(.show(["/a/1", "/a/2"]), .present("/a/3"), .begin("/a/4"))
        let changes = Box(0)
        navigator.onChange = { _ in changes.value += 1 }
        #expect(navigator.back(to: navigator.state.frames[0].id))
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(changes.value == 1)
        #expect(navigator.back(to: navigator.state.frames[0].id) == false)
        #expect(navigator.journal.entries.contains(.event(name: "back", path: "/a/4")))
    }

    @Test("Going back from a modal screen dismisses it, and from one above it leads to it")
    func backFromModal() async throws {
        try navigator.perform(.show(["/a/1"]), .present("/a/2"), .push("/a/3"))
        #expect(navigator.back())
        #expect(navigator.state.picture == "[/a/1, (/a/2*]")
        #expect(navigator.back())
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
