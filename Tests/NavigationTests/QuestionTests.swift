import Foundation
import Navigation
import Testing

@Suite("A flow that would lose something")
struct QuestionTests {
    private let outcomes = Box<[String]>([])
    private let asked = Box<[[Page]]>([])

    /// Returns a navigator with the flows `a` and `b`; those in `guarding` object. `ask` finishes when it is tapped and
    /// cancels otherwise.
    private func navigator(
        guarding: [FlowKind] = ["b"], gate: Gate<Page> = Gate(),
        event: @escaping (Puppet, Signal, Page) -> Void = { _, _, _ in }
    ) -> Navigator<Page> {
        func flow(_ kind: FlowKind) -> ChildFlow<Page> {
            ChildFlow(
                puppet: kind,
                Script(
                    event: event,
                    question: { [asked] pages in
                        guard guarding.contains(kind) else { return nil }
                        asked.value.append(pages)
                        return Page(stringLiteral: "/ask/\(kind.name)")
                    }))
        }
        let ask = ChildFlow<Page>(
            puppet: "ask",
            Script(event: { puppet, event, _ in
                if event == .tapped { puppet.flow.finish(with: "leave") } else { puppet.flow.cancel() }
            })
        ) { [outcomes] outcome in
            if case .cancelled = outcome { outcomes.value.append("stayed") } else { outcomes.value.append("left") }
            return []
        }
        return Navigator(children: [flow("a"), flow("b"), ask, ChildFlow(puppet: "login")], gate: gate)
    }

