import Foundation
import Navigation
import Testing
import TestSupport

@Suite("Random operations in random order")
struct RandomWalkTests {
    private static let pages: [Page] = [
        "/a/1", "/a/2", "/b/1", "/b/2", "/b/list", "/c/1", "/c/full", "/login/name", "/login/password", "/factor/code",
    ]

    /// Draws all its choices, and those of its coordinators, from one seed.
    private final class Walker {
        var random: SeededGenerator
        private let hasSections: Bool
        private(set) lazy var navigator: Navigator<Page> = Navigator(
            children: ["b", "c", "login", "factor", "ask"].map(declared) + [
                ChildFlow(puppet: "a", script(children: [declared("b")]))
            ],
            gate: gate())

        /// How often each rare state was reached.
        private(set) var reached: [String: Int] = [:]

        init(seed: UInt64, hasSections: Bool) {
            random = SeededGenerator(seed: seed)
            self.hasSections = hasSections
        }

        func count(_ what: String, _ isReached: Bool) {
            if isReached { reached[what, default: 0] += 1 }
        }

        func one<T>(of choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }

        func page() -> Page { one(of: RandomWalkTests.pages) }

        func stack(_ most: Int) -> [Page] { (0..<Int.random(in: 0...most, using: &random)).map { _ in page() } }

        func gate() -> Gate<Page> {
            let subject = one(of: [nil, "ada", "bob"])
            let barred = Set(stack(3))
            let guarded = one(of: [nil, nil, page()])
            return Gate(subject: subject, home: ["/a/1"], sections: sections(), backAtRoot: policy()) { page in
                if page == "/login/name" || page.flow == "ask" { return .admitted }
                guard subject != nil, !barred.contains(page) else { return .barred(entrance: ["/login/name"]) }
                return page == guarded && page.flow != "factor" ? .barred(entrance: ["/factor/code"]) : .admitted
            }
        }

        /// Usually the same sections, because a change empties those that are gone.
        private func sections() -> [NavigationSection<Page>] {
            guard hasSections else { return [] }
            let all: [NavigationSection<Page>] = [
                .init("one", home: ["/a/1"]), .init("two", home: ["/b/list"]), .init("three", home: ["/c/1"]),
            ]
            return one(of: [all, all, all, all, all, Array(all.dropFirst()), Array(all.dropLast(2)), []])
        }

        private func policy() -> BackAtRoot { hasSections ? one(of: [.leave, .firstSection, .history]) : .leave }

        private func section() -> SectionID { one(of: ["one", "two", "three"]) }

        private func frame() -> FrameID? {
            let state = navigator.state
            let frames = state.sections.flatMap { state.frames(in: $0.id) }
            return frames.isEmpty ? nil : one(of: frames).id
        }

        func transition() -> Transition<Page> {
            if hasSections, one(of: [true, false, false]) { return sectionTransition() }
            return transitionInSection()
        }

        private func sectionTransition() -> Transition<Page> {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .selectPrevious
            case 1, 2: frame().map { .move($0, to: section()) } ?? .selectPrevious
            case 3: .show(target().in(section()))
            default: .select(section())
            }
        }

