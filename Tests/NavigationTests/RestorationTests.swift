import Navigation
import Testing

@Suite("A saved state")
struct RestorationTests {
    @Test("A saved state is only a list of paths for each flow")
    func format() throws {
        let state = try State(["/a/1", "/a/2"]).applying(.begin("/b/1", modal: true)).applying(.present("/b/2"))
        #expect(
            try encoded(state)
                == #"{"flows":[{"paths":["/a/1","/a/2"]},{"modal":[0,1],"paths":["/b/1","/b/2"]}],"pathVersion":2,"version":2}"#
        )
    }

    @Test("A saved state restores its flows, its modals, its owner, and its waiting target")
    func roundTrip() throws {
        let twice = try State(["/a/1", "/a/2"]).applying(.begin("/a/1", modal: true)).applying(.begin("/a/1"))
        #expect(try decoded(try encoded(twice)).picture == "[/a/1, /a/2 | (/a/1 | /a/1*]")

        let gate = Gate<Page>(subject: "ada", entrance: ["/login/welcome", "/login/name"]) { $0.flow == "login" }
        let waiting = try gate.judging(State(["/list/all", "/list/42"])).applying(.begin("/login/1"))
        let again = try decoded(try encoded(waiting))
        #expect(try encoded(again) == encoded(waiting))
        #expect(again.picture == waiting.picture)
        #expect(again.subject == "ada")
        #expect(again.deferred?.target.routes == ["/list/all", "/list/42"])
        #expect(again.deferred?.entrance == again.flows.first?.id)
        #expect(again.deferred?.needed == "/login/name")
    }

    @Test(
        "A broken state is refused, and the error says where",
        arguments: [
            (#"{"version":0,"flows":[]}"#, "Version 0"),
            (#"{"version":3,"flows":[]}"#, "Version 3"),
            (#"{"version":2,"pathVersion":3,"flows":[]}"#, "version 3"),
            (#"{"version":1,"flows":[{"paths":["/a/1"],"modal":[0]}]}"#, "[0]"),
            (#"{"version":1,"flows":[{"paths":["/a/1"]},{"paths":["/a/1"],"modal":[-1]}]}"#, "[-1]"),
            (#"{"version":1,"flows":[{"paths":["/a/1"]},{"paths":["/a/1"],"modal":[1]}]}"#, "[1]"),
            (#"{"version":1,"flows":[],"deferred":{"paths":["/a/1"],"entrance":0}}"#, "position 0"),
            (#"{"version":1,"flows":[{"paths":["/a/1"]}],"deferred":{"paths":["/a/1"],"entrance":-1}}"#, "position -1"),
        ])
    func broken(json: String, says: String) throws {
        let error = #expect(throws: DecodingError.self) { try decoded(json) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains(says))
    }

    @Test(
        "A state without a required field is refused",
        arguments: ["{}", #"{"version":1}"#, #"{"flows":[]}"#, "[]", "null"])
    func incomplete(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json) }
    }

    @Test(
        "A path that is not understood any more is left out, and the screen below is shown",
        arguments: [
            (#"[{"paths":["/a/1","/a/2","gone"]}]"#, "[/a/1, /a/2*]"),
            (#"[{"paths":["/a/1","gone","/a/3"]},{"paths":["/b/1"]}]"#, "[/a/1*]"),
            (#"[{"paths":["/a/1"]},{"paths":["gone"]},{"paths":["/c/1"]}]"#, "[/a/1*]"),
            (#"[{"paths":["/a/1","/b/2"]},{"paths":["/c/1"]}]"#, "[/a/1*]"),
            (#"[{"paths":["gone"]}]"#, "[]"),
            (#"[{"paths":[]}]"#, "[]"),
        ])
    func unknownPaths(flows: String, picture: String) throws {
        #expect(try decoded(#"{"version":2,"pathVersion":2,"flows":\#(flows)}"#).picture == picture)
    }

    @Test("A waiting target keeps its readable part, or is dropped")
    func unknownTarget() throws {
        func waiting(_ paths: String) throws -> [Page]? {
            try decoded(
                #"{"version":2,"pathVersion":2,"flows":[{"paths":["/login/name"]}],"#
                    + #""deferred":{"flows":[{"paths":\#(paths)}],"entrance":0,"needed":"/login/name"}}"#
            ).deferred?.target.routes
        }
        #expect(try waiting(#"["/a/1","gone"]"#) == ["/a/1"])
        #expect(try waiting(#"["gone","/a/1"]"#) == nil)
    }

    @Test("If its entrance cannot be read any more, a waiting target is requested again")
    func unknownEntrance() throws {
        let state = try decoded(
            #"{"version":2,"pathVersion":2,"flows":[{"paths":["gone"]}],"#
                + #""deferred":{"flows":[{"paths":["/list/42"]}],"subject":"ada","entrance":0,"needed":"gone"}}"#)
        #expect(state.picture == "[/list/42*]")
        #expect(state.subject == "ada")
    }

    @Test("A state with an earlier version of the paths is read as they are written now")
    func migrated() throws {
        let state = try decoded(#"{"version":2,"pathVersion":1,"flows":[{"paths":["/old/1","/a/2"]}]}"#)
        #expect(state.picture == "[/a/1, /a/2*]")
        #expect(
            try decoded(#"{"version":2,"pathVersion":1,"flows":[{"paths":["/a/1","/dropped/1"]}]}"#).picture
                == "[/a/1*]")
        #expect(try decoded(#"{"version":2,"flows":[{"paths":["/old/1"]}]}"#).picture == "[/a/1*]", "none is the first")
        #expect(try decoded(#"{"version":2,"pathVersion":2,"flows":[{"paths":["/old/1"]}]}"#).picture == "[/old/1*]")
    }

    @Test("A state of the first format is read: its waiting target was a list of paths")
    func firstFormat() throws {
        let state = try decoded(
            #"{"version":1,"flows":[{"paths":["/login/name"]}],"#
                + #""deferred":{"paths":["/list/all","/list/42"],"subject":"ada","entrance":0}}"#)
        #expect(state.deferred?.target == ["/list/all", "/list/42"])
        #expect(state.deferred?.subject == "ada")
        #expect(state.deferred?.needed == "/login/name")
        let unknown = try decoded(
            #"{"version":1,"flows":[{"paths":["/login/name"]}],"#
                + #""deferred":{"paths":["/list/all","gone","/list/42"],"entrance":0}}"#)
        #expect(unknown.deferred?.target == ["/list/all"])
    }

    @Test("A flow that is not declared any more is left out, and the screen below is shown")
    func undeclaredAbove() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])
        try navigator.restore(State(["/a/1", "/a/2", "/b/1", "/a/3"]))
        #expect(navigator.state.picture == "[/a/1, /a/2*]")
        try navigator.restore(State(["/a/3", "/b/1"]))
        #expect(navigator.state.picture == "[/a/3*]")
    }

    @Test("If the flow of its entrance is not declared any more, a waiting target is requested again")
    func undeclaredEntrance() async throws {
        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"], home: ["/a/1"]) { _ in true }
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "b")], gate: gate)
        let saved = try decoded(
            #"{"version":2,"pathVersion":2,"flows":[{"paths":["/a/1"]},{"paths":["/old-login/name"]}],"#
                + #""deferred":{"flows":[{"paths":["/a/1"]},{"paths":["/b/7"]}],"entrance":1,"needed":"/old-login/name"}}"#
        )
        try navigator.restore(saved)
        #expect(navigator.state.picture == "[/a/1 | /b/7*]")
        #expect(navigator.state.deferred == nil)
    }

    @Test("A state is restored with new coordinators, also over a stack that looks the same")
    func restored() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "b")])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        let old = Set(navigator.coordinators.keys)
        try navigator.restore(try decoded(try encoded(navigator.state)))
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(old.isDisjoint(with: navigator.coordinators.keys))
        #expect(Set(navigator.coordinators.keys) == Set(navigator.state.flows.map(\.id)))
        try navigator.perform(.begin("/b/1"))
        #expect(navigator.coordinators.count == 3)
    }

    @Test(
        "A state of one user is not shown to another",
        arguments: [
            ("ada" as String?, "[/list/42*]"), ("bob", "[/list/all*]"), (nil, "[/login/name*]"),
        ])
    func ownership(user: String?, picture: String) async throws {
        let gate = Gate<Page>(subject: user, entrance: ["/login/name"], home: ["/list/all"]) { page in
            user != nil || page.flow == "login"
        }
        let navigator = Navigator(children: [ChildFlow(puppet: "list"), ChildFlow(puppet: "login")], gate: gate)
        let saved = #"{"version":1,"subject":"ada","flows":[{"paths":["/list/42"]}]}"#
        try navigator.restore(try decoded(saved))
        #expect(navigator.state.picture == picture)
        if user == nil { #expect(navigator.state.deferred?.subject == "ada") }
    }

    @Test("A state with a flow that the application does not have any more changes nothing")
    func undeclared() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])
        try navigator.perform(.show(["/a/1"]))
        await #expect(throws: NavigationError.undeclaredFlow("b", path: "/b/1")) {
            try navigator.restore(State(["/b/1"]))
        }
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
