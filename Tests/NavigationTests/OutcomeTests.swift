import Navigation
import Testing

@Suite("The end of a flow")
struct OutcomeTests {
    @Test("A finished log-in leads to the place that was asked for")
    func deferredTargetIsReached() async throws {
        let app = Box<Navigator<Page>?>(nil)
        let login = ChildFlow<Page>(
            puppet: "login", Script(event: { puppet, _, _ in puppet.flow.finish(with: "ada") }),
            ended: { outcome in
                if case .finished(let user) = outcome {
                    app.value?.gate.subject = user
                    app.value?.gate.admits = { $0.flow != "login" }
                }
                return []
            })
        let gate = Gate<Page>(entrance: ["/login/name"], home: ["/articles/list"]) { $0.flow == "login" }
        let sut = Navigator(children: [login, ChildFlow(puppet: "articles")], gate: gate)
        app.value = sut
        try await sut.perform(.show(["/articles/list", "/articles/42"]))
        #expect(sut.state.picture == "[/login/name*]")
        await sut.send(.tapped)
        #expect(sut.state.picture == "[/articles/list, /articles/42*]")
        #expect(sut.journal.edges == [.init("/login/name", "tapped", "/articles/<n>")])
        app.value = nil
    }
}
