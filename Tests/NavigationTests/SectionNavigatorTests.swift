import Navigation
import NavigationTesting
import Testing

@Suite("A navigator with sections")
struct SectionNavigatorTests {
    private let heard = Box<[String]>([])

    private func navigator(
        gate: Gate<Page> = sectionGate(), question: @escaping ([Page]) -> Page? = { _ in nil },
        act: @escaping (Flow<Page, String>, Signal, Page) -> Void = { _, _, _ in }
    ) -> Navigator<Page> {
        let script = Script(
            event: { [heard] puppet, event, page in
                heard.value.append("\(event) on \(page)")
                act(puppet.flow, event, page)
            }, question: question)
        let navigator = Navigator<Page>(
            children: ["a", "b", "c", "login", "ask"].map { ChildFlow(puppet: $0, script) }, gate: gate)
        navigator.reconsider()
        return navigator
    }

    @Test("Selecting a section opens its flow once, and keeps the coordinators of the others")
    func coordinators() async throws {
        let navigator = navigator()
        let first = try #require(navigator.coordinators.values.first)
        #expect(try navigator.select("two") == .shown)
        #expect(navigator.coordinators.count == 2)
        #expect(navigator.coordinators.values.contains { $0 === first })
        #expect(try navigator.select("one") == .shown)
        #expect(navigator.coordinators.count == 2)
        let started = navigator.journal.entries.filter { if case .started = $0 { true } else { false } }
        #expect(started == [.started("a"), .started("b")])
    }

    @Test("Selecting the selected section goes back to its root, and then asks the front to scroll up")
    func again() async throws {
        let navigator = navigator()
        try navigator.perform(.push("/a/2"), .push("/a/3"))
        #expect(try navigator.select("one") == .wentToRoot)
        #expect(navigator.state.picture == "[/a/1*]")
        let root = navigator.state
        #expect(try navigator.select("one") == .wasAtRoot)
        #expect(navigator.state == root)
    }

    @Test("Going to the root asks the flows that would lose something")
    func againAsks() async throws {
        let navigator = navigator(question: { $0.contains("/b/7") ? "/ask/whether" : nil })
        try navigator.perform(.begin("/b/7"))
        #expect(try navigator.select("one") == .wentToRoot)
        #expect(navigator.state.picture == "[/a/1 | /b/7 | (/ask/whether*]")
    }

    @Test("Selecting another section asks nothing, because nothing is lost")
    func selectingAsksNothing() async throws {
        let navigator = navigator(question: { _ in "/ask/whether" })
        try navigator.select("two")
        #expect(navigator.state.sectionsPicture == "one [/a/1], two [/b/1*], three []")
    }

