import ArticleExporting
import ArticleStore
import FlowCoordinators
import Terminal
import TerminalReader
import Text

/// A screen laid out for a terminal.
struct DrawnScreen {
    private(set) var text = StyledText()
    private let width: Int
    /// The titles of the columns that did not fit.
    private var omitted: [String] = []

    /// - Parameters:
    ///   - width: the maximum number of columns of a line.
    ///   - next: the command for the next page of a list.
    ///   - isPart: whether more of the same list follows, so that no remarks about it are printed.
    init(_ screen: Screen, width: Int, isColored: Bool, next: String? = nil, isPart: Bool = false) {
        self.width = width
        switch screen.content {
        case .menu(let text): draw(menu: text, title: screen.title, actions: screen.actions)
        case .form(let form): draw(form, title: screen.title)
        case .list(let list):
            draw(list)
            if !isPart { drawRest(of: list, next: next) }
        case .document(let document):
            let marked = MarkupText(document, title: screen.title, isColored: isColored)
            text = StyledText(MarkupLayout(marked, width: width))
        }
    }

    private mutating func draw(menu: String, title: String, actions: [Action]) {
        add(title, .bold)
        add(menu)
        text.lines.append([])
        for action in actions { add("  " + action.label) }
    }

    private mutating func draw(_ form: Form, title: String) {
        add(title, .bold)
        for field in form.fields {
            add("  \(field.label): \(field.value)")
            if let hint = field.hint { add("  " + hint, .dim) }
        }
    }

    private mutating func draw(_ list: List) {
        guard !list.rows.isEmpty else { return add(list.placeholder, .dim) }
        let shown = list.columns.indices.filter { list.columns[$0].role.isPrinted }
        let table = Table(
            columns: shown.map { column in
                Table.Column(title: list.columns[column].title.uppercased(), use: list.columns[column].role.printedUse)
            },
            rows: list.rows.map { row in shown.map { row.cells[$0].text } })
        let lines = table.aligned(width: width).lines
        text.lines += lines.prefix(1)
        for (line, row) in zip(lines.dropFirst(), list.rows) {
            text.lines.append(line)
            if let excerpt = row.excerpt { draw(excerpt) }
        }
        omitted = table.omitted(width: width)
    }

    private mutating func drawRest(of list: List, next: String?) {
        if !omitted.isEmpty {
            add("No room for \(omitted.joined(separator: ", ")): widen the terminal, or use --json.", .dim)
        }
        let way = list.more == nil ? "" : next.map { ", next: " + $0 } ?? ""
        switch list.total {
        case let total? where total > list.rows.count: addUnwrapped("\(list.rows.count) of \(total)\(way)")
        case nil where list.more != nil:
            addUnwrapped("the first \(list.rows.count)" + (way.isEmpty ? "; there are more" : way))
        default: break
        }
    }

    /// Adds a line that may contain a command: a line break in it would keep the user from copying it.
    private mutating func addUnwrapped(_ line: String) {
        text.lines.append([Span(line.sanitized(), .dim)])
    }

    /// Draws a line below a row, with the matches in bold.
    private mutating func draw(_ excerpt: MarkedText) {
        var spans = [Span("    ", .dim)]
        var rest = width - 4
        for piece in excerpt.pieces where rest > 0 {
            let shown = piece.text.sanitized().truncated(to: rest)
            rest -= shown.displayWidth
            spans.append(Span(shown, piece.isMarked ? .bold : .dim))
        }
        text.lines.append(spans)
    }

    private mutating func add(_ line: String, _ style: Style = .plain) {
        text.lines += [Span(line.sanitized(), style)].wrapped(to: width)
    }
}

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
