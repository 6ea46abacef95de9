import Navigation
import Testing

/// A gate with three sections.
func sectionGate(
    _ subject: String? = nil, backAtRoot: BackAtRoot = .leave,
    judge: @escaping @Sendable (Page) -> Gate<Page>.Verdict = { _ in .admitted }
) -> Gate<Page> {
    Gate(
        subject: subject,
        sections: [.init("one", home: ["/a/1"]), .init("two", home: ["/b/1"]), .init("three", home: ["/c/1"])],
        backAtRoot: backAtRoot, judge: judge)
}

extension NavigationState<Page> {
    /// The judged state after several transitions, each judged by a gate.
    func after(_ transitions: Transition<Page>..., judgedBy gate: Gate<Page> = sectionGate()) throws -> State {
        try transitions.reduce(gate.judging(self)) { gate.judging(try $0.applying($1)) }
    }
}

@Suite("Sections of a state")
struct SectionTests {
    @Test("The first section is selected first, and shows its home; the others are empty")
    func first() throws {
        let state = try State().after()
        #expect(state.section == "one")
        #expect(state.sections.map(\.id) == ["one", "two", "three"])
        #expect(state.sectionsPicture == "one [/a/1*], two [], three []")
    }

    @Test("A section that is selected for the first time shows its home, and the one that was left stays as it is")
    func select() throws {
        let before = try State().after(.push("/a/2"))
        let after = try before.after(.select("two"))
        #expect(after.sectionsPicture == "one [/a/1, /a/2], two [/b/1*], three []")
        #expect(after.frames(in: "one") == before.frames)
    }

    @Test("A section to which the user comes back is unchanged, with the identities of its frames and flows")
    func back() throws {
        let before = try State().after(.push("/a/2"), .begin("/b/7"))
        let after = try before.after(.select("two"), .push("/b/2"), .select("three"), .select("one"))
        #expect(after.frames == before.frames)
        #expect(after.sectionsPicture == "one [/a/1, /a/2 | /b/7*], two [/b/1, /b/2], three [/c/1]")
    }

    @Test("Selecting the selected section changes nothing")
    func idempotent() throws {
        let state = try State().after(.select("two"), .push("/b/2"))
        #expect(try state.applying(.select("two")) == state)
    }

    @Test("Each section has its own flows, and the lowest flow of a section has no parent")
    func flows() throws {
        let state = try State().after(.begin("/b/1"), .select("two"), .begin("/c/1"))
        #expect(state.flows.map(\.kind) == ["a", "b", "b", "c"])
        let ids = state.flows.map(\.id)
        #expect(state.flows.map(\.parent) == [nil, ids[0], nil, ids[2]])
        #expect(Set(ids).count == 4)
    }

