import FlowCoordinators
import Terminal

/// The preview beside a list: the beginning of the screen that the selected row opens.
struct Preview: Sendable {
    /// The row and the width of the preview.
    struct Key: Hashable, Sendable {
        let row: String
        let width: Int
    }

    let key: Key
    /// Nil if there is nothing to show.
    private let layout: MarkupLayout?

    /// The length of the beginning in bytes: enough for the tallest terminal, and quick to lay out.
    private static let beginning = 1 << 14

    init(_ key: Key, of screen: Screen?, theme: Theme, textWidth: TextWidth) {
        self.key = key
        guard case .document(let document)? = screen?.content, let title = screen?.title else {
            layout = nil
            return
        }
        let text = MarkupText(document.beginning(of: Self.beginning), title: title, isColored: theme.isColored)
        layout = MarkupLayout(text, width: key.width, proseWidth: textWidth.columns)
    }

    func draw(rows: Range<Int>, from column: Int, into frame: inout Frame, theme: Theme) {
        guard let layout else { return }
        for (row, line) in zip(rows, 0..<layout.lineCount) {
            frame.draw(layout[line], row: row, columns: column..<column + key.width, look: theme.look)
        }
    }
}
