import Navigation
import Testing

@Suite("The end of a flow")
struct OutcomeTests {
    private func navigator(_ script: Script, outcomes: Box<[Outcome<String>]>, then: [Transition<Page>] = [])
        async throws
        -> Navigator<Page>
    {
        let child = ChildFlow<Page>(puppet: "child", script) { outcome in
            outcomes.value.append(outcome)
            return then
        }
        let navigator = Navigator(children: [ChildFlow(puppet: "list"), child])
        try navigator.perform(.show(["/list/all", "/child/1", "/child/2"]))
        return navigator
    }

    @Test("A flow that finishes reports its result once, and all its screens leave")
    func finished() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let script = Script(event: { puppet, _, _ in
            puppet.flow.finish(with: "first")
            puppet.flow.finish(with: "second")
            puppet.flow.push("/child/3")
        })
        let navigator = try await navigator(script, outcomes: outcomes)
        navigator.send(.tapped)
        #expect(outcomes.value == [.finished("first")])
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(
            navigator.journal.entries.suffix(4) == [
                .dropped("end #2"), .dropped("push /child/3"), .started("list"),
                .led(.init("/child/<n>", "tapped", "/list/all")),
            ])
    }

    @Test("A flow that cancels itself is reported as canceled once")
    func cancelled() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(
            Script(event: { puppet, _, _ in puppet.flow.cancel() }), outcomes: outcomes)
        navigator.send(.tapped)
        #expect(outcomes.value == [.cancelled(.byItself)])
        #expect(navigator.state.picture == "[/list/all*]")
    }

    @Test("Going back past the first screen cancels a flow, and going back within it does not")
    func back() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(Script(), outcomes: outcomes)
        #expect(navigator.back())
        #expect(outcomes.value == [])
        #expect(navigator.back())
        #expect(outcomes.value == [.cancelled(.left)])
        #expect(navigator.back() == false)
        #expect(navigator.state.picture == "[/list/all*]")
    }

    @Test("The moves of an end apply to the stack without the flow, and show immediately")
    func leadsOn() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let script = Script(event: { puppet, _, _ in puppet.flow.finish(with: "x") })
        let navigator = try await navigator(
            script, outcomes: outcomes, then: [.replace("/list/7"), .push("/child/9"), .push("/list/8")])
        navigator.onRejection = { _, _ in }
        let shown = Box<[String]>([])
        navigator.onChange = { shown.value.append($0.picture) }
        navigator.send(.tapped)
        #expect(shown.value == ["[/list/7, /list/8*]"], "the push of another flow's screen is left out")
        let refusal = TransitionError.belongsToAnotherFlow(route: "/child/9", flow: "child", top: "list")
        #expect(navigator.journal.entries.contains(.rejected("push /child/9", .rejected(refusal))))
    }

    @Test("If the moves of an end fail, the flow has ended anyway")
    func leadsNowhere() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let script = Script(event: { puppet, _, _ in puppet.flow.finish(with: "x") })
        let navigator = try await navigator(script, outcomes: outcomes, then: [.show(["/nowhere/1"])])
        navigator.onRejection = { _, _ in }
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(outcomes.value == [.finished("x")])
        #expect(
            navigator.journal.entries.contains { entry in
                if case .rejected(_, .undeclaredFlow("nowhere", path: "/nowhere/1")) = entry { true } else { false }
            })
    }

    @Test("A flow that is removed with the one below it reports to nobody")
    func sweptAway() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(Script(), outcomes: outcomes, then: [.push("/list/666")])
        try navigator.perform(.show(["/child/1"]))
        #expect(outcomes.value == [])
        #expect(navigator.state.picture == "[/child/1*]")
    }

    @Test("The moves after a canceled flow apply too")
    func leftLeadsOn() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(Script(), outcomes: outcomes, then: [.push("/list/9")])
        navigator.back()
        navigator.back()
        #expect(outcomes.value == [.cancelled(.left)])
        #expect(navigator.state.picture == "[/list/all, /list/9*]")
    }

    @Test("A flow that the gate does not admit any longer learns that it was barred")
    func barred() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(Script(), outcomes: outcomes)
        navigator.gate = Gate(judge: { $0.path.hasPrefix("/child") ? .barred(entrance: []) : .admitted })
        navigator.settle()
        #expect(outcomes.value == [.cancelled(.barred)])
        #expect(navigator.state.picture == "[/list/all*]")
    }

    @Test("The lowest flow learns that it was left, although nothing is below it")
    func lowestLeft() async throws {
        let outcomes = Box<[Outcome<String>]>([])
        let navigator = try await navigator(Script(), outcomes: outcomes)
        try navigator.perform(.show(["/child/1"]))
        try navigator.perform(.show(["/list/all"]))
        #expect(outcomes.value == [.cancelled(.left)])
    }

    @Test("The lowest flow may end, and the gate decides what is shown then")
    func lowest() async throws {
        let child = ChildFlow<Page>(puppet: "child", Script(event: { puppet, _, _ in puppet.flow.finish(with: "x") }))
        let navigator = Navigator(children: [ChildFlow(puppet: "list"), child], gate: Gate(home: ["/list/all"]))
        try navigator.perform(.show(["/child/1"]))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/list/all*]")
    }

    @Test("An end may set the gate: a finished login leads to the requested place")
    func setsGate() async throws {
        let app = App()
        try app.navigator.perform(.show(["/list/all", "/list/42"]))
        #expect(app.navigator.state.picture == "[/login/name*]")
        let shown = Box<[String]>([])
        app.navigator.onChange = { shown.value.append($0.picture) }
        app.navigator.send(.tapped)
        #expect(shown.value == ["[/list/all, /list/42*]"])
        #expect(app.navigator.journal.edges == [.init("/login/name", "tapped", "/list/<n>")])
    }

    @Test("The nearest declaration of a kind counts, then the root's")
    func nearest() async throws {
        let told = Box<[String]>([])
        func declared(by name: String) -> ChildFlow<Page> {
            ChildFlow(puppet: "child") { _ in
                told.value.append(name)
                return []
            }
        }
        let list = ChildFlow<Page>(puppet: "list", Script(children: [declared(by: "list")]))
        let other = ChildFlow<Page>(puppet: "other", Script(children: [declared(by: "other")]))
        let plain = ChildFlow<Page>(puppet: "plain")
        let navigator = Navigator(children: [declared(by: "root"), list, other, plain])
        for stack: [Page] in [
            ["/list/1", "/child/1"], ["/list/1", "/plain/1", "/child/1"],
            ["/list/1", "/other/1", "/child/1"], ["/plain/1", "/child/1"],
        ] {
            try navigator.perform(.show(stack))
            _ = navigator.back()
        }
        #expect(told.value == ["list", "list", "other", "root"])
    }
}

/// Returns an application that signs in the user who finishes the login.
private final class App {
    private(set) lazy var navigator: Navigator<Page> = Navigator(
        children: [
            ChildFlow(puppet: "list"),
            ChildFlow(puppet: "login", Script(event: { puppet, _, _ in puppet.flow.finish(with: "ada") })) {
                [weak self] outcome in
                if case .finished(let user) = outcome { self?.navigator.gate = App.gate(user) }
                return []
            },
        ], gate: App.gate(nil))

    static func gate(_ subject: String?) -> Gate<Page> {
        Gate(subject: subject, entrance: ["/login/name"], home: ["/list/all"]) { page in
            (subject == nil) == (page.flow == "login")
        }
    }
}
