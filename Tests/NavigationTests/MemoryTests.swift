import Foundation
import Navigation
import Testing

@Suite("A coordinator's memory")
struct MemoryTests {
    private func navigator(gate: Gate<Page> = Gate(), started: @escaping (Puppet) -> Void = { _ in }) -> Navigator<Page>
    {
        let script = Script(
            start: { started($0) },
            event: { puppet, event, _ in
                switch event {
                case .password(let text): puppet.memory = text
                case .chose: puppet.memory = nil
                case .tapped: break
                }
            })
        return Navigator(
            children: ["a", "b", "login"].map { ChildFlow(puppet: $0, script) }, gate: gate)
    }

    private func memories(of navigator: Navigator<Page>) -> [String?] {
        navigator.state.flows.map { (navigator.coordinators[$0.id] as? Puppet)?.memory }
    }

    @Test("The memory is saved with the state, and recalled before the flow starts")
    func saved() async throws {
        let first = navigator()
        try first.perform(.show(["/a/1", "/a/2", "/b/1"]))
        first.send(.password("typed so far"))
        let data = try JSONEncoder().encode(first.state)
        #expect(String(decoding: data, as: UTF8.self).contains(#""memory":"typed so far""#))

        let recalled = Box<String?>(nil)
        let second = navigator { recalled.value = $0.memory }
        try second.restore(try JSONDecoder().decode(State.self, from: data))
        #expect(recalled.value == "typed so far")
        #expect(memories(of: second) == [nil, "typed so far"])
        #expect(try JSONEncoder().encode(second.state).count == data.count)
    }

    @Test("A changed memory is a change of the state")
    func change() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1"]))
        let before = navigator.state
        navigator.send(.password("x"))
        #expect(navigator.state != before)
        navigator.send(.chose(1))
        #expect(navigator.state == before)
    }

    @Test("A memory that cannot be decoded costs the flow nothing else")
    func unreadable() async throws {
        let saved = #"{"version":2,"pathVersion":2,"flows":[{"paths":["/a/1"],"memory":{"of":"another kind"}}]}"#
        let state = try JSONDecoder().decode(State.self, from: Data(saved.utf8))
        #expect(state.picture == "[/a/1*]")
    }

    @Test("The memory waits with its screens behind the login, only for the same user", arguments: ["ada", "bob"])
    func deferred(user: String) async throws {
        func gate(_ subject: String?) -> Gate<Page> {
            Gate(subject: subject, entrance: ["/login/name"], home: ["/a/1"]) {
                (subject == nil) == ($0.flow == "login")
            }
        }
        let navigator = navigator(gate: gate("ada"))
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.send(.password("typed so far"))
        navigator.gate = gate(nil)
        navigator.settle()
        #expect(navigator.state.picture == "[/login/name*]")
        let saved = try JSONEncoder().encode(navigator.state)
        navigator.gate = gate(user)
        navigator.settle()
        #expect(memories(of: navigator) == (user == "ada" ? [nil, "typed so far"] : [nil]))

        let later = self.navigator(gate: gate(user))
        try later.restore(try JSONDecoder().decode(State.self, from: saved))
        #expect(memories(of: later) == (user == "ada" ? [nil, "typed so far"] : [nil]))
    }

    @Test("The memory ends with the flow, and another flow of its kind begins without it")
    func gone() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/a/1"]))
        let before = navigator.state
        try navigator.perform(.begin("/b/1"))
        navigator.send(.password("x"))
        navigator.back()
        #expect(navigator.state == before)
        try navigator.perform(.begin("/b/1"))
        #expect(memories(of: navigator) == [nil, nil])
        #expect(!String(decoding: try JSONEncoder().encode(navigator.state), as: UTF8.self).contains("memory"))
    }

    @Test("A memory that is set at the start is kept from the start on")
    func atStart() async throws {
        let navigator = navigator { $0.memory = "begun" }
        try navigator.perform(.show(["/a/1"]))
        #expect(String(decoding: try JSONEncoder().encode(navigator.state), as: UTF8.self).contains("begun"))
    }
}
