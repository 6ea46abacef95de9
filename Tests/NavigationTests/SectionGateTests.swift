import Navigation
import Testing

@Suite("A gate checks all sections")
struct SectionGateTests {
    /// Everything needs a login, except the pages of flow `c`.
    private func gate(_ subject: String?, sections: Bool = true) -> Gate<Page> {
        var gate = sectionGate(subject) { page in
            if page.flow == "c" { return .admitted }
            return (subject == nil) == (page.flow == "login") ? .admitted : .barred(entrance: ["/login/name"])
        }
        if !sections { (gate.sections, gate.home) = ([], ["/c/9"]) }
        return gate
    }

    private func adas(_ transitions: Transition<Page>...) throws -> State {
        let gate = gate("ada")
        return try transitions.reduce(gate.judging(State())) { gate.judging(try $0.applying($1)) }
    }

    @Test("A frame that is not admitted any more leaves its section, with those above it")
    func behind() throws {
        let before = try State().after(.push("/a/2"), .push("/a/3"), .select("two"))
        let gate = sectionGate { $0 == "/a/2" ? .barred(entrance: ["/login/name"]) : .admitted }
        let after = gate.judging(before)
        #expect(after.sectionsPicture == "one [/a/1], two [/b/1*], three []")
        #expect(after.deferred == nil)
    }

    @Test("If the session expires, all sections wait behind one entrance, and come back for the same user")
    func expired() throws {
        let before = try adas(.push("/a/2"), .select("two"), .push("/b/2"))
        let expired = gate(nil).judging(before)
        #expect(expired.sectionsPicture == "one [], two [/login/name*], three []")
        #expect(expired.deferred?.target.section == "two")
        #expect(gate("ada").judging(expired).sectionsPicture == before.sectionsPicture)
        #expect(gate("bob").judging(expired).sectionsPicture == "one [], two [/b/1*], three []")
    }

    @Test("Sections come back also if the login has no sections")
    func expiredWithoutSections() throws {
        let before = try adas(.push("/a/2"), .select("three"), .select("two"), .push("/b/2"))
        let expired = gate(nil, sections: false).judging(before)
        #expect(expired.section == nil)
        #expect(expired.picture == "[/login/name*]")
        #expect(gate("ada").judging(expired).sectionsPicture == before.sectionsPicture)
    }

    @Test("A log-out clears each section, also of places that everybody may see")
    func logOut() throws {
        let before = try adas(.push("/a/2"), .select("three"), .push("/c/2"), .select("two"))
        let out = gate(nil).judging(try before.applying(.show(["/login/name"])))
        #expect(out.sectionsPicture == "one [], two [/login/name*], three []")
        #expect(out.deferred == nil)
        #expect(gate("ada").judging(out).sectionsPicture == "one [], two [/b/1*], three []")
    }

    @Test("Another user finds no section of the first")
    func otherUser() throws {
        let before = try adas(.push("/a/2"), .select("three"), .push("/c/2"), .select("two"))
        #expect(gate("bob").judging(before).sectionsPicture == "one [/a/1*], two [], three []")
    }

    @Test("A deferred target remembers its section")
    func deferred() throws {
        let here = gate(nil).judging(State())
        let waiting = gate(nil).judging(try here.applying(.show(Target(["/b/1", "/b/2"]).in("two"))))
        #expect(waiting.section == "two")
        #expect(waiting.deferred?.target.section == "two")
        #expect(gate("ada").judging(waiting).sectionsPicture == "one [], two [/b/1, /b/2*], three []")
    }

    @Test("A target remembers its section also if there are no sections before the log-in")
    func deferredWithoutSections() throws {
        let signedOut = gate(nil, sections: false)
        let target = Target<Page>(["/b/1", "/b/2"]).in("two")
        let waiting = signedOut.judging(try signedOut.judging(State(["/login/name"])).applying(.show(target)))
        #expect(waiting.section == nil && waiting.picture == "[/login/name*]")
        #expect(gate("ada").judging(waiting).sectionsPicture == "one [], two [/b/1, /b/2*], three []")
    }

