import Navigation
import Testing

@Suite("Applying a transition")
struct TransitionTests {
    /// Returns a stack in the notation of the documentation, built by transitions only.
    private func state(_ transitions: Transition<Page>...) throws -> State {
        try transitions.reduce(State()) { try $0.applying($1) }
    }

    @Test(
        "A transition turns a stack into another stack",
        arguments: [
            (State(["/a/1"]), .push("/a/2"), "[/a/1, /a/2*]"),
            (State(["/a/1"]), .present("/a/2"), "[/a/1, (/a/2*]"),
            (State(["/a/1"]), .begin("/b/1"), "[/a/1 | /b/1*]"),
            (State(["/a/1"]), .begin("/b/1", modal: true), "[/a/1 | (/b/1*]"),
            (State(["/a/1"]), .begin("/a/1"), "[/a/1 | /a/1*]"),
            (State(), .begin("/a/1"), "[/a/1*]"),
            (State(["/a/1", "/a/2"]), .replace("/a/3"), "[/a/1, /a/3*]"),
            (State(["/a/1", "/a/2", "/a/3"]), .pop(2), "[/a/1*]"),
            (State(["/a/1", "/b/1", "/b/2"]), .pop(2), "[/a/1*]"),
            (State(["/a/1", "/b/1", "/b/2"]), .popToRoot, "[/a/1*]"),
            (State(["/a/1"]), .popToRoot, "[/a/1*]"),
            (State(), .popToRoot, "[]"),
            (State(["/a/1", "/a/2"]), .show(["/a/1", "/a/3", "/b/1"]), "[/a/1, /a/3 | /b/1*]"),
            (State(["/a/1", "/b/1"]), .show(["/a/1", "/b/1", "/b/2"]), "[/a/1 | /b/1, /b/2*]"),
            (State(["/a/1", "/b/1"]), .show(["/a/1"]), "[/a/1*]"),
            (State(["/a/1", "/b/1"]), .show([]), "[]"),
            (State(), .show(["/a/1", "/b/1", "/a/1"]), "[/a/1 | /b/1 | /a/1*]"),
        ] as [(State, Transition<Page>, String)])
    func becomes(before: State, transition: Transition<Page>, after: String) throws {
        #expect(try before.applying(transition).picture == after)
    }

    @Test(
        "An impossible transition is refused, and the error says why",
        arguments: [
            (
                State(["/a/1"]), .push("/b/1"),
                .belongsToAnotherFlow(route: "/b/1", flow: "b", top: "a")
            ),
            (State(), .push("/a/1"), .belongsToAnotherFlow(route: "/a/1", flow: "a", top: nil)),
            (State(["/a/1"]), .present("/b/1"), .belongsToAnotherFlow(route: "/b/1", flow: "b", top: "a")),
            (State(["/a/1"]), .replace("/b/1"), .belongsToAnotherFlow(route: "/b/1", flow: "b", top: "a")),
            (State(), .begin("/a/1", modal: true), .nothingBeneath(route: "/a/1")),
            (State(["/a/1"]), .pop(1), .cannotPop(1, of: 0)),
            (State(["/a/1", "/a/2"]), .pop(2), .cannotPop(2, of: 1)),
            (State(["/a/1", "/a/2"]), .pop(0), .cannotPop(0, of: 1)),
            (State(["/a/1", "/a/2"]), .pop(-1), .cannotPop(-1, of: 1)),
            (State(["/a/1", "/a/2"]), .pop(.min), .cannotPop(.min, of: 1)),
            (State(), .pop(1), .cannotPop(1, of: 0)),
            (State(["/a/1", "/a/2"]), .dismiss, .nothingToDismiss),
            (
                State(["/a/1"]), .end(State(["/b/1", "/a/1"]).frames[1].flow),
                .noSuchFlow(State(["/b/1", "/a/1"]).frames[1].flow)
            ),
            (
                State(["/a/1"]), .back(State(["/b/1", "/a/1"]).frames[1].id),
                .noSuchFrame(State(["/b/1", "/a/1"]).frames[1].id)
            ),
        ] as [(State, Transition<Page>, TransitionError)])
    func refused(before: State, transition: Transition<Page>, error: TransitionError) {
        #expect(throws: error) { try before.applying(transition) }
        #expect(!error.description.isEmpty)
    }

    @Test("A modal frame is dismissed with all above it, and never popped")
    func modal() throws {
        let modal = try state(.show(["/a/1"]), .present("/a/2"), .push("/a/3"), .begin("/b/1"))
        #expect(modal.picture == "[/a/1, (/a/2, /a/3 | /b/1*]")
        #expect(try modal.applying(.dismiss).picture == "[/a/1*]")
        #expect(try modal.applying(.pop(2)).picture == "[/a/1, (/a/2*]")
        #expect(try modal.applying(.popToRoot).picture == "[/a/1, (/a/2*]")
        #expect(throws: TransitionError.cannotPop(3, of: 2)) { try modal.applying(.pop(3)) }
        #expect(try modal.applying(.begin("/b/9", modal: true)).applying(.dismiss).picture == modal.picture)
    }

    @Test("Replacing a modal frame keeps it modal")
    func replaceModal() throws {
        let modal = try state(.show(["/a/1"]), .present("/a/2"), .replace("/a/3"))
        #expect(modal.picture == "[/a/1, (/a/3*]")
        #expect(try modal.applying(.replace("/a/other")).picture == "[/a/1, (/a/other*]")
    }

    @Test("Ending a flow removes its frames and all above them, whichever of its kind it is")
    func end() throws {
        let twice = State(["/a/1", "/b/1", "/a/1", "/b/1"])
        #expect(try twice.applying(.end(twice.flows[1].id)).picture == "[/a/1*]")
        #expect(try twice.applying(.end(twice.flows[3].id)).picture == "[/a/1 | /b/1 | /a/1*]")
        #expect(try twice.applying(.end(twice.flows[0].id)).picture == "[]")
    }

    @Test("Showing keeps the flows of the frames that stay, and opens new ones above")
    func showKeepsFlows() throws {
        let before = State(["/a/1", "/b/1", "/b/2"])
        let after = try before.applying(.show(["/a/1", "/b/1", "/a/1", "/b/1"]))
        #expect(after.flows.prefix(2) == before.flows.prefix(2))
        #expect(Set(after.flows.map(\.id)).count == 4)
    }

    @Test("A flow's parent is the flow below it")
    func parents() {
        let flows = State(["/a/1", "/a/2", "/b/1", "/a/1"]).flows
        #expect(flows.map(\.kind) == ["a", "b", "a"])
        #expect(flows.map(\.parent) == [nil, flows[0].id, flows[1].id])
    }

    @Test("A move is printed by its name and its routes")
    func written() {
        let frame = State(["/a/1", "/a/2"]).frames[1]
        let moves: [(Transition<Page>, String)] = [
            (.push("/a/1"), "push /a/1"), (.present("/a/1"), "present /a/1"), (.begin("/a/1"), "begin /a/1"),
            (.begin("/a/1", modal: true), "begin /a/1 modally"), (.replace("/a/1"), "replace by /a/1"),
            (.pop(2), "pop 2"), (.popToRoot, "pop to root"), (.dismiss, "dismiss"), (.back(frame.id), "back to @2"),
            (.show(["/a/1", "/b/1"]), "show [/a/1 | /b/1*]"), (.end(frame.flow), "end #1"),
        ]
        for (move, text) in moves { #expect(move.description == text) }
    }
}
