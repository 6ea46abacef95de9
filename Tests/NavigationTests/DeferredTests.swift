import Navigation
import Testing

@Suite("A deferred target")
struct DeferredTests {
    private func gate(_ subject: String?) -> Gate<Page> {
        Gate(subject: subject, entrance: ["/login/name"], home: ["/list/all"]) { page in
            (subject == nil) == (page.flow == "login") || page.flow == "public"
        }
    }

    @Test("A target is shown once the entrance is passed")
    func resumed() throws {
        let waiting = gate(nil).judging(State(["/list/all", "/list/42"]))
        #expect(waiting.picture == "[/login/name*]")
        let passed = gate("ada").judging(try waiting.applying(.show([])))
        #expect(passed.picture == "[/list/all, /list/42*]")
        #expect(passed.deferred == nil)
    }

    @Test("A target is shown when the entrance is not admitted any more")
    func entranceClosed() {
        let waiting = gate(nil).judging(State(["/public/1", "/list/42"]))
        #expect(gate("ada").judging(waiting).picture == "[/public/1 | /list/42*]")
    }

    @Test("A target waits while the entrance is open, also when access has been granted")
    func waits() throws {
        var open = gate("ada")
        open.judge = { _ in .admitted }
        let waiting = open.judging(gate(nil).judging(State(["/list/42"])))
        #expect(waiting.picture == "[/login/name*]")
        #expect(open.judging(try waiting.applying(.end(waiting.flows[0].id))).picture == "[/list/42*]")
    }

    @Test("A target is dropped when the login is left")
    func forgotten() throws {
        let waiting = gate(nil).judging(State(["/public/1", "/list/42"]))
        let left = gate(nil).judging(try waiting.applying(.pop(1)))
        #expect(left.picture == "[/public/1*]")
        #expect(left.deferred == nil)
        #expect(gate("ada").judging(left).picture == "[/public/1*]")
    }

    @Test("A target of one user is not shown to another", arguments: [("ada", "[/list/42*]"), ("bob", "[/list/all*]")])
    func ownership(user: String, picture: String) throws {
        let shown = gate("ada").judging(State(["/list/42"]))
        let expired = gate(nil).judging(shown)
        #expect(expired.picture == "[/login/name*]")
        #expect(expired.deferred?.subject == "ada")
        #expect(gate(user).judging(expired).picture == picture)
    }

    @Test("A target is never an entrance that has closed")
    func closedEntrance() {
        let expired = gate(nil).judging(gate("ada").judging(State(["/list/42"])))
        var bobs = gate("bob")
        bobs.judge = { $0.flow == "login" ? .barred(entrance: ["/public/1"]) : .admitted }
        let state = bobs.judging(expired)
        #expect(state.picture == "[/list/all*]")
        #expect(state.deferred == nil)
    }

    @Test("A target requested by nobody is for the next user who signs in")
    func nobodys() {
        #expect(gate("bob").judging(gate(nil).judging(State(["/list/42"]))).picture == "[/list/42*]")
    }

    @Test("A stack of one user is not shown to another, even without a logout between")
    func switched() {
        let shown = gate("ada").judging(State(["/list/42"]))
        #expect(gate("bob").judging(shown).picture == "[/list/all*]")
    }

    @Test("A target is dropped if it is not admitted even after the sign-in")
    func stillBarred() throws {
        let waiting = gate(nil).judging(State(["/list/42"]))
        var strict = gate("ada")
        strict.judge = { $0 == "/list/all" ? .admitted : .barred(entrance: ["/login/name"]) }
        let state = strict.judging(waiting)
        #expect(state.picture == "[/list/all*]")
        #expect(state.deferred == nil)
    }

    @Test("A target that nothing can open is dropped, and does not block the entrance")
    func unopenable() async throws {
        let login = ChildFlow<Page>(
            puppet: "login", Script(event: { puppet, _, _ in puppet.flow.finish(with: "ada") }))
        let navigator = Navigator<Page>(children: [login, ChildFlow(puppet: "list")], gate: gate(nil))
        try navigator.perform(.show(["/undeclared/1"]))
        #expect(navigator.state.picture == "[/login/name*]")
        navigator.gate = gate("ada")
        navigator.settle()
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(navigator.state.deferred == nil)
        #expect(
            navigator.journal.entries.contains(
                .rejected("judge", .undeclaredFlow("undeclared", path: "/undeclared/1"))))
    }

    @Test("A target that nothing leads to any more is dropped, and not shown in part")
    func nothingLeads() {
        let waiting = gate(nil).judging(State(["/list/42", "/list/7"]))
        var strict = gate("ada")
        strict.judge = { ["/list/7", "/login/name"].contains($0) ? .barred(entrance: []) : .admitted }
        let state = strict.judging(waiting)
        #expect(state.picture == "[/list/all*]")
        #expect(state.deferred == nil)
    }

    @Test("A target that opens in part gives none of its identities to the shown screens")
    func openableInPart() async throws {
        let made = Box<[Flow<Page, String>]>([])
        let heard = Box<[String]>([])
        let list = ChildFlow<Page>(
            "list",
            make: { (flow: Flow<Page, String>) in
                made.value.append(flow)
                return Puppet(flow, Script(event: { _, event, page in heard.value.append("\(event) in \(page)") }))
            }, ended: { _ in [] })
        let navigator = Navigator<Page>(children: [ChildFlow(puppet: "login"), list], gate: gate(nil))
        try navigator.perform(.show(["/list/1", "/undeclared/1"]))
        navigator.gate = gate("ada")
        navigator.settle()
        #expect(navigator.state.picture == "[/list/all*]")
        #expect(made.value.count == 2)
        made.value[0].send(.tapped)
        navigator.settle()
        #expect(heard.value == [])
    }
}
