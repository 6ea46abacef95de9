import Foundation
import Navigation
import NavigationTesting
import Testing

@Suite("Programming errors and rare orders of events")
struct FaultTests {
    private func navigator(
        _ kinds: [FlowKind] = ["a", "b"], gate: Gate<Page> = Gate(), script: Script = Script()
    ) -> Navigator<Page> {
        Navigator(children: kinds.map { ChildFlow(puppet: $0, script) }, gate: gate)
    }

    @Test("A target that cannot be opened is dropped, also if it needs a second entrance")
    func undeclaredTarget() async throws {
        func gate(_ passed: Set<String>) -> Gate<Page> {
            Gate(subject: passed.contains("login") ? "ada" : nil, home: ["/a/1"]) { page in
                switch page.flow {
                case "login", "factor": .admitted
                case _ where !passed.contains("login"): .barred(entrance: ["/login/1"])
                case "b" where !passed.contains("factor"): .barred(entrance: ["/factor/1"])
                default: .admitted
                }
            }
        }
        let script = Script(event: { puppet, _, _ in puppet.flow.finish(with: "in") })
        let navigator = navigator(["a", "b", "login", "factor"], gate: gate([]), script: script)
        // The flow `gone`, with which the target begins, is not declared.
        try navigator.perform(.show(["/gone/1", "/b/1"]))
        #expect(navigator.state.picture == "[/login/1*]")
        navigator.gate = gate(["login"])
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(navigator.state.deferred == nil)
    }

    @Test("The memory that a flow has after its child has ended is saved")
    func memoryAfterEnd() async throws {
        let parent = Box<Puppet?>(nil)
        let finishing = Script(event: { puppet, _, _ in puppet.flow.finish(with: "learned") })
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", Script(start: { parent.value = $0 })),
            ChildFlow(puppet: "b", finishing) { outcome in
                parent.value?.memory = outcome == .finished("learned") ? "learned" : "left"
                return []
            },
        ])
        func saved() throws -> String { String(decoding: try JSONEncoder().encode(navigator.state), as: UTF8.self) }
        try navigator.perform(.show(["/a/1"]))
        try navigator.perform(.begin("/b/1"))
        navigator.send(.tapped)
        #expect(try saved().contains(#""memory":"learned""#))
        try navigator.perform(.begin("/b/1"))
        navigator.back()
        #expect(try saved().contains(#""memory":"left""#))
        parent.value = nil
    }

    @Test("Flows that have agreed to leave are not asked again by the event that they left for")
    func agreedOnce() async throws {
        let asked = Box(0)
        let script = Script(
            event: { puppet, event, _ in
                if event == .tapped { puppet.flow.leaveAll(then: .chose(1)) }
                if event == .chose(1) { puppet.flow.show(["/b/2"]) }
            },
            question: { _ in
                asked.value += 1
                return "/ask/1"
            })
        let ask = ChildFlow<Page>(
            puppet: "ask", Script(event: { puppet, _, _ in puppet.flow.finish(with: "leave") }))
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", script), ChildFlow(puppet: "b", script), ask,
        ])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.send(.tapped)
        var answers = 0
        while navigator.state.question != nil, answers < 5 {
            answers += 1
            navigator.send(.tapped)
        }
        #expect(answers == 2)
        #expect(navigator.state.picture == "[/b/2*]")
        // Later, the flows are asked as before.
        let before = asked.value
        try navigator.perform(.show(["/a/1"]))
        #expect(asked.value > before)
    }

    @Test("A flow that has ended shows no question when it wants everything to leave")
    func leaveAfterEnd() async throws {
        let ended = Box<Puppet?>(nil)
        let script = Script(start: { puppet in ended.value = puppet }, question: { _ in "/ask/1" })
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", Script(question: { _ in "/ask/1" })), ChildFlow(puppet: "b", script),
            ChildFlow(puppet: "ask"),
        ])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        ended.value?.flow.finish(with: "")
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1*]")
        ended.value?.flow.leaveAll(then: .tapped)
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1*]")
        #expect(navigator.state.question == nil)
        #expect(navigator.journal.entries.last == .dropped("tapped"))
        ended.value = nil
    }

    @Test("A navigator does not accept the frames and flows of another")
    func identities() async throws {
        let (one, two) = (navigator(), navigator())
        for navigator in [one, two] { try navigator.perform(.show(["/a/1", "/a/2", "/a/3"])) }
        #expect(one.state.frames.map(\.id) != two.state.frames.map(\.id))
        let frame = try #require(one.state.frames.first).id
        #expect(!two.back(to: frame))
        #expect(two.state.picture == "[/a/1, /a/2, /a/3*]")
        #expect(throws: NavigationError.self) { try two.perform(.end(one.state.flows[0].id)) }
    }

    @Test("A refused move is reported with its reason")
    func rejection() async throws {
        let navigator = navigator()
        let refused = Box<[String]>([])
        navigator.onRejection = { move, error in refused.value.append("\(move): \(error)") }
        try navigator.perform(.show(["/a/1"]))
        #expect(throws: NavigationError.self) { try navigator.perform(.push("/b/1")) }
        #expect(
            refused.value == ["push /b/1: /b/1 belongs to the flow b, but a is on top: begin a flow with it."])
    }

    @Test("A move that comes too late stops no program, also without a handler for refused moves")
    func lateMove() async throws {
        let beneath = Box<Puppet?>(nil)
        let script = Script(event: { puppet, _, _ in
            puppet.flow.begin("/b/1")
            beneath.value = puppet
        })
        let navigator = navigator(script: script)
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        beneath.value?.flow.push("/a/2")
        navigator.settle()
        let isRefused = if case .rejected? = navigator.journal.entries.last { true } else { false }
        #expect(isRefused)
        beneath.value = nil
    }

    @Test("A path has no empty segments, so that it reads back as itself")
    func emptySegments() {
        for path in [RoutePath("two", ""), RoutePath("", "two"), RoutePath("two").appending("")] {
            #expect(path.text == "/two")
            #expect(RoutePath(parsing: path.text) == path)
        }
    }

    @Test("The journal does not hold the description of an event without a payload")
    func describedCase() {
        enum Spoken: NavigationEvent, CustomStringConvertible {
            case secret
            case told(String)
            var description: String { "correct horse battery" }
        }
        enum Plain: NavigationEvent { case tapped }
        #expect(Spoken.secret.name == "Spoken")
        #expect(Spoken.told("x").name == "told")
        #expect(Plain.tapped.name == "tapped")
    }

    @Test("Two recordings of a navigator both see everything")
    func twoRecordings() async throws {
        let navigator = navigator()
        let (first, second) = (RecordingNavigator(navigator), RecordingNavigator(navigator))
        try navigator.perform(.show(["/a/1"]))
        for recording in [first, second] {
            try recording.expect(.transition(before: [], after: ["/a/1"]), .started("a"))
        }
        try navigator.perform(.show(["/b/1"]))
        for recording in [first, second] { try recording.expectReleased("a") }
    }
}