    @Test("A target in a section selects the section, replaces its stack, and leaves the other sections alone")
    func link() throws {
        let before = try State().after(.push("/a/2"), .select("two"), .push("/b/2"), .select("one"))
        let after = try before.after(.show(Target(["/b/1", "/b/9"]).in("two")))
        #expect(after.sectionsPicture == "one [/a/1, /a/2], two [/b/1, /b/9*], three []")
        #expect(after.frames.first == before.frames(in: "two").first)
        #expect(
            try before.after(.show(Target<Page>().in("two"))).sectionsPicture
                == "one [/a/1, /a/2], two [/b/1*], three []")
    }

    @Test("A target without a section is shown in the selected section")
    func linkHere() throws {
        let state = try State().after(.select("two"), .show(["/c/1", "/c/2"]))
        #expect(state.sectionsPicture == "one [/a/1], two [/c/1, /c/2*], three []")
    }

    @Test("Modal frames are above all sections, and sections cannot change beneath them")
    func modal() throws {
        let state = try State().after(.select("two"), .select("one"), .begin("/c/9", modal: true), .push("/c/8"))
        #expect(state.sectionsPicture == "one [/a/1], two [/b/1], three [], [(/c/9, /c/8*]")
        #expect(state.frames(in: "one").map(\.route) == ["/a/1"])
        let frame = state.frames[0].id
        for move: Transition<Page> in [.select("two"), .select("one"), .selectPrevious, .move(frame, to: "two")] {
            #expect(throws: TransitionError.modalOnTop(path: "/c/9")) { try state.applying(move) }
        }
    }

    @Test("A link to another section removes the modal frames")
    func linkFromModal() throws {
        let state = try State().after(.begin("/c/9", modal: true), .show(Target(["/b/1"]).in("two")))
        #expect(state.sectionsPicture == "one [/a/1], two [/b/1*], three []")
    }

    @Test("The section that was selected before is selected again, each once")
    func previous() throws {
        let state = try State().after(.select("two"), .select("three"), .select("two"), .select("one"), .select("two"))
        let one = try state.applying(.selectPrevious)
        #expect(one.section == "one")
        let three = try one.applying(.selectPrevious)
        #expect(three.section == "three")
        #expect(throws: TransitionError.noPreviousSection) { try three.applying(.selectPrevious) }
    }

    @Test("A section that is not declared is refused, and the error names it")
    func undeclared() throws {
        let state = try State().after()
        let moves: [Transition<Page>] = [
            .select("four"), .show(Target(["/a/1"]).in("four")), .move(state.frames[0].id, to: "four"),
        ]
        for move in moves {
            #expect(throws: TransitionError.noSuchSection("four")) { try state.applying(move) }
        }
        for move in [moves[0], moves[2]] {
            #expect(throws: TransitionError.noSuchSection("one")) {
                try State(["/a/1"]).applying(move.in("one", instead: "four"))
            }
        }
        for error: TransitionError in [.noSuchSection("four"), .noPreviousSection, .modalOnTop(path: "/a/1")] {
            #expect(!error.description.isEmpty)
        }
    }

    @Test("A whole flow moves to another section with its identity, and so does each frame above")
    func moveFlow() throws {
        let before = try State().after(.begin("/b/7"), .begin("/c/7"), .push("/c/8"))
        let after = try before.after(.move(before.frames[1].id, to: "three"))
        #expect(after.sectionsPicture == "one [/a/1*], two [], three [/c/1 | /b/7 | /c/7, /c/8]")
        #expect(after.frames(in: "three").suffix(3) == before.frames.suffix(3))
    }

    @Test("A part of a flow joins the flow on top of the other section, or begins a flow")
    func movePart() throws {
        let before = try State().after(.push("/a/2"), .push("/a/3"))
        let begun = try before.after(.move(before.frames[2].id, to: "two"))
        #expect(begun.sectionsPicture == "one [/a/1, /a/2*], two [/b/1 | /a/3], three []")
        #expect(begun.frames(in: "two").last?.id == before.frames[2].id)
        let joined = try begun.after(.move(before.frames[1].id, to: "two"))
        #expect(joined.sectionsPicture == "one [/a/1*], two [/b/1 | /a/3, /a/2], three []")
        #expect(Set(joined.flows.map(\.id)).count == 3)
    }

    @Test("A frame can move to the selected section, and a section that it leaves empty shows its home when selected")
    func moveHere() throws {
        let before = try State().after(.select("two"), .select("one"))
        let after = try before.after(.move(before.frames(in: "two")[0].id, to: "one"))
        #expect(after.sectionsPicture == "one [/a/1 | /b/1*], two [], three []")
        #expect(try after.after(.select("two")).sectionsPicture == "one [/a/1 | /b/1], two [/b/1*], three []")
        let alone = try before.after(.move(before.frames[0].id, to: "two"))
        #expect(alone.sectionsPicture == "one [/a/1*], two [/b/1 | /a/1], three []")
        #expect(alone.frames[0].id != before.frames[0].id)
    }

    @Test("Moving a frame to its own section changes nothing, and an unknown frame is refused")
    func moveNowhere() throws {
        let state = try State().after(.push("/a/2"))
        #expect(try state.applying(.move(state.frames[0].id, to: "one")) == state)
        let gone = try state.after(.push("/a/3")).frames[2].id
        #expect(throws: TransitionError.noSuchFrame(gone)) { try state.applying(.move(gone, to: "two")) }
    }

    @Test("A flow ends in its section, whichever is selected")
    func endBehind() throws {
        let before = try State().after(.begin("/b/7"), .push("/b/8"), .select("two"))
        let flow = before.frames(in: "one")[1].flow
        #expect(try before.after(.end(flow)).sectionsPicture == "one [/a/1], two [/b/1*], three []")
    }

    @Test("A state without sections is one stack, as a target and as a text")
    func without() throws {
        let state = State(["/a/1"])
        #expect(state.section == nil)
        #expect(state.sections == [])
        #expect(state.target.section == nil)
        #expect(state.description == "[/a/1*]")
    }

    @Test("A state with sections is written with the name of the selected one, and its target brings back all stacks")
    func target() throws {
        let state = try State().after(.push("/a/2"), .select("two"))
        #expect(state.description == "two [/b/1*]")
        let again = try State().after(.show(state.target))
        #expect(again.sectionsPicture == state.sectionsPicture)
    }

    @Test("A move between sections is printed by its names")
    func written() throws {
        let frame = State(["/a/1", "/a/2"]).frames[1].id
        #expect(Transition<Page>.select("two").description == "select two")
        #expect(Transition<Page>.selectPrevious.description == "select the previous section")
        #expect(Transition<Page>.move(frame, to: "two").description == "move @2 to two")
        #expect(Transition<Page>.show(Target(["/a/1"]).in("two")).description == "show two [/a/1*]")
    }
}

extension Transition<Page> {
    /// The same move with another section.
    fileprivate func `in`(_ section: SectionID, instead: SectionID) -> Self {
        switch self {
        case .select: .select(section)
        case .move(let frame, _): .move(frame, to: section)
        case .show(let target): .show(target.in(section))
        default: self
        }
    }
}
