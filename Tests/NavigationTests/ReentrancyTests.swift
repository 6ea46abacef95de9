import Navigation
import Testing

@Suite("Turns")
struct ReentrancyTests {
    @Test("A coordinator is started once, when its first screen is about to show, and not before")
    func startedWhenShown() async throws {
        let started = Box<[String]>([])
        func declared(_ kind: FlowKind) -> ChildFlow<Page> {
            ChildFlow(puppet: kind, Script(start: { _ in started.value.append(kind.name) }))
        }
        let navigator = Navigator(children: [declared("a"), declared("b")])
        try navigator.perform(.show(["/a/1", "/b/1"]))
        #expect(started.value == ["b"])
        try navigator.perform(.push("/b/2"))
        #expect(started.value == ["b"])
        _ = navigator.back()
        _ = navigator.back()
        #expect(started.value == ["b", "a"])
    }

    @Test("A redirect at the start is shown instead, in the same turn")
    func redirect() async throws {
        let away = ChildFlow<Page>(puppet: "away", Script(start: { $0.flow.show(["/list/all"]) }))
        let finished = ChildFlow<Page>(puppet: "done", Script(start: { $0.flow.finish(with: "x") }))
        let navigator = Navigator(children: [away, finished, ChildFlow(puppet: "list")])
        let shown = Box<[String]>([])
        navigator.onChange = { shown.value.append($0.picture) }
        try navigator.perform(.show(["/away/1"]))
        #expect(shown.value == ["[/list/all*]"])
        try navigator.perform(.begin("/done/1"))
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(navigator.coordinators.count == 1)
    }

    @Test("A cycle of redirects is stopped, and the error names it")
    func circle() async throws {
        func sending(_ kind: FlowKind, to page: Page) -> ChildFlow<Page> {
            ChildFlow(puppet: kind, Script(start: { $0.flow.show([page]) }))
        }
        let navigator = Navigator(
            children: [sending("a", to: "/b/1"), sending("b", to: "/c/1"), sending("c", to: "/a/1")])
        let error = #expect(throws: NavigationError.self) { try navigator.perform(.show(["/a/1"])) }
        guard case .endlessTurn(let circle)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(circle.count == 4)
        #expect(circle.first == circle.last)
        #expect(Set(circle) == ["/a/1", "/b/1", "/c/1"])
        #expect(flaws(of: navigator.state, judgedBy: navigator.gate) == [])
    }

    @Test("A cycle of gates is stopped too, and shows nothing that the last one bars")
    func circleOfGates() async throws {
        let owner = Box<Navigator<Page>?>(nil)
        func closing(_ kind: FlowKind, inFavourOf page: Page) -> ChildFlow<Page> {
            ChildFlow(
                puppet: kind,
                Script(start: { _ in owner.value?.gate = Gate(entrance: [page]) { $0 == page } }))
        }
        let navigator = Navigator(
            children: [closing("a", inFavourOf: "/b/1"), closing("b", inFavourOf: "/a/1")],
            gate: Gate(home: ["/a/1"]))
        owner.value = navigator
        navigator.reconsider()
        guard case .rejected(_, .endlessTurn)? = navigator.journal.entries.last else {
            Issue.record("\(String(describing: navigator.journal.entries.last))")
            return
        }
        #expect(navigator.state.frames.allSatisfy { navigator.gate.admits($0.route) })
        owner.value = nil
    }

    @Test("A turn that is stopped leaves no work for the next")
    func nothingLeft() async throws {
        let script = Script(event: { puppet, event, _ in
            guard event == .tapped else { return }
            for _ in 0..<1500 { puppet.flow.push("/a/1") }
        })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(navigator.state.frames.count == 1001)
        navigator.send(.chose(1))
        #expect(navigator.state.frames.count == 1001)
    }

