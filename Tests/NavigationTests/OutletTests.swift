import Navigation
import Synchronization
import Testing

@Suite("An outlet belongs to its frame")
struct OutletTests {
    private let heard = Box<[String]>([])

    private func navigator(_ act: @escaping (Flow<Page, String>, Signal) -> Void = { _, _ in }) async throws
        -> Navigator<Page>
    {
        let script = Script(event: { [heard] puppet, event, page in
            heard.value.append("\(event) on \(page)")
            act(puppet.flow, event)
        })
        let navigator = Navigator<Page>(children: [
            ChildFlow(puppet: "a", script), ChildFlow(puppet: "b", script),
        ])
        try navigator.perform(.show(["/a/list"]))
        return navigator
    }

    /// The outlet of the screen on top.
    private func outlet(of navigator: Navigator<Page>) async throws -> Outlet<Signal> {
        _ = try await navigator.screen()
        let top = try #require(navigator.state.top)
        return try #require((navigator.coordinators[top.flow] as? Puppet)?.outlet)
    }

    @Test("A second tap on a row that already opens is dropped, and journaled")
    func doubleTap() async throws {
        let navigator = try await navigator { flow, _ in flow.push("/a/7") }
        let row = try await outlet(of: navigator)
        row(.tapped)
        row(.tapped)
        navigator.settle()
        #expect(navigator.state.picture == "[/a/list, /a/7*]")
        #expect(heard.value == ["tapped on /a/list"])
        #expect(navigator.journal.entries.contains(.dropped("tapped")))
    }

    @Test("Events of a covered screen are dropped, and accepted again when it is uncovered")
    func covered() async throws {
        let navigator = try await navigator()
        let row = try await outlet(of: navigator)
        for cover: Transition<Page> in [.push("/a/7"), .present("/a/7"), .begin("/b/1"), .begin("/a/list")] {
            try navigator.perform(cover)
            row(.tapped)
            navigator.settle()
            #expect(heard.value == [])
            navigator.back()
        }
        row(.tapped)
        navigator.settle()
        #expect(heard.value == ["tapped on /a/list"])
    }

    @Test("A screen that shows another place is the same, and another screen in its place is not")
    func replaced() async throws {
        let navigator = try await navigator()
        try navigator.perform(.push("/a/7"))
        let article = try await outlet(of: navigator)
        try navigator.perform(.replace("/a/8"))
        article(.tapped)
        navigator.settle()
        #expect(heard.value == ["tapped on /a/8"])
        try navigator.perform(.replace("/a/other"))
        article(.tapped)
        navigator.settle()
        #expect(heard.value.count == 1)
    }

    @Test("A screen that came back is another screen, also at the same place")
    func goneAndBack() async throws {
        let navigator = try await navigator()
        try navigator.perform(.push("/a/7"))
        let article = try await outlet(of: navigator)
        navigator.back()
        try navigator.perform(.push("/a/7"))
        article(.tapped)
        navigator.settle()
        #expect(heard.value == [])
    }

    @Test("In a user interface that shows several frames, each has its own outlet")
    func beneath() async throws {
        let navigator = try await navigator()
        try navigator.perform(.push("/a/7"))
        let list = navigator.state.frames[0]
        #expect(try await navigator.screen(of: list.id) == "screen of /a/list")
        let row = try #require((navigator.coordinators[list.flow] as? Puppet)?.outlet)
        navigator.back()
        #expect(try await navigator.screen(of: navigator.state.frames[0].id) == "screen of /a/list")
        row(.tapped)
        navigator.settle()
        #expect(heard.value == ["tapped on /a/list"])
        try navigator.perform(.show(["/b/1"]))
        #expect(try await navigator.screen(of: list.id) == nil)
    }

    @Test("An event goes to the screen on which it happened, or is dropped")
    func sentFrom() async throws {
        let navigator = try await navigator()
        let list = try #require(navigator.state.top)
        try navigator.perform(.push("/a/7"))
        navigator.send(.tapped, from: list.id)
        #expect(heard.value == [])
        navigator.back()
        navigator.send(.tapped, from: list.id)
        #expect(heard.value == ["tapped on /a/list"])
    }

