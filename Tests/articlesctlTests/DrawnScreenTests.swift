import FlowCoordinators
import Terminal
import Testing

@testable import articlesctl

@Suite("Drawn screens")
struct DrawnScreenTests {
    @Test("The command for the next page is on one line, so that it can be copied")
    func next() {
        let more = List.Beyond(some: .moreRowsWanted, last: .lastRowsWanted)
        let list = List(
            columns: [List.Column("Title")], rows: [List.Row([.text("A title")])], placeholder: "", total: 9, more: more
        )
        let command =
            "articlesctl list --author 'Mei Okafor' --tag all --limit 1 --cursor " + String(repeating: "x", count: 60)
        let drawn = DrawnScreen(Screen(title: "", content: .list(list)), width: 80, isColored: false, next: command)
        #expect(drawn.text.rendered(isColored: false).split(separator: "\n").last == "1 of 9, next: \(command)")
    }
}
