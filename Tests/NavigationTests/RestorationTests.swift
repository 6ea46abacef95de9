import Navigation
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("A saved state")
struct RestorationTests {
    private func encoded(_ state: State) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(state), as: UTF8.self)
    }

    private func decoded(_ json: String) throws -> State {
        try JSONDecoder().decode(State.self, from: Data(json.utf8))
    }

    @Test("is a list of paths for each flow, and nothing else")
    func format() throws {
        let state = try State(["/a/1", "/a/2"]).applying(.begin("/b/1", modal: true)).applying(.present("/b/2"))
        #expect(
            try encoded(state)
                == #"{"flows":[{"paths":["/a/1","/a/2"]},{"modal":[0,1],"paths":["/b/1","/b/2"]}],"version":1}"#)
    }

    @Test("comes back with its flows, its modals, its owner and what waits")
    func roundTrip() throws {
        let twice = try State(["/a/1", "/a/2"]).applying(.begin("/a/1", modal: true)).applying(.begin("/a/1"))
        #expect(try decoded(try encoded(twice)).picture == "[/a/1, /a/2 | (/a/1 | /a/1*]")

        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"]) { $0.flow == "login" }
        let waiting = try gate.judging(State(["/list/all", "/list/42"])).applying(.begin("/login/1"))
        let again = try decoded(try encoded(waiting))
        #expect(try encoded(again) == encoded(waiting))
        #expect(again.picture == waiting.picture)
        #expect(again.subject == "ada")
        #expect(again.deferred?.routes == ["/list/all", "/list/42"])
        #expect(again.deferred?.entrance == again.flows.first?.id)
    }

    @Test(
        "that is broken is refused, and the error says where",
        arguments: [
            (#"{"version":2,"flows":[]}"#, "Version 2"),
            (#"{"version":1,"flows":[{"paths":["nowhere"]}]}"#, "nowhere names no place"),
            (#"{"version":1,"flows":[{"paths":["/a/1","/b/1"]}]}"#, "not of one flow"),
            (#"{"version":1,"flows":[{"paths":[]}]}"#, "not of one flow"),
            (#"{"version":1,"flows":[{"paths":["/a/1"],"modal":[0]}]}"#, "[0]"),
            (#"{"version":1,"flows":[{"paths":["/a/1"]},{"paths":["/a/1"],"modal":[-1]}]}"#, "[-1]"),
            (#"{"version":1,"flows":[{"paths":["/a/1"]},{"paths":["/a/1"],"modal":[1]}]}"#, "[1]"),
            (#"{"version":1,"flows":[],"deferred":{"paths":["/a/1"],"entrance":0}}"#, "position 0"),
            (
                #"{"version":1,"flows":[{"paths":["/a/1"]}],"deferred":{"paths":["x"],"entrance":0}}"#,
                "x names no place"
            ),
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

    @Test("without a field it needs is refused", arguments: ["{}", #"{"version":1}"#, #"{"flows":[]}"#, "[]", "null"])
    func incomplete(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json) }
    }

    @Test("is restored with new coordinators, also over a stack that looks the same")
    func restored() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "b")])
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        let old = Set(navigator.coordinators.keys)
        try await navigator.restore(try decoded(try encoded(navigator.state)))
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(old.isDisjoint(with: navigator.coordinators.keys))
        #expect(Set(navigator.coordinators.keys) == Set(navigator.state.flows.map(\.id)))
        try await navigator.perform(.begin("/b/1"))
        #expect(navigator.coordinators.count == 3)
    }

    @Test(
        "of one user is not shown to another",
        arguments: [
            ("ada" as String?, "[/list/42*]"), ("bob", "[/list/all*]"), (nil, "[/login/name*]"),
        ])
    func ownership(user: String?, picture: String) async throws {
        let gate = Gate<Page>(subject: user, entrance: ["/login/name"], home: ["/list/all"]) { page in
            user != nil || page.flow == "login"
        }
        let navigator = Navigator(children: [ChildFlow(puppet: "list"), ChildFlow(puppet: "login")], gate: gate)
        let saved = #"{"version":1,"subject":"ada","flows":[{"paths":["/list/42"]}]}"#
        try await navigator.restore(try decoded(saved))
        #expect(navigator.state.picture == picture)
        if user == nil { #expect(navigator.state.deferred?.subject == "ada") }
    }

    @Test("with a flow that the application does not have any more changes nothing")
    func undeclared() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])
        try await navigator.perform(.show(["/a/1"]))
        await #expect(throws: NavigationError.undeclaredFlow("b", path: "/b/1")) {
            try await navigator.restore(State(["/b/1"]))
        }
        #expect(navigator.state.picture == "[/a/1*]")
    }
}
