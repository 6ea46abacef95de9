import FlowCoordinators
import Terminal
import Text

/// Rows of text with column titles.
struct Table: Hashable, Sendable {
    /// The title of a column and the alignment of its cells.
    struct Column: Hashable, Sendable {
        var title: String
        var isRight = false
        /// Whether the end of a cell is more important than its start, as in a path.
        var keepsEnd = false
        /// The way in which the column shrinks in a narrow terminal.
        var use = ColumnShape.Use.shared
    }

    let columns: [Column]
    var rows: [[String]] = []

    private static let gap = 2

    /// Returns the titles of the columns that do not fit into a width.
    func omitted(width: Int) -> [String] {
        let shown = Set(widths(in: width).map(\.index))
        return columns.indices.filter { !shown.contains($0) }.map { columns[$0].title }
    }

    private func widths(in width: Int) -> [(index: Int, width: Int)] {
        let shapes = columns.indices.map { column in
            let cells = rows.lazy.filter { column < $0.count }.map { $0[column].sanitized() }
            let natural = cells.reduce(columns[column].title.displayWidth) { max($0, $1.displayWidth) }
            return ColumnShape(natural: natural, use: columns[column].use, cells: cells)
        }
        return columnWidths(shapes, available: width, gap: Self.gap)
    }

    /// Returns the table for a person: aligned columns with titles, in lines of at most `width` columns.
    func aligned(width: Int) -> StyledText {
        let cells = rows.map { row in row.prefix(columns.count).map { $0.sanitized() } }
        let widths = widths(in: width)

        func line(_ cells: [String], _ style: Style) -> [Span] {
            var text = ""
            for (place, (column, width)) in widths.enumerated() where column < cells.count {
                let (cell, isRight) = (cells[column], columns[column].isRight)
                let isLast = place == widths.count - 1
                let cut = columns[column].keepsEnd ? cell.truncatedAtStart(to: width) : cell.truncated(to: width)
                text += isLast && !isRight ? cut : cut.padded(to: width, isRight: isRight)
                if !isLast { text += String(repeating: " ", count: Self.gap) }
            }
            return [Span(text.truncated(to: width), style)]
        }
        return StyledText(lines: [line(columns.map(\.title), .dim)] + cells.map { line($0, .plain) })
    }

    /// The table for a program: one line per row, tabs between cells, no titles. Within a cell, characters that would
    /// end the cell, control a terminal, or affect the surrounding text are replaced by spaces.
    var tabSeparated: String {
        rows.map { row in
            row.map { cell in
                cell.sanitized(as: " ")
            }.joined(separator: "\t") + "\n"
        }.joined()
    }
}

extension List.Column.Role {
    /// Whether a printed table for a person has this column.
    var isPrinted: Bool {
        switch self {
        case .identity, .primary, .fact, .detail, .origin, .mark: true
        case .alias, .labels, .estimate: false
        }
    }

    /// The way in which the column shrinks in a narrow terminal.
    var printedUse: ColumnShape.Use {
        switch self {
        case .primary: .main
        case .identity, .mark, .estimate: .exact
        case .detail, .origin, .labels: .optional
        case .fact, .alias: .shared
        }
    }

    /// Whether tab-separated lines (`list` into a pipe) contain the column. Programs can compute estimates, and `--json`
    /// contains the marks and the origin.
    var isInPlainLines: Bool { self != .estimate && self != .mark && self != .origin }
}
