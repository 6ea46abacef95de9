import Navigation
import TestSupport
import Testing

@Suite("Whatever is done, in whatever order")
struct RandomWalkTests {
    private static let pages: [Page] = ["/a/1", "/a/2", "/b/1", "/b/2", "/c/1", "/login/name", "/login/password"]

    /// A walker draws all its choices, those of its coordinators too, from one seed.
    private final class Walker {
        var random: SeededGenerator
        private(set) lazy var navigator: Navigator<Page> = Navigator(
            children: ["b", "c", "login"].map(declared) + [ChildFlow(puppet: "a", script(children: [declared("b")]))],
            gate: gate())

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        func one<T>(of choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }

        func page() -> Page { one(of: RandomWalkTests.pages) }

        func stack(_ most: Int) -> [Page] { (0..<Int.random(in: 0...most, using: &random)).map { _ in page() } }

        func gate() -> Gate<Page> {
            let subject = one(of: [nil, "ada", "bob"])
            let barred = Set(stack(3))
            return Gate(subject: subject, entrance: ["/login/name"], home: ["/a/1"]) { page in
                page == "/login/name" || (subject != nil && !barred.contains(page))
            }
        }

        func transition() -> Transition<Page> {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: .push(page())
            case 2: .present(page())
            case 3: .begin(page())
            case 4: .begin(page(), modal: true)
            case 5: .replace(page())
            case 6: .pop(Int.random(in: -1...3, using: &random))
            case 7: one(of: [.popToRoot, .dismiss])
            case 8: navigator.state.flows.isEmpty ? .dismiss : .end(one(of: navigator.state.flows.map(\.id)))
            default: .show(stack(5))
            }
        }

        private func declared(_ kind: FlowKind) -> ChildFlow<Page> {
            ChildFlow(puppet: kind, script()) { [unowned self] _ in
                if one(of: [true, false, false]) { navigator.gate = gate() }
                return (0..<one(of: [0, 0, 0, 1, 2])).map { _ in transition() }
            }
        }

        private func script(children: [ChildFlow<Page>] = []) -> Script {
            Script(
                children: children,
                start: { [unowned self] puppet in if one(of: [false, false, false, true]) { act(puppet.flow) } },
                event: { [unowned self] puppet, _, _ in
                    act(puppet.flow)
                    await Task.yield()
                    act(puppet.flow)
                })
        }

        private func act(_ flow: Flow<Page, String>) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: flow.push(page())
            case 2: flow.begin(page(), modal: one(of: [true, false]))
            case 3: flow.pop()
            case 4: flow.show(stack(4))
            case 5: flow.finish(with: "x")
            case 6: flow.cancel()
            case 7: navigator.gate = gate()
            default: flow.replace(with: page())
            }
        }

        func step() async {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: try? await navigator.perform(transition())
            case 4...6: await navigator.send(.tapped)
            case 7: _ = await navigator.back()
            case 8:
                navigator.gate = gate()
                await navigator.settle()
            default: try? await navigator.restore(one(of: [navigator.state, State(stack(5))]))
            }
        }
    }

    @Test("the stack is judged, and matched by its coordinators", arguments: 1...10)
    func walk(seed: UInt64) async throws {
        let walker = Walker(seed: seed)
        let navigator = walker.navigator
        await navigator.reconsider()
        for step in 0..<2000 {
            await walker.step()
            #expect(flaws(of: navigator.state, judgedBy: navigator.gate) == [], "step \(step)")
            #expect(Set(navigator.coordinators.keys) == Set(navigator.state.flows.map(\.id)), "step \(step)")
        }
        let entries = navigator.journal.entries
        #expect(entries.contains { if case .ended(_, .finished) = $0 { true } else { false } })
    }
}