    @Test("A stack that grows without end is stopped too")
    func growing() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", Script(start: { $0.flow.begin("/a/1") }))])
        #expect(throws: NavigationError.endlessTurn(circle: ["/a/1", "/a/1"])) {
            try navigator.perform(.show(["/a/1"]))
        }
    }

    @Test("Requests of a handler are executed after it returns, and then its events, in order")
    func order() async throws {
        let log = Box<[String]>([])
        let script = Script(event: { puppet, event, page in
            log.value.append("\(event) in \(page)")
            guard event == .tapped else { return }
            puppet.flow.send(.chose(1))
            puppet.flow.push("/a/2")
            puppet.flow.send(.chose(2))
            puppet.flow.push("/a/3")
            log.value.append("returning")
        })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        try navigator.perform(.show(["/a/1"]))
        navigator.onChange = { log.value.append($0.picture) }
        navigator.send(.tapped)
        #expect(
            log.value == [
                "tapped in /a/1", "returning", "[/a/1, /a/2, /a/3*]", "chose(1) in /a/3", "[/a/1, /a/2, /a/3*]",
                "chose(2) in /a/3", "[/a/1, /a/2, /a/3*]",
            ])
    }

    @Test("Events and moves of an owner during a handler are executed after it, in order")
    func ownerReenters() async throws {
        let log = Box<[String]>([])
        let owner = Box<Navigator<Page>?>(nil)
        let script = Script(event: { puppet, event, _ in
            log.value.append("\(event) begins")
            if event == .tapped {
                owner.value?.send(.chose(1))
                try? owner.value?.perform(.push("/a/2"))
                #expect(owner.value?.back() == true)
                owner.value?.send(.chose(2))
                owner.value?.settle()
            }
            log.value.append("\(event) ends in \(owner.value?.state.picture ?? "")")
        })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        owner.value = navigator
        try navigator.perform(.show(["/a/1"]), .push("/a/9"))
        navigator.send(.tapped)
        #expect(
            log.value == [
                "tapped begins", "tapped ends in [/a/1, /a/9*]",
                "chose(1) begins", "chose(1) ends in [/a/1, /a/9*]",
                "chose(2) begins", "chose(2) ends in [/a/1, /a/9*]",
            ])
        owner.value = nil
    }

    @Test("Relative moves of a flow that is not on top are refused, and dismissing and showing are not")
    func notOnTop() async throws {
        let below = Box<Flow<Page, String>?>(nil)
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", Script(start: { below.value = below.value ?? $0.flow }))
        ])
        try navigator.perform(.show(["/a/1"]))
        try navigator.perform(.begin("/a/1", modal: true))
        let flow = try #require(below.value)
        for move in [
            { flow.push("/a/2") }, { flow.present("/a/2") }, { flow.begin("/a/2") }, { flow.replace(with: "/a/2") },
            { flow.pop() }, { flow.popToRoot() },
        ] {
            move()
            navigator.settle()
            #expect(navigator.state.picture == "[/a/1 | (/a/1*]")
        }
        let refused = navigator.journal.entries.compactMap { entry in
            if case .rejected(let move, .rejected(.notOnTop("a"))) = entry { move } else { nil }
        }
        #expect(
            refused == ["push /a/2", "present /a/2", "begin /a/2", "replace by /a/2", "pop 1", "pop to root"])
        flow.dismiss()
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("Requests between turns are announced, and executed in order when the owner settles")
    func pending() async throws {
        let kept = Box<Flow<Page, String>?>(nil)
        let log = Log()
        let script = Script(
            start: { kept.value = $0.flow },
            event: { puppet, event, page in
                log.append("\(event) in \(page)")
                if event == .tapped { puppet.flow.send(.chose(3)) }
            })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        navigator.onPending = { log.append("pending") }
        try navigator.perform(.show(["/a/1"]))
        #expect(log.lines == [])
        kept.value?.push("/a/2")
        kept.value?.send(.tapped)
        #expect(navigator.state.picture == "[/a/1*]")
        navigator.settle()
        #expect(navigator.state.picture == "[/a/1, /a/2*]")
        #expect(log.lines == ["pending", "pending", "tapped in /a/2", "chose(3) in /a/2"])
    }

    @Test("A gate that is set applies in the next turn, before anything else")
    func gateSet() async throws {
        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"], home: ["/list/all"])
        let events = Box<[Signal]>([])
        let list = ChildFlow<Page>(puppet: "list", Script(event: { _, event, _ in events.value.append(event) }))
        let navigator = Navigator(children: [ChildFlow(puppet: "login"), list], gate: gate)
        try navigator.perform(.show(["/list/all"]))
        navigator.gate.subject = nil
        navigator.gate.judge = { $0.flow == "login" ? .admitted : .barred(entrance: ["/login/name"]) }
        navigator.send(.tapped)
        #expect(events.value == [], "the list is gone before the event reaches it")
        #expect(navigator.state.picture == "[/login/name*]")
        #expect(navigator.state.deferred?.subject == "ada")
    }

    @Test("A gate set between turns is announced, and one set by a handler applies in its turn")
    func gateAnnounced() async throws {
        let log = Log()
        let owner = Box<Navigator<Page>?>(nil)
        let script = Script(event: { _, _, _ in owner.value?.gate = Gate() })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        owner.value = navigator
        navigator.onPending = { log.append("pending") }
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(log.lines == [])
        navigator.gate = Gate()
        #expect(log.lines == ["pending"])
        owner.value = nil
    }

    @Test("A gate set by a handler applies even if the handler's requests are refused")
    func gateSetInVain() async throws {
        let owner = Box<Navigator<Page>?>(nil)
        let list = ChildFlow<Page>(
            puppet: "list",
            Script(event: { puppet, _, _ in
                owner.value?.gate = Gate(entrance: ["/login/name"]) { $0.flow != "list" }
                puppet.flow.show(["/nowhere/1"])
            }))
        let navigator = Navigator(children: [ChildFlow(puppet: "login"), list])
        navigator.onRejection = { _, _ in }
        owner.value = navigator
        try navigator.perform(.show(["/list/all"]))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/login/name*]")
        owner.value = nil
    }

    @Test("A gate set by a handler checks its requests before it checks the shown state")
    func gateSetAndMoved() async throws {
        let owner = Box<Navigator<Page>?>(nil)
        let list = ChildFlow<Page>(
            puppet: "list",
            Script(event: { puppet, _, _ in
                owner.value?.gate = Gate(entrance: ["/login/name"]) { $0.flow != "list" }
                puppet.flow.show(["/public/1"])
            }))
        let navigator = Navigator(children: [ChildFlow(puppet: "login"), ChildFlow(puppet: "public"), list])
        owner.value = navigator
        try navigator.perform(.show(["/list/all"]))
        navigator.send(.tapped)
        #expect(navigator.state.picture == "[/public/1*]")
        #expect(navigator.state.deferred == nil)
        owner.value = nil
    }

    @Test("A gate set between turns wins over earlier requests")
    func gateGoesFirst() async throws {
        let kept = Box<Flow<Page, String>?>(nil)
        let list = ChildFlow<Page>(puppet: "list", Script(start: { kept.value = $0.flow }))
        let gate = Gate<Page>(subject: "ada", entrance: ["/login/name"])
        let navigator = Navigator(children: [ChildFlow(puppet: "login"), list], gate: gate)
        try navigator.perform(.show(["/list/all"]))
        kept.value?.push("/list/42")
        navigator.gate = Gate(entrance: ["/login/name"]) { $0.flow == "login" }
        navigator.settle()
        #expect(navigator.state.deferred?.target.routes == ["/list/all"])
        #expect(navigator.state.deferred?.subject == "ada")
        #expect(navigator.journal.entries.last == .dropped("push /list/42"))
    }

    @Test("The gate is asked again if its answer depends on another value")
    func reconsider() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "list")], gate: Gate(home: ["/list/all"]))
        navigator.reconsider()
        #expect(navigator.state.picture == "[/list/all*]")
    }

    @Test("An impossible move changes nothing, also of the moves made with it")
    func allOrNothing() async throws {
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])
        try navigator.perform(.show(["/a/1"]))
        #expect(throws: NavigationError.rejected(.nothingToDismiss)) {
            try navigator.perform(.push("/a/2"), .dismiss)
        }
        #expect(navigator.state.picture == "[/a/1*]")
    }

    @Test("An event to an empty stack does nothing")
    func empty() async throws {
        let navigator = Navigator<Page>(children: [])
        navigator.send(.tapped)
        #expect(navigator.back() == false)
        #expect(try await navigator.screen() == nil)
        #expect(navigator.journal.entries == [.dropped("tapped")])
    }

    @Test("The top frame's coordinator makes its screen, again if the top changes in the meantime")
    func screens() async throws {
        final class Slow: Coordinator {
            let navigator: Box<Navigator<Page>?>
            init(_ navigator: Box<Navigator<Page>?>) { self.navigator = navigator }
            func screen(for route: Page, outlet: Outlet<Page.Event>) async throws -> String {
                if route == "/a/1" { try navigator.value?.perform(.push("/a/2")) }
                return "screen of \(route)"
            }
        }
        let owner = Box<Navigator<Page>?>(nil)
        let slow = ChildFlow<Page>("a", make: { (_: Flow<Page, Void>) in Slow(owner) }, ended: { _ in [] })
        let navigator = Navigator<Page>(children: [slow])
        owner.value = navigator
        try navigator.perform(.show(["/a/1"]))
        #expect(try await navigator.screen() == "screen of /a/2")
        owner.value = nil
    }

    @Test(
        "Going back inside a handler returns immediately whether there is a place to go back to",
        arguments: [true, false])
    func backInHandler(isLowest: Bool) async throws {
        let owner = Box<Navigator<Page>?>(nil)
        let said = Box<[Bool]>([])
        let script = Script(event: { _, _, _ in
            guard let navigator = owner.value else { return }
            let frames = navigator.state.frames
            said.value.append(navigator.back(to: frames[frames.count - 1].id))
            if !isLowest { said.value.append(navigator.back(to: frames[0].id)) }
            said.value.append(navigator.back())
        })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        owner.value = navigator
        try navigator.perform(.show(isLowest ? ["/a/1"] : ["/a/1", "/a/2", "/a/3"]))
        navigator.send(.tapped)
        #expect(said.value == (isLowest ? [false, false] : [false, true, true]))
        #expect(navigator.state.picture == "[/a/1*]")
        owner.value = nil
    }

    @Test("A turn that is stopped without a move names the place where it stopped")
    func circleOfNothing() async throws {
        let script = Script(event: { puppet, _, _ in for _ in 0..<1500 { puppet.flow.push("/b/1") } })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        navigator.onRejection = { _, _ in }
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(navigator.journal.entries.contains(.rejected("turn", .endlessTurn(circle: ["/a/1"]))))
    }

    @Test("Requests of an observer of a change are executed after it, in the same turn")
    func askedOnChange() async throws {
        let kept = Box<Flow<Page, String>?>(nil)
        let log = Box<[String]>([])
        let script = Script(
            start: { kept.value = $0.flow }, event: { _, event, page in log.value.append("\(event) in \(page)") })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a", script)])
        navigator.onChange = { state in
            log.value.append(state.picture)
            guard state.frames.count == 1 else { return }
            kept.value?.send(.tapped)
            kept.value?.push("/a/2")
            kept.value?.push("/a/3")
        }
        try navigator.perform(.show(["/a/1"]))
        #expect(log.value == ["[/a/1*]", "[/a/1, /a/2, /a/3*]", "tapped in /a/3", "[/a/1, /a/2, /a/3*]"])
    }
}
