import Navigation
import Synchronization
import TestSupport
import Testing

@Suite("Work of a flow")
struct WorkTests {
    private let heard = Box<[String]>([])
    private let latch = Latch()

    /// Begins work that waits for the latch, and logs whether it was canceled.
    private func begin(_ flow: Flow<Page, String>, _ name: String = "search", as number: Int = 1, _ log: Log? = nil) {
        flow.run(name) { [latch] in
            await latch.wait()
            log?.append("\(number) \(Task.isCancelled ? "cancelled" : "done")")
            return .chose(number)
        }
    }

    private func navigator(
        _ act: @escaping (Flow<Page, String>, Signal) -> Void
    ) async throws -> Navigator<Page> {
        let script = Script(event: { [heard] puppet, event, page in
            heard.value.append("\(event) in \(page)")
            act(puppet.flow, event)
        })
        let navigator = Navigator<Page>(children: ["a", "b"].map { ChildFlow(puppet: $0, script) })
        try navigator.perform(.show(["/a/1"]))
        return navigator
    }

    private func flow(of navigator: Navigator<Page>) throws -> Flow<Page, String> {
        try #require(navigator.state.top.flatMap { navigator.coordinators[$0.flow] as? Puppet }).flow
    }

    @Test("Work continues while events are handled, and its result is an event in a turn of its own")
    func inFlight() async throws {
        let navigator = try await navigator { [self] flow, event in if event == .tapped { begin(flow) } }
        navigator.send(.tapped)
        let flow = try flow(of: navigator)
        #expect(flow.isRunning("search"))
        #expect(navigator.hasWork)
        navigator.send(.password("x"))
        #expect(heard.value == ["tapped in /a/1", #"password("x") in /a/1"#])
        latch.open()
        await navigator.finishWork()
        #expect(heard.value.last == "chose(1) in /a/1")
        #expect(!flow.isRunning("search"))
        #expect(!navigator.hasWork)
        #expect(
            navigator.journal.entries.suffix(2) == [
                .event(name: "chose", path: "/a/1"), .led(.init("/a/<n>", "chose", "/a/<n>")),
            ])
    }

    @Test("The end of work notifies the owner, and changes the screen")
    func announced() async throws {
        let navigator = try await navigator { [self] flow, event in if event == .tapped { begin(flow) } }
        let pending = Latch()
        navigator.onPending = { pending.open() }
        navigator.send(.tapped)
        let changes = Box(0)
        navigator.onChange = { _ in changes.value += 1 }
        latch.open()
        await pending.wait()
        navigator.settle()
        #expect(heard.value.last == "chose(1) in /a/1")
        #expect(changes.value == 1)
    }

    @Test("The journal tells that work begun outside a turn waits if nobody hears of it")
    func waiting() async throws {
        let navigator = try await navigator { _, _ in }
        let flow = try flow(of: navigator)
        begin(flow)
        #expect(navigator.journal.entries.last == .waiting("run search"))
        #expect(!flow.isRunning("search"))
        navigator.settle()
        #expect(flow.isRunning("search"))
        navigator.onPending = {}
        begin(flow)
        #expect(navigator.journal.entries.last == .waiting("run search"), "the owner was told")
        #expect(navigator.journal.entries.filter { $0 == .waiting("run search") }.count == 1)
        latch.open()
        await navigator.finishWork()
    }

    @Test(
        "Work is canceled when its frame leaves, and its result is dropped",
        arguments: [.pop(1), .show(["/a/1"]), .replace("/a/other"), .show(["/b/1"])] as [Transition<Page>])
    func frameLeaves(move: Transition<Page>) async throws {
        let log = Log()
        let navigator = try await navigator { [self] flow, event in
            if event == .tapped {
                flow.push("/a/2")
                begin(flow, as: 1, log)
            }
        }
        navigator.send(.tapped)
        #expect(navigator.hasWork)
        let flow = try flow(of: navigator)
        try navigator.perform(move)
        #expect(!navigator.hasWork)
        #expect(!flow.isRunning("search"))
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines == ["1 cancelled"])
        while !navigator.journal.entries.contains(.dropped("chose")) { navigator.settle() }
        #expect(heard.value == ["tapped in /a/1"])
    }

    @Test("Work gives its result to a closure in a separate turn, with the place that its frame then shows")
    func completion() async throws {
        let navigator = try await navigator { [self] flow, event in
            guard event == .tapped else { return flow.replace(with: "/a/2") }
            flow.run("count") { [latch] _ in
                await latch.wait()
                return 7
            } then: { [heard] number, page in
                heard.value.append("\(number) in \(page)")
                flow.push("/a/3")
            }
        }
        navigator.send(.tapped)
        navigator.send(.chose(1))
        #expect(try flow(of: navigator).isRunning("count"))
        latch.open()
        await navigator.finishWork()
        #expect(heard.value == ["tapped in /a/1", "chose(1) in /a/1", "7 in /a/2"])
        #expect(navigator.state.frames.map(\.route) == ["/a/2", "/a/3"])
        #expect(!navigator.hasWork)
        #expect(
            navigator.journal.entries.suffix(3) == [
                .event(name: "count", path: "/a/2"), .transition(before: ["/a/2"], after: ["/a/2", "/a/3"]),
                .led(.init("/a/<n>", "count", "/a/<n>")),
            ])
    }

    @Test("A closure for a result is neither called nor kept after its work is replaced, stopped, or left")
    func noCompletion() async throws {
        let log = Log()
        let navigator = try await navigator { [latch] flow, event in
            guard case .chose(let number) = event else { return flow.stop("count") }
            let token = Token { log.append("\(number) released") }
            flow.run("count") { _ in
                await latch.wait()
            } then: { _, _ in
                withExtendedLifetime(token) { log.append("\(number) called") }
            }
        }
        navigator.send(.chose(1))
        #expect(log.lines == [])
        navigator.send(.chose(2))
        #expect(log.lines == ["1 released"])
        navigator.send(.tapped)
        #expect(log.lines == ["1 released", "2 released"])
        navigator.send(.chose(3))
        try navigator.perform(.show(["/b/1"]))
        #expect(log.lines == ["1 released", "2 released", "3 released"])
        latch.open()
        await navigator.finishWork()
        #expect(log.lines.count == 3)
    }

    @Test("Work stays with its frame below other screens, and when that shows another place")
    func frameStays() async throws {
        let navigator = try await navigator { [self] flow, event in if event == .tapped { begin(flow) } }
        navigator.send(.tapped)
        try navigator.perform(.replace("/a/2"), .push("/a/3"), .begin("/b/1"))
        latch.open()
        await navigator.finishWork()
        #expect(heard.value.last == "chose(1) in /a/2")
        #expect(navigator.journal.edges.map(\.event) == ["tapped"], "nobody was led anywhere by it")
    }

    @Test("Work belongs to the frame that was on top when it was requested")
    func order() async throws {
        let navigator = try await navigator { [self] flow, event in
            guard event == .tapped else { return }
            flow.push("/a/2")
            begin(flow)
        }
        navigator.send(.tapped)
        latch.open()
        await navigator.finishWork()
        #expect(heard.value.last == "chose(1) in /a/2")
    }

    @Test("Work replaces running work of the same name, and of no other")
    func replaced() async throws {
        let log = Log()
        let navigator = try await navigator { [self] flow, event in
            guard event == .tapped else { return }
            begin(flow, as: 1, log)
            begin(flow, as: 2, log)
            begin(flow, "other", as: 3, log)
        }
        navigator.send(.tapped)
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines == ["1 cancelled"])
        latch.open()
        await navigator.finishWork()
        #expect(Set(heard.value) == ["tapped in /a/1", "chose(2) in /a/1", "chose(3) in /a/1"])
    }

    @Test("Work reports progress before its result, and no longer after it was stopped")
    func progress() async throws {
        let navigator = try await navigator { [self] flow, event in
            guard event == .tapped else { return }
            flow.run(
                "import",
                reporting: { [latch] report in
                    report(.chose(1))
                    report(.chose(2))
                    await latch.wait()
                    return .chose(3)
                })
        }
        let pending = Latch()
        navigator.onPending = { pending.open() }
        navigator.send(.tapped)
        await pending.wait()
        navigator.settle()
        #expect(heard.value.contains("chose(1) in /a/1"))
        #expect(navigator.hasWork)
        latch.open()
        await navigator.finishWork()
        #expect(heard.value == ["tapped", "chose(1)", "chose(2)", "chose(3)"].map { "\($0) in /a/1" })
    }

    @Test("Stopped work reports nothing more, not even pending reports")
    func stoppedOnTheWay() async throws {
        let log = Log()
        let navigator = try await navigator { flow, event in
            guard event == .tapped else { return flow.stop("import") }
            flow.run(
                "import",
                reporting: { report in
                    report(.chose(1))
                    report(.chose(2))
                    log.append("reported")
                    return .chose(3)
                })
        }
        navigator.send(.tapped)
        while log.lines.isEmpty { await Task.yield() }
        await navigator.finishWork()
        #expect(heard.value == ["tapped in /a/1", "chose(1) in /a/1"])
    }

    @Test("A flow stops its work")
    func stopped() async throws {
        let navigator = try await navigator { [self] flow, event in
            if event == .tapped { begin(flow) } else { flow.stop("search") }
        }
        navigator.send(.tapped)
        navigator.send(.password(""))
        #expect(!navigator.hasWork)
        latch.open()
        await navigator.finishWork()
        #expect(heard.value.count == 2)
    }

    @Test("Any amount of work can begin: it is not a cycle")
    func muchWork() async throws {
        let navigator = try await navigator { flow, event in
            guard event == .tapped else { return }
            for number in 0..<1500 { flow.run("\(number)") { .chose(number) } }
        }
        navigator.send(.tapped)
        await navigator.finishWork()
        #expect(heard.value.count == 1501)
    }

    @Test("Work of a flow that has ended does not begin")
    func ended() async throws {
        let navigator = try await navigator { [self] flow, event in
            guard event == .tapped else { return }
            flow.finish(with: "x")
            begin(flow)
        }
        try navigator.perform(.begin("/b/1"))
        navigator.send(.tapped)
        #expect(!navigator.hasWork)
        #expect(navigator.journal.entries.contains(.dropped("search")))
    }

    @Test("Work is canceled with the navigator")
    func released() async throws {
        let log = Log()
        var navigator: Navigator<Page>? = try await navigator { [self] flow, event in begin(flow, as: 1, log) }
        navigator?.send(.tapped)
        navigator = nil
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines == ["1 cancelled"])
    }

    @Test("A caller that waits for all work begins work that was requested between turns")
    func askedBetweenTurns() async throws {
        let navigator = try await navigator { _, _ in }
        try flow(of: navigator).run("search") { .chose(1) }
        #expect(!navigator.hasWork)
        await navigator.finishWork()
        #expect(heard.value == ["chose(1) in /a/1"])
    }

    @Test("Work belongs to its flow: another flow neither sees nor stops it")
    func ownership() async throws {
        let navigator = try await navigator { [self] flow, event in if event == .tapped { begin(flow) } }
        navigator.send(.tapped)
        let below = try flow(of: navigator)
        try navigator.perform(.begin("/a/1"))
        let above = try flow(of: navigator)
        #expect(!above.isRunning("search"))
        above.stop("search")
        navigator.settle()
        #expect(below.isRunning("search"))
    }

    @Test("Work can be stopped from another screen of its flow")
    func stoppedFromAbove() async throws {
        let navigator = try await navigator { [self] flow, event in if event == .tapped { begin(flow) } }
        navigator.send(.tapped)
        try navigator.perform(.push("/a/2"))
        try flow(of: navigator).stop("search")
        navigator.settle()
        #expect(!navigator.hasWork)
    }
}

/// Tells when it is released.
private final class Token {
    private let released: () -> Void

    init(_ released: @escaping () -> Void) { self.released = released }

    deinit { released() }
}