        private func transitionInSection() -> Transition<Page> {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: .push(page())
            case 2: .present(page())
            case 3: .begin(page())
            case 4: .begin(page(), modal: true)
            case 5: .replace(page())
            case 6: .pop(Int.random(in: -1...3, using: &random))
            case 7: one(of: [.popToRoot, .dismiss, navigator.state.frames.first.map { .back($0.id) } ?? .dismiss])
            case 8: navigator.state.flows.isEmpty ? .dismiss : .end(one(of: navigator.state.flows.map(\.id)))
            default: .show(target())
            }
        }

        private func target() -> Target<Page> {
            stack(5).reduce(Target()) { target, page in
                switch one(of: [0, 0, 0, 1, 2]) {
                case 0: target.pushing(page)
                case 1: target.presenting(page)
                default: target.beginning(page, modal: one(of: [true, false]))
                }
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
                event: { [unowned self] puppet, event, page in
                    if case .chose = event { count("results", true) }
                    if page.flow == "ask", one(of: [true, false]) { return puppet.flow.finish(with: "yes") }
                    puppet.memory = one(of: [nil, "typed", puppet.memory])
                    act(puppet.flow)
                    act(puppet.flow)
                },
                question: { [unowned self] _ in one(of: [nil, nil, nil, "/ask/whether"]) })
        }

        private func act(_ flow: Flow<Page, String>) {
            switch Int.random(in: 0..<13, using: &random) {
            case 9:
                let number = Int.random(in: 0...9, using: &random)
                flow.run(one(of: ["one", "two"])) {
                    await Task.yield()
                    return .chose(number)
                }
            case 10: flow.stop("one")
            case 11: flow.leaveAll(then: .tapped)
            case 12: flow.send(.tapped)
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
            case 0...3: try? navigator.perform(transition())
            case 4, 5: navigator.send(.tapped)
            case 6: tapPane()
            case 7: _ = navigator.back()
            case 8:
                navigator.gate = gate()
                navigator.settle()
            default: await restore()
            }
            if one(of: [true, false, false]) { await navigator.finishWork() }
            count("questions", navigator.state.question != nil)
            count("waiting", navigator.state.deferred != nil)
            count(
                "waiting behind",
                navigator.state.deferred.map { waiting in
                    !navigator.state.frames.contains { $0.flow == waiting.entrance }
                } ?? false)
            count("lower panes", navigator.state.panes(for: navigator.widthClass).active.count > 1)
            count("several sections", navigator.state.flows.filter { $0.parent == nil }.count > 1)
            count("second entrances", navigator.state.deferred?.needed == "/factor/code")
        }

        /// Taps on a visible screen, at any width.
        private func tapPane() {
            navigator.widthClass = one(of: [.compact, .medium, .expanded, .expanded])
            if hasSections, one(of: [true, false]) {
                let selection = try? navigator.select(one(of: [section(), navigator.state.section ?? "one"]))
                count("selected \(selection.map { "\($0)" } ?? "nothing")", true)
            }
            let active = navigator.state.panes(for: navigator.widthClass).active
            if !active.isEmpty { navigator.send(.tapped, from: one(of: active).id) }
        }

        /// Restores a state that was written and read again; one of its paths may be invalid.
        private func restore() async {
            let state = one(of: [navigator.state, State(target())])
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            guard let data = try? encoder.encode(state) else { return count("unwritable", true) }
            var text = String(decoding: data, as: UTF8.self)
            let isTamperedWith = one(of: [true, false])
            if isTamperedWith { text = text.replacing("/b/list", with: "gone") }
            let read: State
            do {
                read = try JSONDecoder().decode(State.self, from: Data(text.utf8))
            } catch {
                return count("unreadable: \(error) \(text)", true)
            }
            count("unlike what was written", !isTamperedWith && read.target != state.target)
            count("sections", text.contains("sections"))
            count("unlike what waited", !isTamperedWith && read.deferred?.target != state.deferred?.target)
            count("memories", text.contains("memory"))
            count("cut", read.frames.count < state.frames.count)
            try? navigator.restore(read)
        }
    }

    /// `FUZZ_STEPS` steps in total, divided into walks with a seed each.
    private static let walks = 10
    private static let steps = Fuzzing.rounds(usual: 20_000) / walks

    /// The properties of panes and of selecting that hold for every state.
    private func flaws(ofPanesIn state: State) -> [String] {
        var flaws: [String] = []
        for width in WidthClass.allCases {
            let panes = state.panes(for: width)
            let visible = panes.columns + [panes.modal].compactMap(\.self)
            if !visible.allSatisfy(state.frames.contains) { flaws.append("\(width): a pane shows an absent frame") }
            if panes.top != state.top { flaws.append("\(width): the frame on top is not visible") }
            if state.panes(for: .compact).columns.last != panes.columns.last {
                flaws.append("\(width): another column")
            }
            let stacks = state.columnStacks(for: width)
            if stacks.map(\.last) != panes.columns { flaws.append("\(width): a column ends elsewhere") }
            if Array(stacks.joined()) != Array(state.frames.prefix(stacks.joined().count)) {
                flaws.append("\(width): the columns are not the stack")
            }
            let roles = panes.columns.map(\.route.paneRole)
            if roles != Set(roles).sorted() { flaws.append("\(width): \(roles)") }
        }
        for section in state.sections {
            guard let once = try? state.applying(.select(section.id)) else { continue }
            if (try? once.applying(.select(section.id))) != once { flaws.append("selecting \(section.id) twice") }
            let (before, after) = (state.frames(in: section.id), once.frames)
            let isKept = before.isEmpty ? after.map(\.route) == section.home : after == before
            let back = state.section.map { start in (try? once.applying(.select(start)))?.frames }
            if !isKept || (back != state.frames && !state.frames.isEmpty) {
                flaws.append("selecting \(section.id) and going back")
            }
        }
        return flaws.isEmpty ? [] : flaws + [state.sectionsPicture]
    }

    @Test(
        "The gate has checked the stacks, and the coordinators match them", arguments: 1...UInt64(walks), [false, true])
    func walk(seed: UInt64, hasSections: Bool) async throws {
        let walker = Walker(seed: seed, hasSections: hasSections)
        let navigator = walker.navigator
        navigator.onRejection = { _, _ in }
        navigator.reconsider()
        for step in 0..<Self.steps {
            await walker.step()
            let open = Set(navigator.state.flows.map(\.id))
            if let question = navigator.state.question { #expect(open.contains(question), "step \(step)") }
            #expect(NavigationTests.flaws(of: navigator.state, judgedBy: navigator.gate) == [], "step \(step)")
            #expect(flaws(ofPanesIn: navigator.state) == [], "step \(step)")
            #expect(Set(navigator.coordinators.keys) == Set(navigator.state.flows.map(\.id)), "step \(step)")
        }
        let entries = navigator.journal.entries
        #expect(entries.contains { if case .ended(_, .finished) = $0 { true } else { false } })
        var rare = ["results", "questions", "waiting", "second entrances", "memories", "cut", "lower panes"]
        if hasSections {
            rare += ["sections", "several sections", "waiting behind"]
            rare += ["shown", "wentToRoot", "wasAtRoot", "nothing"].map { "selected \($0)" }
        }
        #expect(rare.allSatisfy { walker.reached[$0, default: 0] > 0 }, "\(walker.reached)")
        if Self.steps > 2000 { print("Seed \(seed): \(Self.steps) steps. Reached: \(walker.reached).") }
        #expect(!walker.reached.keys.contains { $0.hasPrefix("un") }, "\(walker.reached)")
    }
}