    @Test("Without sections, an admitted target of a section is a stack as any other")
    func admittedWithoutSections() throws {
        let signedOut = gate(nil, sections: false)
        let shown = signedOut.judging(try State(["/c/9"]).applying(.show(Target(["/c/1", "/c/2"]).in("three"))))
        #expect(shown.section == nil && shown.deferred == nil && shown.picture == "[/c/1, /c/2*]")
    }

    @Test("The section of a target that waits for another user is not selected")
    func deferredForAnother() throws {
        let before = try adas(.push("/a/2"), .select("two"), .push("/b/2"))
        let expired = gate(nil, sections: false).judging(before)
        #expect(expired.deferred?.target.section == "two")
        #expect(gate("bob").judging(expired).sectionsPicture == "one [/a/1*], two [], three []")
    }

    @Test("The section of a target that stays barred after the log-in is not selected")
    func barredForever() throws {
        let signedOut = gate(nil, sections: false)
        let waiting = signedOut.judging(try State().applying(.show(Target<Page>(["/b/1", "/b/2"]).in("two"))))
        #expect(waiting.deferred?.target.section == "two")
        var signedIn = gate("ada")
        signedIn.judge = { $0 == "/b/2" || $0.flow == "login" ? .barred(entrance: []) : .admitted }
        #expect(signedIn.judging(waiting).sectionsPicture == "one [/a/1*], two [], three []")
    }

    @Test("A target waits in its section while another is selected, and is put there without selecting it")
    func deferredBehind() throws {
        let here = gate(nil).judging(State())
        let waiting = gate(nil).judging(try here.applying(.show(Target(["/b/1", "/b/2"]).in("two"))))
        let away = gate(nil).judging(try waiting.applying(.select("three")))
        #expect(away.sectionsPicture == "one [/login/name], two [/login/name], three [/c/1*]")
        #expect(away.deferred == waiting.deferred)
        #expect(gate("ada").judging(away).sectionsPicture == "one [], two [/b/1, /b/2], three [/c/1*]")
    }

    @Test("Targets of two sections wait behind one entrance, and both come back")
    func twoTargets() throws {
        let first = gate(nil).judging(
            try gate(nil).judging(State()).applying(.show(Target(["/b/1", "/b/2"]).in("two"))))
        let second = gate(nil).judging(try first.applying(.show(Target(["/c/1", "/a/7"]).in("three"))))
        #expect(second.sectionsPicture == "one [/login/name], two [], three [/c/1 | /login/name*]")
        #expect(gate("ada").judging(second).sectionsPicture == "one [], two [/b/1, /b/2], three [/c/1 | /a/7*]")
    }

    @Test("A section that is not declared any more is removed, and the first is selected if it was shown")
    func removed() throws {
        let before = try State().after(.push("/a/2"), .select("two"), .select("three"), .begin("/b/9", modal: true))
        var gate = sectionGate()
        gate.sections.removeLast(2)
        let after = gate.judging(before)
        #expect(after.sectionsPicture == "one [/a/1, /a/2*]")
        #expect(throws: TransitionError.noPreviousSection) { try after.applying(.selectPrevious) }
    }

    @Test("A target of a section that is not declared any more is not shown")
    func removedTarget() throws {
        let waiting = gate(nil).judging(try gate(nil).judging(State()).applying(.show(Target(["/b/1"]).in("two"))))
        var gate = gate("ada")
        gate.sections.remove(at: 1)
        #expect(gate.judging(waiting).sectionsPicture == "one [/a/1*], three []")
    }

    @Test("A state without sections becomes the first section, and keeps its frames")
    func joined() throws {
        let state = State(["/a/1", "/a/2"])
        let after = sectionGate().judging(state)
        #expect(after.sectionsPicture == "one [/a/1, /a/2*], two [], three []")
        #expect(after.frames == state.frames)
    }

    @Test("Without sections, the selected stack stays")
    func separated() throws {
        let before = try State().after(.select("two"), .push("/b/2"))
        let after = Gate<Page>().judging(before)
        #expect(after.picture == "[/b/1, /b/2*]")
        #expect(after.flows.map(\.kind) == ["b"])
    }

