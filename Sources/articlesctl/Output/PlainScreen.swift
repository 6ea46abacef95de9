import ArticleExporting
import ArticleStore
import FlowCoordinators

/// A screen as text for another program: lists as lines of fields separated by tabs, an article as a file that imports
/// can read.
struct PlainScreen {
    let text: String

    init(_ screen: Screen) {
        if case .article(let article, _) = screen.model {
            text = ArticleMarkdown.text(of: article)
            return
        }
        switch screen.content {
        case .list(let list):
            let shown = list.columns.indices.filter { list.columns[$0].role.isInPlainLines }
            text = Self.lines(list.rows.map { row in shown.map { row.cells[$0].text } })
        case .document(let document) where document.body.isEmpty:
            text = Self.lines([[screen.title]] + document.facts.map { [$0.label.lowercased(), $0.value] })
        case .document(let document):
            text = document.body.hasSuffix("\n") ? document.body : document.body + "\n"
        case .menu(let text):
            self.text = text + "\n"
        case .form(let form):
            text = Self.lines(form.fields.map { [$0.name.rawValue, $0.label] })
        }
    }

    private static func lines(_ rows: [[String]]) -> String {
        Table(columns: [], rows: rows).tabSeparated
    }
}
