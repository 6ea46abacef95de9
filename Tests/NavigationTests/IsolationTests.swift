import Navigation
import Testing

@Suite("The owner of a navigator decides where it runs")
struct IsolationTests {
    /// A coordinator on the main actor, such as one that makes views.
    @MainActor
    private final class MainCoordinator: @MainActor Coordinator {
        let flow: Flow<Page, Void>

        init(_ flow: Flow<Page, Void>) { self.flow = flow }

        func start() {
            MainActor.assertIsolated()
        }

        func eventOccurred(_ event: Signal, in route: Page) {
            MainActor.assertIsolated()
            flow.push("/a/2")
        }

        func screen(for route: Page, outlet: Outlet<Page.Event>) async throws -> String {
            MainActor.assertIsolated()
            return route.path
        }
    }

    @Test("A navigator can run on the main actor of an application")
    @MainActor
    func mainActor() async throws {
        let child = ChildFlow<Page>("a", make: { MainCoordinator($0) }, ended: { _ in [] })
        let navigator = Navigator(children: [child])
        navigator.onChange = { _ in MainActor.assertIsolated() }
        try navigator.perform(.show(["/a/1"]))
        navigator.send(.tapped)
        #expect(try await navigator.screen() == "/a/2")
    }

    /// An owner of a navigator on the main actor.
    @MainActor
    private final class MainOwner {
        let navigator: Navigator<Page>

        init(_ navigator: Navigator<Page>) { self.navigator = navigator }
    }

    @Test("Pending work is done where the owner says")
    @MainActor
    func pending() async throws {
        let child = ChildFlow<Page>("a", make: { MainCoordinator($0) }, ended: { _ in [] })
        let navigator = Navigator(children: [child])
        try navigator.perform(.show(["/a/1"]))
        let coordinator = try #require(navigator.coordinators.values.first as? MainCoordinator)
        let owner = MainOwner(navigator)
        navigator.onPending = { Task { @MainActor in owner.navigator.settle() } }
        await withCheckedContinuation { continuation in
            navigator.onChange = { _ in continuation.resume() }
            coordinator.flow.send(.tapped)
        }
        #expect(navigator.state.picture == "[/a/1, /a/2*]")
        navigator.onPending = nil
    }

    /// A session of a web application.
    private actor Session {
        private let navigator: Navigator<Page>
        private(set) var changes = 0

        init() {
            navigator = Navigator(children: [
                ChildFlow(
                    puppet: "a",
                    Script(event: { puppet, event, _ in
                        if case .chose(let number) = event {
                            puppet.flow.replace(with: Page(stringLiteral: "/a/\(number)"))
                        }
                    }))
            ])
        }

        func open() async throws {
            navigator.onChange = { [unowned self] _ in self.assumeIsolated { $0.changes += 1 } }
            try navigator.perform(.show(["/a/0"]))
        }

        func choose(_ number: Int) async -> State {
            navigator.send(.chose(number))
            return navigator.state
        }

        func settled() async -> State {
            navigator.settle()
            return navigator.state
        }
    }

    @Test("An actor can own a navigator for each session, also for simultaneous requests")
    func actors() async throws {
        let session = Session()
        try await session.open()
        await withTaskGroup { group in
            for number in 1...50 { group.addTask { _ = await session.choose(number) } }
        }
        let state = await session.settled()
        #expect(state.frames.count == 1)
        #expect(await session.changes == 51)
    }
}