    @Test("A section whose home is not admitted shows the entrance when it is selected")
    func barredHome() throws {
        let state = gate(nil).judging(try gate(nil).judging(State()).applying(.select("two")))
        #expect(state.sectionsPicture == "one [/login/name], two [/login/name*], three []")
        #expect(gate("ada").judging(state).sectionsPicture == "one [], two [/b/1*], three []")
    }
}

@Suite("A saved state with sections")
struct SavedSectionTests {
    @Test("A saved state has the selected section, its stack, the other stacks, and the history")
    func format() throws {
        let state = try State().after(.push("/a/2"), .select("two"))
        #expect(
            try encoded(state) == #"{"flows":[{"paths":["/b/1"]}],"history":["one"],"pathVersion":2,"section":"two","#
                + #""sections":[{"flows":[{"paths":["/a/1","/a/2"]}],"name":"one"}],"version":2}"#)
    }

    @Test("A saved state restores all sections, the history, and the modal frames")
    func roundTrip() throws {
        let state = try State().after(
            .push("/a/2"), .select("three"), .begin("/b/5"), .select("two"), .begin("/c/9", modal: true))
        let read = sectionGate().judging(try decoded(try encoded(state)))
        #expect(read.sectionsPicture == state.sectionsPicture)
        #expect(try read.after(.dismiss, .selectPrevious, .selectPrevious).section == "one")
        #expect(try encoded(read) == encoded(state))
    }

    @Test("A saved target waits in its section, also behind an entrance in another")
    func deferred() throws {
        let gate = sectionGate { page in
            ["login", "c"].contains(page.flow) ? .admitted : .barred(entrance: ["/login/name"])
        }
        let waiting = try State().after(
            .show(Target(["/b/1", "/b/2"]).in("two")), .select("three"), judgedBy: gate)
        let read = try decoded(try encoded(waiting))
        #expect(read.deferred?.target == waiting.deferred?.target)
        #expect(try encoded(read) == encoded(waiting))
        #expect(
            sectionGate().judging(try read.applying(.end(try #require(read.deferred?.entrance)))).sectionsPicture
                == "one [/login/name], two [/b/1, /b/2], three [/c/1*]")
    }

    @Test("In each section, a path that is not valid is left out with those above it")
    func invalid() throws {
        let json = #"""
            {"version":2,"pathVersion":2,"section":"two","flows":[{"paths":["/b/1","gone","/b/2"]}],
            "sections":[{"name":"one","flows":[{"paths":["/a/1","/a/2"]},{"paths":["gone"]},{"paths":["/c/1"]}]},
            {"name":"three","flows":[{"paths":["gone"]}]}]}
            """#
        #expect(sectionGate().judging(try decoded(json)).sectionsPicture == "one [/a/1, /a/2], two [/b/1*], three []")
    }

    @Test("A section that is not declared is left out")
    func undeclared() throws {
        let json = #"""
            {"version":2,"pathVersion":2,"section":"nine","flows":[{"paths":["/b/1"]}],"history":["eight"],
            "sections":[{"name":"eight","flows":[{"paths":["/a/1"]}]},{"name":"two","flows":[{"paths":["/b/7"]}]}]}
            """#
        #expect(sectionGate().judging(try decoded(json)).sectionsPicture == "one [/a/1*], two [/b/7], three []")
    }

    @Test(
        "A broken state is refused, and the error says where",
        arguments: [
            (#"{"version":2,"flows":[],"sections":[]}"#, "no section"),
            (#"{"version":2,"flows":[],"section":"one","sections":[{"name":"one","flows":[]}]}"#, "one"),
            (
                #"{"version":2,"flows":[],"section":"one","sections":[{"name":"two","flows":[]},{"name":"two","flows":[]}]}"#,
                "two"
            ),
            (
                #"{"version":2,"flows":[],"section":"one","sections":[{"name":"two","flows":[{"paths":["/a/1","/a/2"],"modal":[1]}]}]}"#,
                "modal"
            ),
            (
                #"{"version":2,"flows":[{"paths":["/a/1"]}],"section":"one","deferred":{"flows":[{"paths":["/a/1"]}],"entrance":0,"entranceSection":"two"}}"#,
                "position 0"
            ),
        ])
    func broken(json: String, says: String) throws {
        let error = #expect(throws: DecodingError.self) { try decoded(json) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains(says), "\(context.debugDescription)")
    }
}
