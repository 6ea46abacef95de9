import Foundation
import Navigation
import Testing

@Suite("A flow that would lose something")
struct QuestionTests {
    private let outcomes = Box<[String]>([])
    private let asked = Box<[[Page]]>([])

    /// Flows `a` and `b`, of which those in `guarding` object; `ask` finishes when it is tapped and gives up otherwise.
    private func navigator(
        guarding: [FlowKind] = ["b"], gate: Gate<Page> = Gate(),
        event: @escaping (Puppet, Signal, Page) async -> Void = { _, _, _ in }
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
        "is asked before it is left, by going back, dismissal, a link or a saved state, and left when the answer is yes",
        arguments: ["back", "dismiss", "link", "restore"])
    func left(by move: String) async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1"]), .begin("/b/1", modal: true))
        func go() async throws {
            switch move {
            case "back": #expect(await navigator.back())
            case "dismiss": try await navigator.perform(.dismiss)
            case "link": try await navigator.perform(.show(["/a/2"]))
            default: try await navigator.restore(State(["/a/3"]))
            }
        }
        try await go()
        #expect(navigator.state.picture == "[/a/1 | (/b/1 | (/ask/b*]")
        #expect(navigator.state.question == navigator.state.flows.last?.id)
        #expect(try await navigator.screen() == "screen of /ask/b")
        await navigator.send(.chose(0))
        #expect(navigator.state.picture == "[/a/1 | (/b/1*]")
        #expect(navigator.state.question == nil)
        try await go()
        await navigator.send(.tapped)
        let pictures = ["back": "[/a/1*]", "dismiss": "[/a/1*]", "link": "[/a/2*]", "restore": "[/a/3*]"]
        #expect(navigator.state.picture == pictures[move])
        #expect(outcomes.value == ["stayed", "left"])
        #expect(asked.value == [["/b/1"], ["/b/1"]])
    }

    @Test("says what it would lose: it is told which of its screens are to leave")
    func routes() async throws {
        let navigator = navigator(guarding: ["a"])
        try await navigator.perform(.show(["/a/1", "/a/2", "/a/3", "/b/1"]))
        try await navigator.perform(.show(["/a/1"]))
        #expect(asked.value == [["/a/2", "/a/3"]])
    }

    @Test("stays when the question is left, by going back as well, and what was to be done is forgotten")
    func backFromQuestion() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        await navigator.back()
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        try await navigator.perform(.begin("/ask/b"))
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1*]", "a screen that looks like the question is none")
    }

    @Test("is asked in its turn, the topmost first, where several object")
    func several() async throws {
        let navigator = navigator(guarding: ["a", "b"])
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        try await navigator.perform(.show(["/b/9"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/a*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/9*]")
    }

    @Test("is asked anew by another move, which takes the place of the first")
    func another() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        try await navigator.perform(.show(["/a/7"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/7*]")
        #expect(outcomes.value == ["stayed", "left"])
    }

    @Test("is not asked where it moves or ends by itself, nor where nothing of it leaves")
    func itsOwn() async throws {
        let navigator = navigator { puppet, event, _ in
            if event == .tapped { puppet.flow.pop() } else { puppet.flow.finish(with: "x") }
        }
        try await navigator.perform(.show(["/a/1", "/b/1", "/b/2"]), .push("/b/3"))
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1, /b/2*]")
        await navigator.send(.chose(0))
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(asked.value == [])
    }

    @Test("is asked where the flow beneath moves")
    func parentMoves() async throws {
        let below = Box<Flow<Page, String>?>(nil)
        let navigator = navigator { puppet, _, _ in below.value = puppet.flow }
        try await navigator.perform(.show(["/a/1"]))
        await navigator.send(.tapped)
        try await navigator.perform(.begin("/b/1", modal: true))
        below.value?.dismiss()
        await navigator.settle()
        #expect(navigator.state.picture == "[/a/1 | (/b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("is asked before a log-out, which is sent on when it agrees, or at once where nobody objects")
    func logOut() async throws {
        let done = Box<[String]>([])
        let navigator = navigator { puppet, event, page in
            switch event {
            case .tapped: puppet.flow.leaveAll(then: .password("out"))
            case .password: done.value.append("out from \(page)")
            case .chose: puppet.flow.begin("/a/1")
            }
        }
        try await navigator.perform(.show(["/b/1"]))
        await navigator.send(.chose(0))
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | /a/1 | (/ask/b*]")
        #expect(done.value == [])
        await navigator.send(.chose(0))
        #expect(done.value == [])
        await navigator.send(.tapped)
        await navigator.send(.tapped)
        #expect(done.value == ["out from /a/1"])
        #expect(navigator.state.picture == "[/b/1 | /a/1*]", "what it leads to is for who asked to say")
        try await navigator.perform(.show(["/a/1"]))
        await navigator.send(.tapped)
        #expect(done.value.count == 1, "the question of the link comes first")
        await navigator.send(.tapped)
        #expect(done.value == ["out from /a/1", "out from /a/1"])
    }

    @Test("is not asked by an expired session, which keeps what was typed for the same user")
    func expired() async throws {
        func gate(_ subject: String?) -> Gate<Page> {
            Gate(subject: subject, entrance: ["/login/name"], home: ["/a/1"]) {
                (subject == nil) == ($0.flow == "login")
            }
        }
        let navigator = navigator(gate: gate("ada")) { puppet, event, _ in
            if case .password(let typed) = event { puppet.memory = typed }
        }
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.send(.password("half a letter"))
        await navigator.back()
        #expect(navigator.state.question != nil)
        navigator.gate = gate(nil)
        await navigator.settle()
        #expect(navigator.state.picture == "[/login/name*]")
        #expect(navigator.state.question == nil)
        navigator.gate = gate("ada")
        await navigator.settle()
        #expect(navigator.state.picture == "[/a/1 | /b/1*]", "the question is not come back to")
        let puppet = navigator.state.top.flatMap { navigator.coordinators[$0.flow] as? Puppet }
        #expect(puppet?.memory == "half a letter")
    }

    @Test("stays where the gate does not admit the question, and no entrance is laid for that")
    func barredQuestion() async throws {
        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"], home: ["/a/1"]) { $0.flow != "ask" }
        let navigator = navigator(gate: gate)
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        #expect(await navigator.back() == false)
        await #expect(throws: NavigationError.questionNotAdmitted(path: "/ask/b")) {
            try await navigator.perform(.show(["/a/1"]))
        }
        #expect(navigator.journal.entries.last == .rejected("show [/a/1*]", .questionNotAdmitted(path: "/ask/b")))
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(navigator.state.question == nil)
    }

    @Test("stays where its question cannot be shown")
    func undeclared() async throws {
        let guarded = ChildFlow<Page>(puppet: "b", Script(question: { _ in "/nowhere/1" }))
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), guarded])
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await #expect(throws: NavigationError.undeclaredFlow("nowhere", path: "/nowhere/1")) {
            try await navigator.perform(.show(["/a/1"]))
        }
        #expect(navigator.state.picture == "[/a/1 | /b/1*]")
        #expect(navigator.journal.entries.contains(.held("show [/a/1*]")))
    }

    @Test("is not left by the end of a flow above its question, only by that of the question")
    func aboveQuestion() async throws {
        let navigator = navigator { puppet, event, _ in if event == .tapped { puppet.flow.finish(with: "x") } }
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        try await navigator.perform(.begin("/a/2"))
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("is asked before a log-out that it begins itself")
    func ownLogOut() async throws {
        let navigator = navigator { puppet, event, _ in
            if event == .tapped { puppet.flow.leaveAll(then: .password("out")) }
        }
        try await navigator.perform(.show(["/b/1"]))
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | (/ask/b*]")
    }

    @Test("is asked where what waited takes its place, now that it is admitted")
    func resumed() async throws {
        let entrance: [Page] = ["/b/1", "/login/name"]
        let gate = Gate<Page>(entrance: entrance) { $0 != "/a/secret" }
        let navigator = navigator(gate: gate)
        try await navigator.perform(.show(["/a/1", "/a/secret"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | /login/name*]")
        try await navigator.perform(.show(["/a/secret"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | /login/name | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/b/1 | /login/name*]")
        navigator.gate = Gate()
        await navigator.settle()
        await navigator.back()
        #expect(navigator.state.picture == "[/b/1 | /login/name | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/secret*]")
    }

    @Test("goes on with what it was asked before, where another question cannot be shown")
    func secondQuestionUndeclared() async throws {
        let places = Box<[Page]>(["/nowhere/1", "/ask/b"])
        let ask = ChildFlow<Page>(puppet: "ask", Script(event: { puppet, _, _ in puppet.flow.finish(with: "leave") }))
        let guarded = ChildFlow<Page>(puppet: "b", Script(question: { _ in places.value.popLast() }))
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a"), guarded, ask])
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        await #expect(throws: NavigationError.undeclaredFlow("nowhere", path: "/nowhere/1")) {
            try await navigator.perform(.show(["/a/7"]))
        }
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("is left for a saved state of which a flow is not declared any more, as far as that can be shown")
    func restoredInPart() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        try await navigator.restore(State(["/a/3", "/nowhere/1"]))
        #expect(navigator.state.picture == "[/a/1 | /b/1 | (/ask/b*]")
        await navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/3*]")
    }

    @Test("has its question left out of what is saved, linked to and waits")
    func notKept() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        let state = navigator.state
        #expect(state.question != nil)
        #expect(state.target == ["/a/1", "/b/1"])
        #expect(!String(decoding: try JSONEncoder().encode(state), as: UTF8.self).contains("ask"))
        #expect(try state.applying(.dismiss).question == nil)
        let gate = Gate<Page>(entrance: ["/login/name"]) { $0.flow != "ask" }
        #expect(gate.judging(state).deferred == nil, "a question that is not admitted is no place to go to")
    }

    @Test("has no question any more where the stack is emptied, as nothing can be shown")
    func closed() async throws {
        let navigator = navigator()
        try await navigator.perform(.show(["/a/1", "/b/1"]))
        await navigator.back()
        navigator.gate = Gate(entrance: ["/nowhere/1"]) { $0.flow == "nowhere" }
        await navigator.settle()
        #expect(navigator.state.picture == "[]")
        #expect(navigator.state.question == nil)
    }
}
