import Navigation
import Testing

@Suite("A coordinator lives as long as its flow is on the stack")
struct LifetimeTests {
    /// Counts its living puppets.
    private final class Census {
        private struct Entry {
            weak var puppet: Puppet?
        }

        private var entries: [Entry] = []

        var made: Int { entries.count }
        var alive: [String] { entries.compactMap { $0.puppet.map { "\($0.flow.id)" } } }

        func declaring(_ kind: FlowKind, _ script: Script = Script(), then: [Transition<Page>] = []) -> ChildFlow<Page>
        {
            ChildFlow(
                kind,
                make: { [self] (flow: Flow<Page, String>) in
                    let puppet = Puppet(flow, script)
                    entries.append(Entry(puppet: puppet))
                    return puppet
                }, ended: { _ in then })
        }
    }

    @Test("A coordinator is made once, kept through other moves, and released when its last frame leaves")
    func oneFlow() async throws {
        let census = Census()
        let navigator = Navigator(children: [census.declaring("a"), census.declaring("b")])
        try navigator.perform(.show(["/a/1"]))
        try navigator.perform(.begin("/b/1"))
        try navigator.perform(.push("/b/2"), .replace("/b/3"))
        #expect(census.alive == ["#1", "#2"])
        _ = navigator.back()
        #expect(census.alive == ["#1", "#2"])
        _ = navigator.back()
        #expect(census.alive == ["#1"])
        #expect(census.made == 2)
        #expect(navigator.coordinators.keys.map(\.description) == ["#1"])
    }

    @Test("Two flows of the same kind have a coordinator each, even at the same route")
    func sameKindTwice() async throws {
        let census = Census()
        let navigator = Navigator(children: [census.declaring("a")])
        try navigator.perform(.show(["/a/1"]))
        try navigator.perform(.begin("/a/1"))
        #expect(census.alive == ["#1", "#2"])
        let coordinators = navigator.coordinators.values.map(ObjectIdentifier.init)
        #expect(Set(coordinators).count == 2)
        _ = navigator.back()
        #expect(census.alive == ["#1"])
    }

    @Test("An identity is never used again, so late events reach nobody else")
    func identities() async throws {
        let census = Census()
        let navigator = Navigator(children: [census.declaring("a")])
        for _ in 0..<3 {
            try navigator.perform(.show([]))
            try navigator.perform(.begin("/a/1"))
        }
        #expect(census.alive == ["#3"])
    }

