import Terminal
import Text

/// Rows of text under column titles.
struct Table: Hashable, Sendable {
    /// What a column is called, and on which side its cells are.
    struct Column: Hashable, Sendable {
        var title: String
        var isRight = false
        /// Whether the end of a cell tells more than its start, as of a path.
        var keepsEnd = false
    }

    let columns: [Column]
    var rows: [[String]] = []

    /// For a person: aligned in columns with their titles above, in lines of at most `width` columns. The last column is cut first, then the widest.
    func aligned(width: Int) -> StyledText {
        let gap = 2
        let cells = rows.map { row in row.prefix(columns.count).map { $0.sanitized() } }
        var natural = columns.map(\.title.displayWidth)
        for row in cells {
            for (column, cell) in row.enumerated() {
                natural[column] = max(natural[column], cell.displayWidth)
            }
        }
        var widths = natural
        let available = width - gap * (columns.count - 1)
        if let last = widths.indices.last {
            let others = widths.dropLast().reduce(0, +)
            widths[last] = min(widths[last], max(available - others, min(widths[last], 16)))
        }
        widths = columnWidths(
            natural: widths, available: available, minimum: Array(repeating: 4, count: widths.count))

        func line(_ cells: [String], _ style: Style) -> [Span] {
            var text = ""
            for (column, cell) in cells.enumerated() {
                let isLast = column == columns.count - 1
                let cut =
                    columns[column].keepsEnd
                    ? cell.truncatedAtStart(to: widths[column]) : cell.truncated(to: widths[column])
                text +=
                    isLast && !columns[column].isRight
                    ? cut : cut.padded(to: widths[column], isRight: columns[column].isRight)
                if !isLast { text += String(repeating: " ", count: gap) }
            }
            return [Span(text.truncated(to: width), style)]
        }
        return StyledText(lines: [line(columns.map(\.title), .dim)] + cells.map { line($0, .plain) })
    }

    /// For a program: a line a row, a tab between cells, no titles. Inside a cell, what would end it, command a terminal or
    /// change the order or the lines of the text around it becomes a space.
    var tabSeparated: String {
        rows.map { row in
            row.map { cell in
                cell.sanitized(as: " ")
            }.joined(separator: "\t") + "\n"
        }.joined()
    }
}
