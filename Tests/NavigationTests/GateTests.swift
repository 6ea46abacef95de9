import Navigation
import TestSupport
import Testing

@Suite("A gate checks states")
struct GateTests {
    /// Admits the login and public pages for everybody, and the rest for signed-in users.
    private func gate(_ subject: String?, entrance: [Page] = ["/login/name"], home: [Page] = ["/list/all"]) -> Gate<
        Page
    > {
        Gate(subject: subject, entrance: entrance, home: home) { page in
            subject != nil || ["login", "signup", "public"].contains(page.flow)
        }
    }

    @Test("An admitted state is not changed")
    func admitted() {
        let proposed = State(["/public/1", "/login/name"])
        #expect(gate(nil).judging(proposed) == proposed)
        #expect(gate(nil).judging(proposed).deferred == nil)
    }

    @Test("The entrance replaces barred frames, above admitted ones, and the whole stack waits")
    func barred() throws {
        let state = gate(nil).judging(State(["/public/1", "/list/all", "/public/2"]))
        #expect(state.picture == "[/public/1 | /login/name*]")
        let deferred = try #require(state.deferred)
        #expect(deferred.target.routes == ["/public/1", "/list/all", "/public/2"])
        #expect(deferred.subject == nil)
        #expect(deferred.entrance == state.top?.flow)
    }

    @Test(
        "Existing frames of the entrance are not inserted again",
        arguments: [
            (["/public/1"], ["/public/1", "/login/name"], "[/public/1 | /login/name*]", ["/list/all"]),
            (["/login/name"], ["/login/name"], "[/login/name*]", ["/list/all"]),
            (["/login/name", "/signup/region"], ["/login/name"], "[/login/name | /signup/region*]", ["/list/all"]),
            (["/login/1"], ["/login/1", "/login/2"], "[/login/1, /login/2*]", ["/list/all"]),
            (["/login/2"], ["/login/1", "/login/2"], "[/login/2 | /login/1, /login/2*]", ["/list/all"]),
            (
                ["/public/1", "/public/2"], ["/public/1", "/login/name"],
                "[/public/1, /public/2 | /public/1 | /login/name*]", ["/public/2", "/list/all"]
            ),
        ] as [([Page], [Page], String, [Page])])
    func laidOver(beneath: [Page], entrance: [Page], picture: String, waiting: [Page]) {
        let state = gate(nil, entrance: entrance).judging(State(beneath + ["/list/all"]))
        #expect(state.picture == picture)
        #expect(state.deferred?.target.routes == waiting)
        #expect(flaws(of: state, judgedBy: gate(nil, entrance: entrance)) == [])
    }

    @Test("A login in progress is not restarted by another target, which replaces the first")
    func secondTarget() throws {
        let first = gate(nil).judging(State(["/list/all"]))
        let asking = try first.applying(.replace("/login/password")).applying(.begin("/list/42"))
        let second = gate(nil).judging(asking)
        #expect(second.picture == "[/login/password*]")
        #expect(second.flows == first.flows)
        #expect(second.deferred?.target.routes == ["/list/42"])
    }

    @Test("An empty stack becomes home, the entrance if home is barred, or nothing if neither is admitted")
    func empty() {
        #expect(gate("ada").judging(State()).picture == "[/list/all*]")
        #expect(gate(nil).judging(State()).picture == "[/login/name*]")
        #expect(gate(nil).judging(State()).deferred == nil)
        #expect(Gate<Page>(entrance: []) { _ in false }.judging(State()).picture == "[]")
        #expect(Gate<Page>(entrance: ["/a/1"], home: ["/b/1"]) { _ in false }.judging(State()).picture == "[]")
    }

    @Test("An entrance that is not admitted itself is not shown")
    func entranceNotAdmitted() {
        let gate = Gate<Page>(entrance: ["/login/name"], home: ["/public/1"]) { $0.flow == "public" }
        let state = gate.judging(State(["/public/2", "/list/all"]))
        #expect(state.picture == "[/public/2*]")
        #expect(state.deferred == nil)
        #expect(gate.judging(State(["/list/all"])).picture == "[/public/1*]")
    }

    @Test("No checked state shows a barred place, and checking twice is the same as once", arguments: 1...20)
    func anyState(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pages: [Page] = [
            "/public/1", "/public/2", "/login/name", "/login/password", "/signup/region", "/list/all", "/list/1",
        ]
        func some(_ count: ClosedRange<Int>) -> [Page] {
            (0..<Int.random(in: count, using: &random)).compactMap { _ in pages.randomElement(using: &random) }
        }
        for _ in 0..<200 {
            var state = State(some(0...6))
            for _ in 0..<4 {
                let admitted = Set(some(0...8))
                let gate = Gate<Page>(
                    subject: [nil, "ada", "bob"].randomElement(using: &random) ?? nil, entrance: some(0...3),
                    home: some(0...2)
                ) { admitted.contains($0) }
                state = gate.judging(state)
                #expect(flaws(of: state, judgedBy: gate) == [])
                state = try state.applying(.show(state.frames.prefix(2).map(\.route) + some(0...3)))
            }
        }
    }
}