    @Test("A section cannot be selected beneath a modal frame, or if it is not declared")
    func refused() async throws {
        let navigator = navigator()
        #expect(throws: NavigationError.rejected(.noSuchSection("four"))) { try navigator.select("four") }
        try navigator.perform(.begin("/c/9", modal: true))
        for section in ["one", "two"] as [SectionID] {
            #expect(throws: NavigationError.rejected(.modalOnTop(path: "/c/9"))) {
                try navigator.select(section)
            }
        }
        #expect(navigator.state.section == "one")
    }

    @Test("A flow may select a section, and a link may be shown before anything else")
    func byFlow() async throws {
        let navigator = navigator(act: { flow, _, _ in flow.select("three") })
        navigator.send(.tapped)
        #expect(navigator.state.section == "three")
        let fresh = Navigator<Page>(
            children: [ChildFlow(puppet: "b")], gate: sectionGate())
        try fresh.perform(.show(Target(["/b/1", "/b/2"]).in("two")))
        #expect(fresh.state.sectionsPicture == "one [], two [/b/1, /b/2*], three []")
    }

    @Test("A flow may move a frame to another section, where its work and its outlet go on")
    func move() async throws {
        let navigator = navigator(act: { flow, event, _ in
            if event == .tapped { flow.run("load") { .chose(8) } }
        })
        try navigator.perform(.begin("/b/7"))
        let frame = try #require(navigator.state.top)
        navigator.send(.tapped)
        let coordinator = try #require(navigator.coordinators[frame.flow])
        try navigator.perform(.move(frame.id, to: "three"))
        #expect(navigator.coordinators[frame.flow] === coordinator)
        await navigator.finishWork()
        #expect(heard.value == ["tapped on /b/7", "chose(8) on /b/7"])
        try navigator.select("three")
        navigator.send(.chose(1), from: frame.id)
        #expect(heard.value.last == "chose(1) on /b/7")
    }

    @Test("Events of a section that is not selected are dropped")
    func dropped() async throws {
        let navigator = navigator()
        let frame = try #require(navigator.state.top).id
        try navigator.select("two")
        navigator.widthClass = .expanded
        navigator.send(.tapped, from: frame)
        #expect(heard.value == [])
        #expect(navigator.journal.entries.last == .dropped("tapped"))
    }

    @Test("Work goes on in a section that is not selected, and can begin and be stopped there")
    func work() async throws {
        let flows = Box<[Flow<Page, String>]>([])
        let navigator = navigator(act: { flow, event, _ in
            flows.value.append(flow)
            if event == .tapped { flow.run("load") { .chose(1) } }
        })
        navigator.send(.tapped)
        try navigator.select("two")
        await navigator.finishWork()
        #expect(heard.value == ["tapped on /a/1", "chose(1) on /a/1"])
        let flow = try #require(flows.value.first)
        flow.run("again") { .chose(2) }
        navigator.settle()
        #expect(flow.isRunning("again"))
        #expect(navigator.hasWork(in: "one") && !navigator.hasWork(in: "two"))
        flow.stop("again")
        navigator.settle()
        #expect(!navigator.hasWork)
    }

    @Test("Work ends with its frame, in any section")
    func workEnds() async throws {
        let navigator = navigator(act: { flow, event, _ in
            if event == .tapped { flow.run("load") { .chose(1) } }
        })
        navigator.send(.tapped)
        let flow = try #require(navigator.state.top).flow
        try navigator.perform(.select("two"), .end(flow))
        #expect(!navigator.hasWork)
        #expect(navigator.state.sectionsPicture == "one [], two [/b/1*], three []")
    }

    @Test("The screen of a frame can be made in any section")
    func screen() async throws {
        let navigator = navigator()
        let frame = try #require(navigator.state.top).id
        try navigator.select("two")
        #expect(try await navigator.screen(of: frame) == "screen of /a/1")
    }

    @Test(
        "Going back at the root of a section follows the policy of the gate",
        arguments: [
            (.leave, ["three"]), (.firstSection, ["three", "one"]), (.history, ["three", "two", "one"]),
        ] as [(BackAtRoot, [SectionID])])
    func back(policy: BackAtRoot, sections: [SectionID]) async throws {
        let navigator = navigator(gate: sectionGate(backAtRoot: policy))
        try navigator.select("two")
        try navigator.select("three")
        try navigator.perform(.push("/c/2"))
        #expect(navigator.back())
        var visited: [SectionID?] = []
        repeat { visited.append(navigator.state.section) } while navigator.back()
        #expect(visited == sections)
        #expect(navigator.journal.edges.filter { $0.event == "back" } == [.init("/c/<n>", "back", "/c/<n>")])
    }

    @Test("Before all stacks are left, each flow of each section is asked once")
    func guards() async throws {
        let asked = Box<[[Page]]>([])
        let navigator = navigator(
            question: { routes in
                asked.value.append(routes)
                return routes.contains { $0.flow == "ask" } ? nil : "/ask/whether"
            },
            act: { flow, event, page in
                switch event {
                case .chose: heard.value.append("left")
                case .tapped where page.flow == "ask": flow.finish(with: "yes")
                default: flow.leaveAll(then: .chose(1))
                }
            })
        try navigator.select("two")
        try navigator.select("three")
        navigator.send(.password("x"))
        for _ in 1...3 {
            #expect(navigator.state.question != nil)
            #expect(!heard.value.contains("left"))
            navigator.send(.tapped)
        }
        #expect(navigator.state.question == nil)
        #expect(heard.value.last == "left")
        for page in ["/a/1", "/b/1"] as [Page] { #expect(asked.value.filter { $0 == [page] }.count == 1, "\(page)") }
    }

    @Test("A question that only its own flow declares can be asked from a section that is not selected")
    func declaredQuestion() async throws {
        let b = Script(children: [ChildFlow(puppet: "ask")], question: { _ in "/ask/whether" })
        let navigator = Navigator<Page>(
            children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "b", b)], gate: sectionGate())
        navigator.reconsider()
        try navigator.select("two")
        try navigator.select("one")
        let flow = navigator.state.frames(in: "two")[0].flow
        try navigator.perform(.end(flow))
        #expect(navigator.state.picture == "[/a/1 | (/ask/whether*]")
    }

    @Test("Flows that end in several sections are all released, and their ends are handled")
    func ends() async throws {
        let ended = Box<[String]>([])
        let recording = RecordingNavigator<Page>(
            children: ["a", "b", "c"].map { kind in
                ChildFlow(puppet: kind) { outcome in
                    ended.value.append("\(kind) \(outcome)")
                    return []
                }
            }, gate: sectionGate())
        let navigator = recording.navigator
        navigator.reconsider()
        try navigator.select("two")
        recording.skip()
        navigator.gate = Gate(home: ["/c/1"]) { $0.flow == "c" ? .admitted : .barred(entrance: []) }
        navigator.settle()
        #expect(navigator.state.picture == "[/c/1*]")
        #expect(
            ended.value.sorted() == [
                "a cancelled(Navigation.Cancellation.barred)", "b cancelled(Navigation.Cancellation.barred)",
            ])
        try recording.expectReleased("a", "b")
    }

    @Test("A saved state is restored in all sections, as far as flows are declared")
    func restored() async throws {
        let saved = navigator()
        try saved.perform(.begin("/c/1"), .begin("/b/7"), .select("two"), .begin("/c/1"), .select("three"))
        let navigator = Navigator<Page>(
            children: [ChildFlow(puppet: "a"), ChildFlow(puppet: "b"), ChildFlow(puppet: "x")],
            gate: Gate(sections: [
                .init("one", home: ["/a/1"]), .init("two", home: ["/b/1"]), .init("three", home: ["/x/1"]),
            ]))
        try navigator.restore(saved.state)
        #expect(navigator.state.sectionsPicture == "one [/a/1], two [/b/1], three [/x/1*]")
        #expect(Set(navigator.coordinators.keys) == Set(navigator.state.flows.map(\.id)))
    }

    @Test("The journal records the selected section, and changes of the other sections")
    func journal() async throws {
        let recording = RecordingNavigator<Page>(
            children: ["a", "b"].map { ChildFlow(puppet: $0) }, gate: sectionGate())
        let navigator = recording.navigator
        navigator.reconsider()
        try recording.expect(.selected("one"), .transition(before: [], after: ["/a/1"]), .started("a"))
        try navigator.perform(.push("/a/2"))
        recording.skip()
        try navigator.select("two")
        try recording.expect(
            .selected("two"), .transition(before: ["/a/1", "/a/2"], after: ["/b/1"]), .started("b"))
        let frame = navigator.state.frames(in: "one")[1].id
        #expect(throws: NavigationError.self) { try navigator.perform(.move(frame, to: "three")) }
        try recording.expect(
            .rejected("move \(frame) to three", .undeclaredFlow("c", path: "/c/1")))
        try navigator.perform(.end(navigator.state.frames(in: "one")[0].flow))
        try recording.expect(
            .sectionChanged("one", before: ["/a/1", "/a/2"], after: []), .ended("a", .cancelled))
        try recording.expectReleased("a")
    }
}