    @Test("Events reported before anybody listened are announced to the first listener")
    func announcedLate() async throws {
        let navigator = try await navigator()
        let row = try await outlet(of: navigator)
        row(.tapped)
        let log = Log()
        navigator.onPending = { log.append("pending") }
        #expect(log.lines == ["pending"])
        navigator.settle()
        navigator.onPending = { log.append("again") }
        #expect(log.lines == ["pending"])
    }

    @Test("An outlet works on any thread: the owner is notified, and events are handled in order")
    func anyTask() async throws {
        let navigator = try await navigator()
        let log = Log()
        navigator.onPending = { log.append("pending") }
        let row = try await outlet(of: navigator)
        await Task.detached {
            row(.chose(1))
            row(.chose(2))
        }.value
        #expect(log.lines == ["pending", "pending"])
        #expect(heard.value == [])
        navigator.send(.tapped)
        #expect(heard.value == ["chose(1) on /a/list", "chose(2) on /a/list", "tapped on /a/list"])
    }

    @Test("Events of a screen and of its flow are handled in the order in which they were sent")
    func inOrder() async throws {
        let navigator = try await navigator()
        let row = try await outlet(of: navigator)
        let flow = try #require(navigator.coordinators.values.first as? Puppet).flow
        row(.chose(1))
        flow.send(.chose(2))
        row(.chose(3))
        navigator.settle()
        #expect(heard.value == (1...3).map { "chose(\($0)) on /a/list" })
    }

    @Test("A restored screen is not the one before it, although it looks the same")
    func restored() async throws {
        let navigator = try await navigator()
        let row = try await outlet(of: navigator)
        try navigator.restore(navigator.state)
        row(.tapped)
        navigator.settle()
        #expect(heard.value == [])
    }

    @Test("Events reported while a turn runs are handled by it and not announced")
    func duringTurn() async throws {
        let row = Box<Outlet<Signal>?>(nil)
        let navigator = try await navigator { _, event in if event == .tapped { row.value?(.chose(1)) } }
        row.value = try await outlet(of: navigator)
        let log = Log()
        navigator.onPending = { log.append("pending") }
        navigator.send(.tapped)
        #expect(heard.value == ["tapped on /a/list", "chose(1) on /a/list"])
        #expect(log.lines == [])
    }

    /// The state that two threads share: the owner's turn, and the handled reports of the screen.
    private final class Meeting: Sendable {
        /// Odd while a turn runs.
        let turn = Atomic(0)
        let announced = Atomic(0)
        let handled = Atomic(0)
        let isOver = Atomic(false)
    }

    @Test("Events reported while a turn ends are handled by it or announced, whenever they arrive")
    func endOfTurn() async throws {
        let meeting = Meeting()
        let turns = Box<[Int: Int]>([:])
        let navigator = try await navigator { _, event in
            guard case .chose(let number) = event else { return }
            turns.value[number] = meeting.turn.load(ordering: .sequentiallyConsistent)
            meeting.handled.store(number, ordering: .sequentiallyConsistent)
        }
        navigator.onPending = { meeting.announced.add(1, ordering: .sequentiallyConsistent) }
        let row = try await outlet(of: navigator)
        let taps = Task.detached {
            // The reports that were not announced, and the turn that had to handle each.
            var due: [Int: Int] = [:]
            for number in 1...3000 {
                let announced = meeting.announced.load(ordering: .sequentiallyConsistent)
                row(.chose(number))
                let turn = meeting.turn.load(ordering: .sequentiallyConsistent)
                if meeting.announced.load(ordering: .sequentiallyConsistent) == announced { due[number] = turn }
                while meeting.handled.load(ordering: .sequentiallyConsistent) < number { await Task.yield() }
            }
            meeting.isOver.store(true, ordering: .sequentiallyConsistent)
            return due
        }
        while !meeting.isOver.load(ordering: .sequentiallyConsistent) {
            for _ in 1...50 {
                meeting.turn.add(1, ordering: .sequentiallyConsistent)
                navigator.settle()
                meeting.turn.add(1, ordering: .sequentiallyConsistent)
            }
            await Task.yield()
        }
        for (number, turn) in await taps.value {
            #expect(try #require(turns.value[number]) <= turn, "report \(number)")
        }
    }
}