    @Test("Events of a coordinator that was made for a failed move reach no other")
    func identityOfNobody() async throws {
        let kept = Box<[Flow<Page, String>]>([])
        let heard = Box<[String]>([])
        let script = Script(event: { puppet, event, page in heard.value.append("\(event) in \(page)") })
        let child = ChildFlow<Page>(
            "a",
            make: { (flow: Flow<Page, String>) in
                kept.value.append(flow)
                return Puppet(flow, script)
            }, ended: { _ in [] })
        let navigator = Navigator(children: [child])
        await #expect(throws: NavigationError.undeclaredFlow("c", path: "/c/1")) {
            try navigator.perform(.show(["/a/1", "/c/1"]))
        }
        try navigator.perform(.show(["/a/2"]))
        kept.value[0].send(.tapped)
        kept.value[0].push("/a/3")
        navigator.settle()
        #expect(heard.value == [])
        #expect(navigator.state.picture == "[/a/2*]")
        #expect(kept.value[0].id != kept.value[1].id)
    }

    @Test(
        "A link to home keeps home, and a link to the login keeps the login, whatever is followed")
    func laidAlready() async throws {
        let census = Census()
        func gate(_ subject: String?) -> Gate<Page> {
            Gate(subject: subject, entrance: ["/welcome/1", "/login/name"], home: ["/list/all"]) {
                subject != nil || $0.flow != "list"
            }
        }
        let navigator = Navigator(
            children: ["welcome", "login", "signup", "list"].map { census.declaring($0) }, gate: gate(nil))
        navigator.reconsider()
        #expect(navigator.state.picture == "[/welcome/1 | /login/name*]")
        let entrance = navigator.state.frames
        try navigator.perform(.show(["/list/all", "/list/7"]))
        #expect(navigator.state.frames == entrance)
        #expect(navigator.state.deferred?.target == ["/list/all", "/list/7"])
        #expect(navigator.state.deferred?.entrance == entrance.last?.flow)
        try navigator.perform(.show(["/list/8"]))
        #expect(navigator.state.frames == entrance)
        #expect(navigator.state.deferred?.target == ["/list/8"])
        #expect(census.made == 2)

        navigator.gate = gate("ada")
        try navigator.perform(.show([]))
        #expect(navigator.state.picture == "[/list/8*]")
        try navigator.perform(.show([]))
        let home = navigator.state.frames
        try navigator.perform(.show([]))
        #expect(navigator.state.frames == home)
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(census.alive.count == 1)
    }

    @Test("Another user's home is not kept")
    func anothersHome() async throws {
        let census = Census()
        let navigator = Navigator(
            children: [census.declaring("list")], gate: Gate(subject: "ada", home: ["/list/all"]))
        navigator.reconsider()
        navigator.gate = Gate(subject: "bob", home: ["/list/all"])
        navigator.settle()
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(census.made == 2)
        #expect(census.alive.count == 1)
    }

    @Test("The topmost coordinator is released first")
    func deepestFirst() async throws {
        let navigator = Navigator<Page>(children: ["a", "b", "c"].map { ChildFlow(puppet: $0) })
        try navigator.perform(.show(["/a/1", "/b/1", "/c/1"]))
        try navigator.perform(.show(["/c/2"]))
        let ended = navigator.journal.entries.filter { if case .ended = $0 { true } else { false } }
        #expect(ended == [.ended("c", .cancelled), .ended("b", .cancelled), .ended("a", .cancelled)])
    }

    @Test("A coordinator may end its own flow in the middle of a handler")
    func releasedInHandler() async throws {
        let census = Census()
        let log = Box<[String]>([])
        let script = Script(event: { puppet, _, _ in
            puppet.flow.finish(with: "x")
            log.value.append("\(puppet.flow.id) still here")
        })
        let navigator = Navigator(children: [census.declaring("a"), census.declaring("b", script)])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        navigator.send(.tapped)
        #expect(log.value == ["#2 still here"])
        #expect(census.alive == ["#1"])
    }

    @Test("The navigator releases all coordinators, and an outlet that a screen keeps holds nothing")
    func everything() async throws {
        let census = Census()
        var navigator: Navigator<Page>? = Navigator(children: [census.declaring("a"), census.declaring("b")])
        weak let watched = navigator
        try navigator?.perform(.show(["/a/1", "/b/1"]))
        _ = try await navigator?.screen()
        let outlet = navigator?.coordinators.values.compactMap { ($0 as? Puppet)?.outlet }.first
        #expect(census.alive.count == 2)
        navigator = nil
        #expect(watched == nil)
        #expect(census.alive == [])
        outlet?(.tapped)
    }

    @Test("A coordinator for a move that then fails is released, and the move changes nothing")
    func undeclared() async throws {
        let census = Census()
        let navigator = Navigator(children: [census.declaring("a"), census.declaring("b")])
        try navigator.perform(.show(["/a/1"]))
        let before = navigator.state
        await #expect(throws: NavigationError.undeclaredFlow("c", path: "/c/1")) {
            try navigator.perform(.show(["/a/1", "/b/1", "/c/1"]))
        }
        #expect(navigator.state == before)
        #expect(census.alive == ["#1"])
    }

    @Test("If the entrance of a flow cannot be opened, nothing is shown instead of a barred place")
    func failsClosed() async throws {
        let census = Census()
        let navigator = Navigator(children: [census.declaring("a")])
        try navigator.perform(.show(["/a/1"]))
        navigator.gate = Gate(entrance: ["/login/name"], home: ["/a/1"]) { $0.flow == "login" }
        navigator.settle()
        #expect(navigator.state.picture == "[]")
        #expect(navigator.state.deferred == nil, "what waits behind what is not there would come back unasked")
        #expect(census.alive == [])
        let refusals = navigator.journal.entries.filter { if case .rejected = $0 { true } else { false } }
        #expect(refusals == [.rejected("judge", .undeclaredFlow("login", path: "/login/name"))])
        navigator.gate = Gate()
        navigator.settle()
        #expect(navigator.state.picture == "[]")
    }

    @Test("If nothing can be shown, nothing waits, and an empty stack belongs to the new subject")
    func closed() async throws {
        func gate(_ subject: String, entrance: Page) -> Gate<Page> {
            Gate(subject: subject, entrance: [entrance], home: [entrance]) { $0 == entrance }
        }
        let navigator = Navigator<Page>(
            children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "login")],
            gate: gate("ada", entrance: "/login/name"))
        try navigator.perform(.show(["/a/1"]))
        #expect(navigator.state.deferred != nil)
        navigator.gate = gate("ada", entrance: "/nowhere/1")
        navigator.settle()
        #expect(navigator.state.picture == "[]")
        #expect(navigator.state.deferred == nil)
        navigator.gate = gate("ada", entrance: "/login/name")
        try navigator.perform(.show(["/login/name"]))
        navigator.gate = gate("bob", entrance: "/nowhere/1")
        navigator.settle()
        #expect(navigator.state.subject == "bob")
    }
}