    @Test(
        "A flow is asked before going back, dismissal, a link, or a saved state, and left after a yes",
        arguments: ["back", "dismiss", "link", "restore"])
    func left(by move: String) async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1"]), .begin("/b/1", modal: true))
        func go() async throws {
            switch move {
            case "back": #expect(navigator.back())
            case "dismiss": try navigator.perform(.dismiss)
            case "link": try navigator.perform(.show(["/a/2"]))
            default: try navigator.restore(State(["/a/3"]))
            }
        }
        try await go()
        #expect(navigator.state.picture == "[/a/1 | (/b/1 | (/ask/b*]")
        #expect(navigator.state.question == navigator.state.flows.last?.id)
        #expect(try await navigator.screen() == "screen of /ask/b")
        navigator.send(.chose(0))
        #expect(navigator.state.picture == "[/a/1 | (/b/1*]")
        #expect(navigator.state.question == nil)
        try await go()
        navigator.send(.tapped)
        let pictures = ["back": "[/a/1*]", "dismiss": "[/a/1*]", "link": "[/a/2*]", "restore": "[/a/3*]"]
        #expect(navigator.state.picture == pictures[move])
        #expect(outcomes.value == ["stayed", "left"])
        #expect(asked.value == [["/b/1"], ["/b/1"]])
    }

    @Test("A flow learns which of its screens are to leave")
    func routes() async throws {
        let navigator = navigator(guarding: ["a"])
        try navigator.perform(.show(["/a/1", "/a/2", "/a/3", "/b/1"]))
        try navigator.perform(.show(["/a/1"]))
        #expect(asked.value == [["/a/2", "/a/3"]])
    }

    @Test("A flow stays when the question is left, also by going back, and the move is dropped")
    func backFromQuestion() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        navigator.back()
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        try navigator.perform(.begin("/ask/b"))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1*]", "a screen that looks like the question is none")
    }

    @Test("If several flows object, each is asked in turn, the topmost first")
    func several() async throws {
        let navigator = navigator(guarding: ["a", "b"])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        try navigator.perform(.show(["/b/9"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/a*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/9*]")
    }

    @Test("Another move replaces the first, and its question is asked again")
    func another() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        try navigator.perform(.show(["/a/7"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/7*]")
        #expect(outcomes.value == ["stayed", "left"])
    }

    @Test("A flow is not asked if it moves or ends by itself, nor if none of its screens leaves")
    func itsOwn() async throws {
        let navigator = navigator { puppet, event, _ in
            if event == .tapped { puppet.flow.pop() } else { puppet.flow.finish(with: "x") }
        }
        try navigator.perform(.show(["/a/1", "/b/1", "/b/2"]), .push("/b/3"))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1, /b/2*]")
        navigator.send(.chose(0))
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(asked.value == [])
    }

    @Test("A flow is asked if the flow below moves")
    func parentMoves() async throws {
        let below = Box<Flow<Page, String>?>(nil)
        let navigator = navigator { puppet, _, _ in below.value = puppet.flow }
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        try navigator.perform(.begin("/b/1", modal: true))
        below.value?.dismiss()
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1 | (/b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("A flow is asked before a logout, which continues after a yes, or immediately without objections")
    func logOut() async throws {
        let done = Box<[String]>([])
        let navigator = navigator { puppet, event, page in
            switch event {
            case .tapped: puppet.flow.leaveAll(then: .password("out"))
            case .password: done.value.append("out from \(page)")
            case .chose: puppet.flow.begin("/a/1")
            }
        }
        try navigator.perform(.show(["/b/1"]))
        navigator.send(.chose(0))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | /a/1 | (/ask/b*]")
        #expect(done.value == [])
        navigator.send(.chose(0))
        #expect(done.value == [])
        navigator.send(.tapped)
        navigator.send(.tapped)
        #expect(done.value == ["out from /a/1"])
        #expect(navigator.state.picture == "[/b/1 | /a/1*]", "what it leads to is for who asked to say")
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(done.value.count == 1, "the question of the link comes first")
        navigator.send(.tapped)
        #expect(done.value == ["out from /a/1", "out from /a/1"])
    }

    @Test("A flow is not asked by an expired session, which keeps the input for the same user")
    func expired() async throws {
        func gate(_ subject: String?) -> Gate<Page> {
            Gate(subject: subject, entrance: ["/login/name"], home: ["/a/1"]) {
                (subject == nil) == ($0.flow == "login")
            }
        }
        let navigator = navigator(gate: gate("ada")) { puppet, event, _ in
            if case .password(let typed) = event { puppet.memory = typed }
        }
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.send(.password("half a letter"))
        navigator.back()
        #expect(navigator.state.question != nil)
        navigator.gate = gate(nil)
        navigator.settle()
        #expect(navigator.state.picture == "[/login/name*]")
        #expect(navigator.state.question == nil)
        navigator.gate = gate("ada")
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1 | /b/1*]", "the question is not come back to")
        let puppet = navigator.state.top.flatMap { navigator.coordinators[$0.flow] as? Puppet }
        #expect(puppet?.memory == "half a letter")
    }

    @Test("A flow stays if the gate bars the question, and no entrance is shown for that")
    func barredQuestion() async throws {
        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"], home: ["/a/1"]) { $0.flow != "ask" }
        let navigator = navigator(gate: gate)
        try navigator.perform(.show(["/a/1", "/b/1"]))
        #expect(navigator.back() == false)
        #expect(throws: NavigationError.questionNotAdmitted(path: "/ask/b")) {
            try navigator.perform(.show(["/a/1"]))
        }
        #expect(navigator.journal.entries.last == .rejected("show [/a/1*]", .questionNotAdmitted(path: "/ask/b")))
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(navigator.state.question == nil)
    }

    @Test("A flow stays if its question cannot be shown")
    func undeclared() async throws {
        let guarded = ChildFlow<Page>(puppet: "b", Script(question: { _ in "/nowhere/1" }))
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), guarded])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        await #expect(throws: NavigationError.undeclaredFlow("nowhere", path: "/nowhere/1")) {
            try navigator.perform(.show(["/a/1"]))
        }
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(navigator.journal.entries.contains(.held("show [/a/1*]")))
    }

    @Test("Only the end of the question leaves the flow, not the end of a flow above the question")
    func aboveQuestion() async throws {
        let navigator = navigator { puppet, event, _ in if event == .tapped { puppet.flow.finish(with: "x") } }
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        try navigator.perform(.begin("/a/2"))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("A flow is asked before a logout that it begins itself")
    func ownLogOut() async throws {
        let navigator = navigator { puppet, event, _ in
            if event == .tapped { puppet.flow.leaveAll(then: .password("out")) }
        }
        try navigator.perform(.show(["/b/1"]))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | (/ask/b*]")
    }

    @Test("A flow is asked if an admitted target replaces it")
    func resumed() async throws {
        let entrance: [Page] = ["/b/1", "/login/name"]
        let gate = Gate<Page>(entrance: entrance) { $0 != "/a/secret" }
        let navigator = navigator(gate: gate)
        try navigator.perform(.show(["/a/1", "/a/secret"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | /login/name*]")
        try navigator.perform(.show(["/a/secret"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | /login/name | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | /login/name*]")
        navigator.gate = Gate()
        navigator.settle()
        navigator.back()
        #expect(navigator.state.picture == "[/b/1 | /login/name | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/secret*]")
    }

    @Test("The earlier question continues if another question cannot be shown")
    func secondQuestionUndeclared() async throws {
        let places = Box<[Page]>(["/nowhere/1", "/ask/b"])
        let ask = ChildFlow<Page>(puppet: "ask", Script(event: { puppet, _, _ in puppet.flow.finish(with: "leave") }))
        let guarded = ChildFlow<Page>(puppet: "b", Script(question: { _ in places.value.popLast() }))
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), guarded, ask])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        await #expect(throws: NavigationError.undeclaredFlow("nowhere", path: "/nowhere/1")) {
            try navigator.perform(.show(["/a/7"]))
        }
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("A flow is left for a saved state with an undeclared flow, as far as it can be shown")
    func restoredInPart() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1", "/b/1"]))
        try navigator.restore(State(["/a/3", "/nowhere/1"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/3*]")
    }

    @Test("Questions are left out of saved states, links, and waiting targets")
    func notKept() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        let state = navigator.state
        #expect(state.question != nil)
        #expect(state.target == ["/a/1", "/b/1"])
        #expect(!String(decoding: try JSONEncoder().encode(state), as: UTF8.self).contains("ask"))
        #expect(try state.applying(.dismiss).question == nil)
        let gate = Gate<Page>(entrance: ["/login/name"]) { $0.flow != "ask" }
        #expect(gate.judging(state).deferred == nil, "a question that is not admitted is no place to go to")
    }

    @Test("A question disappears if the stack is emptied, because nothing can be shown")
    func closed() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.back()
        navigator.gate = Gate(entrance: ["/nowhere/1"]) { $0.flow == "nowhere" }
        navigator.settle()
        #expect(navigator.state.picture == "[]")
        #expect(navigator.state.question == nil)
    }
}
