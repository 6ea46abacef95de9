import ArticleStore
import FlowCoordinators
import Navigation
import Testing

@testable import WebFront

@Suite("Submitted buttons")
struct SubmissionTests {
    private func screen(_ language: String) -> Screen {
        let star = Action("\(language) star", .marked(.starred(true), ["a"]), for: .star)
        let tokens = Action("\(language) tokens", .open(.tokens))
        return Screen(
            title: "Articles",
            content: .list(
                List(
                    columns: [.init("Title", .primary)], rows: [.init([.text("A")], id: "1", actions: [star])],
                    placeholder: "")),
            actions: [Action("\(language) log out", .logOutChosen, for: .logOut), tokens])
    }

    @Test("A button is found by the ID of its action after the labels of the page have changed")
    func labels() throws {
        let (sent, present) = (screen("English"), screen("Other"))
        let row = try #require(sent.list?.rows.first)
        let buttons =
            sent.actions.map { Submission.Command.action($0.id, row: nil).text }
            + row.actions.map { Submission.Command.action($0.id, row: row.id).text }
        let events = try buttons.map { button in
            let command = try #require(Submission.Command(button))
            return try #require(command.event(on: present, answers: [:])).event.name
        }
        #expect(events == ["logOutChosen", "open", "marked"])
        #expect(Submission.Command("!English log out")?.event(on: sent, answers: [:]) == nil)
    }
}

extension Screen {
    fileprivate var list: List? { if case .list(let list) = content { list } else { nil } }
}
