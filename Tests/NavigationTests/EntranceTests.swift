import Navigation
import Testing

/// Requires a login for the list, a second factor for private pages, and a confirmation for irreversible actions.
@Suite("Several entrances")
struct EntranceTests {
    private struct Passed: OptionSet, Sendable {
        let rawValue: Int
        static let logIn = Passed(rawValue: 1)
        static let factor = Passed(rawValue: 2)
        static let confirmation = Passed(rawValue: 4)
    }

    private func gate(_ passed: Passed = [], subject: String? = "ada") -> Gate<Page> {
        let isIn = passed.contains(.logIn)
        return Gate(subject: isIn ? subject : nil, home: ["/list/all"]) { page in
            switch page.flow {
            case "login", "factor", "confirm": .admitted
            case _ where !isIn: .barred(entrance: ["/login/welcome", "/login/name"])
            case "private" where !passed.contains(.factor): .barred(entrance: ["/factor/code"])
            case "danger" where !passed.contains(.confirmation): .barred(entrance: ["/confirm/password"])
            case "never": .barred(entrance: [])
            default: .admitted
            }
        }
    }

    private func picture(_ pages: [Page], _ passed: Passed) -> String { gate(passed).judging(State(pages)).picture }

    @Test("Each place is barred by the entrance that it needs, above the admitted places")
    func each() {
        let stack: [Page] = ["/list/all", "/private/1", "/danger/1"]
        #expect(picture(stack, []) == "[/login/welcome, /login/name*]")
        #expect(picture(stack, .logIn) == "[/list/all | /factor/code*]")
        #expect(picture(stack, [.logIn, .factor]) == "[/list/all | /private/1 | /confirm/password*]")
        #expect(picture(stack, [.logIn, .factor, .confirmation]) == "[/list/all | /private/1 | /danger/1*]")
    }

    @Test("A target that needs several entrances goes through one after the other")
    func chain() throws {
        var state = gate().judging(State(["/list/all", "/danger/1", "/private/1"]))
        for (passed, picture) in [
            (.logIn, "[/list/all | /confirm/password*]"),
            ([.logIn, .confirmation], "[/list/all | /danger/1 | /factor/code*]"),
            ([.logIn, .confirmation, .factor], "[/list/all | /danger/1 | /private/1*]"),
        ] as [(Passed, String)] {
            let entrance = try #require(state.deferred).entrance
            state = gate(passed).judging(try state.applying(.end(entrance)))
            #expect(state.picture == picture)
            #expect(flaws(of: state, judgedBy: gate(passed)) == [])
        }
        #expect(state.deferred == nil)
    }

    @Test("An entrance that is left without being passed is not shown again, and its target dropped")
    func left() throws {
        let waiting = gate(.logIn).judging(State(["/list/all", "/private/1"]))
        let left = gate(.logIn).judging(try waiting.applying(.pop(1)))
        #expect(left.picture == "[/list/all*]")
        #expect(left.deferred == nil)
    }

    @Test("An entrance that is no longer valid closes its places, which wait for it again")
    func takenBack() {
        let all: Passed = [.logIn, .factor, .confirmation]
        let shown = gate(all).judging(State(["/list/all", "/danger/1"]))
        let again = gate([.logIn, .factor]).judging(shown)
        #expect(again.picture == "[/list/all | /confirm/password*]")
        #expect(again.deferred?.target == ["/list/all", "/danger/1"])
        #expect(again.deferred?.needed == "/confirm/password")
    }

    @Test("A place that nothing leads to is left out, and a waiting target continues to wait")
    func never() throws {
        #expect(picture(["/list/all", "/never/1"], .logIn) == "[/list/all*]")
        let waiting = gate(.logIn).judging(State(["/list/all", "/private/1"]))
        let asked = gate(.logIn).judging(try waiting.applying(.begin("/never/1")))
        #expect(asked.picture == "[/list/all | /factor/code*]")
        #expect(asked.deferred?.target == ["/list/all", "/private/1"])
    }

    @Test("A target that needs another entrance than the shown one puts it on top")
    func another() throws {
        let waiting = gate(.logIn).judging(State(["/list/all", "/private/1"]))
        let state = gate(.logIn).judging(try waiting.applying(.begin("/danger/1")))
        #expect(state.picture == "[/list/all | /factor/code | /confirm/password*]")
        #expect(state.deferred?.needed == "/confirm/password")
        #expect(flaws(of: state, judgedBy: gate(.logIn)) == [])
    }

    @Test("Home is behind its entrance too")
    func home() {
        #expect(gate().judging(State()).picture == "[/login/welcome, /login/name*]")
        #expect(gate(.logIn).judging(State()).picture == "[/list/all*]")
    }

    @Test("A waiting target keeps its flows and its modal screens")
    func frames() throws {
        let shown = try gate(.logIn).judging(State(["/list/all"]))
            .applying(.begin("/list/all")).applying(.present("/list/sheet")).applying(.begin("/list/1", modal: true))
        let expired = gate().judging(shown)
        #expect(expired.picture == "[/login/welcome, /login/name*]")
        let entrance = try #require(expired.deferred).entrance
        let back = gate(.logIn).judging(try expired.applying(.end(entrance)))
        #expect(back.picture == "[/list/all | /list/all, (/list/sheet | (/list/1*]")
    }

    @Test("A link may open a modal screen and a flow of its own, also behind the log-in")
    func modalTarget() throws {
        let target = Target<Page>(["/list/all"]).pushing("/list/1").presenting("/list/sheet").beginning("/list/all")
        let picture = "[/list/all, /list/1, (/list/sheet | /list/all*]"
        #expect(target.description == picture)
        #expect(target.beginning("/a/1", modal: true).description == picture.dropLast(2) + " | (/a/1*]")
        #expect(target.routes == ["/list/all", "/list/1", "/list/sheet", "/list/all"])
        #expect(try State().applying(.show(target)).picture == picture)
        let waiting = gate().judging(State(target))
        #expect(waiting.deferred?.target == target)
        #expect("\(waiting)" == "[/login/welcome, /login/name*], then \(picture)")
        let entrance = try #require(waiting.deferred).entrance
        #expect(gate(.logIn).judging(try waiting.applying(.end(entrance))).picture == picture)
    }

    @Test("Showing keeps equal frames, and a modal or flow-opening screen is a different one")
    func agreement() throws {
        let modal = State(Target<Page>(["/list/all"]).presenting("/list/1"))
        #expect(try modal.applying(.show(Target(["/list/all"]).presenting("/list/1"))) == modal)
        let plain = try modal.applying(.show(["/list/all", "/list/1"]))
        #expect(plain.picture == "[/list/all, /list/1*]")
        #expect(plain.frames[0] == modal.frames[0])
        #expect(
            try plain.applying(.show(Target(["/list/all"]).beginning("/list/1"))).picture == "[/list/all | /list/1*]")
        #expect(try State().applying(.show(Target<Page>([]).presenting("/list/1"))).picture == "[/list/1*]")
    }
}
