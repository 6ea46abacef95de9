import Text

/// The content of one column of one row of a screen.
package struct Cell: Hashable, Sendable {
    /// A grapheme cluster without control characters.
    package private(set) var cluster: Character
    /// Its width: 1 or 2 columns, or 0 for the right half of a wide cluster.
    package private(set) var width: Int8
    package var style: Style
    /// The link of the cell, if it has one.
    package private(set) var link: Hyperlink?

    fileprivate init(_ cluster: Character, width: Int, style: Style, link: Hyperlink? = nil) {
        self.link = link
        self.cluster = cluster
        self.width = Int8(width)
        self.style = style
    }

    fileprivate static func blank(_ style: Style) -> Cell { Cell(" ", width: 1, style: style) }

    /// Whether the cell is blank, so that erasing gives the same result.
    package var isBlank: Bool {
        cluster == " " && width == 1 && link == nil && style.background == nil
            && style.attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
    }

    /// Whether every terminal advances its cursor by `width` after the cluster.
    ///
    /// Terminals disagree about clusters of several scalars, emoji, and scalars of recent Unicode versions. The list
    /// contains only scalars with an undisputed width that do not combine with neighbors.
    package var isSteady: Bool {
        var scalars = cluster.unicodeScalars.makeIterator()
        guard let scalar = scalars.next(), scalars.next() == nil else { return false }
        return switch scalar.value {
        case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300, 0x370..<0x483, 0x5D0..<0x5EB, 0x1E00..<0x1F00, 0x2010..<0x2028,
            0x2030..<0x205E, 0x2190..<0x2200, 0x2400..<0x2427, 0x2500..<0x2600, 0x3001..<0x302A, 0x3041..<0x3097,
            0x30A1..<0x30FF, 0x3400..<0x4DC0, 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFF61, 0xFFFD:
            true
        default: false
        }
    }
}

/// A position on a screen, counted from zero.
package struct Position: Hashable, Sendable {
    /// The row, from 0.
    package var row: Int
    /// The column, from 0.
    package var column: Int

    /// Creates a position.
    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A screen as a value.
///
/// Drawing replaces control characters, so a frame never contains any. Text that does not fit is cut between clusters.
package struct Frame: Hashable, Sendable {
    /// The size of the screen.
    package let size: Size
    /// The position of the cursor; nil if it is hidden.
    package var cursor: Position?
    private var cells: [Cell]

    /// The maximum number of scalars of a cluster. UAX #15 considers 30 combining marks more than any language
    /// requires.
    fileprivate static let clusterLimit = 32

    /// Creates an empty frame.
    package init(size: Size, style: Style = .plain) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank(style), count: self.size.columns * self.size.rows)
    }

    /// Returns the cells of a row.
    package subscript(row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// Draws text in a row, and returns the column after it. The text is cut at the end of `columns`, and characters to
    /// the left of its start are skipped.
    @discardableResult
    package mutating func draw(
        _ text: String, _ style: Style, row: Int, columns: Range<Int>, link: Hyperlink? = nil
    ) -> Int {
        let end = min(columns.upperBound, size.columns)
        guard row >= 0, row < size.rows, columns.lowerBound >= 0 else { return columns.lowerBound }
        var column = columns.lowerBound
        for cluster in text.sanitized() where column < end {
            let cluster = cluster.isASCII ? cluster : cluster.drawable
            let width = cluster.displayWidth
            if width <= 2 {
                guard add(cluster, width, style, link, row: row, column: &column, end: end) else { return end }
                continue
            }
            // The cluster is too wide for a cell. A terminal draws its scalars next to each other.
            for scalar in cluster.unicodeScalars {
                let piece = Character(scalar).drawable
                guard add(piece, piece.displayWidth, style, link, row: row, column: &column, end: end) else {
                    return end
                }
            }
        }
        return column
    }

    /// Draws a cluster at `column` and advances it. If it does not fit, the rest is cleared and the result is false.
    private mutating func add(
        _ cluster: Character, _ width: Int, _ style: Style, _ link: Hyperlink?, row: Int, column: inout Int, end: Int
    ) -> Bool {
        guard width > 0 else { return true }
        guard column + width <= end else {
            fill(row: row, columns: column..<end, style)
            return false
        }
        put(Cell(cluster, width: width, style: style, link: link), row: row, column: column)
        column += width
        return true
    }

    /// Draws spans next to each other, with styles from `look` and links from `link`, and returns the column after
    /// them.
    @discardableResult
    package mutating func draw(
        _ spans: [Span], row: Int, columns: Range<Int>, look: (Span) -> Style,
        link: (Span) -> Hyperlink? = { _ in nil }
    ) -> Int {
        var column = columns.lowerBound
        for span in spans where column < columns.upperBound {
            column = draw(span.text, look(span), row: row, columns: column..<columns.upperBound, link: link(span))
        }
        return column
    }

    /// Copies rows of another frame to the same rows, from `column` on, with its cursor.
    package mutating func draw(_ other: Frame, rows: Range<Int>, column: Int) {
        let width = min(other.size.columns, size.columns - column)
        guard column >= 0, width > 0 else { return }
        for row in rows.clamped(to: 0..<min(size.rows, other.size.rows)) {
            fill(row: row, columns: column..<column + width, .plain)
            let start = row * size.columns + column
            cells.replaceSubrange(start..<start + width, with: other[row].prefix(width))
        }
        if let position = other.cursor, rows.contains(position.row) {
            cursor = Position(row: position.row, column: column + position.column)
        }
    }

    /// Clears columns of a row, and returns the column after them.
    @discardableResult
    package mutating func fill(row: Int, columns: Range<Int>, _ style: Style) -> Int {
        guard row >= 0, row < size.rows else { return columns.upperBound }
        for column in columns.clamped(to: 0..<size.columns) {
            put(.blank(style), row: row, column: column)
        }
        return columns.upperBound
    }

    /// Changes the style of columns in a row.
    package mutating func restyle(row: Int, columns: Range<Int>, _ change: (Style) -> Style) {
        guard row >= 0, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            let index = row * size.columns + column
            cells[index].style = change(cells[index].style)
        }
    }

    /// Moves rows within `rows` up by `distance` (down if it is negative), as a terminal scrolls. New rows are empty.
    package mutating func scroll(rows: Range<Int>, by distance: Int) {
        let before = self
        for row in rows {
            let source = row + distance
            let start = row * size.columns
            for column in 0..<size.columns {
                cells[start + column] =
                    rows.contains(source) ? before.cells[source * size.columns + column] : .blank(.plain)
            }
        }
    }

    private mutating func put(_ cell: Cell, row: Int, column: Int) {
        let index = row * size.columns + column
        breakUp(index)
        cells[index] = cell
        guard cell.width == 2 else { return }
        breakUp(index + 1)
        cells[index + 1] = Cell(" ", width: 0, style: cell.style, link: cell.link)
    }

    /// Clears the other half of a wide cluster before this half is overwritten.
    private mutating func breakUp(_ index: Int) {
        if cells[index].width == 0 {
            cells[index - 1] = .blank(cells[index - 1].style)
        } else if cells[index].width == 2 {
            cells[index + 1] = .blank(cells[index + 1].style)
        }
    }

    /// Returns the text of a row without trailing spaces.
    package func text(row: Int) -> String {
        var text = ""
        for cell in self[row] where cell.width > 0 { text.append(cell.cluster) }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The text of the whole screen.
    package var text: String { (0..<size.rows).map(text(row:)).joined(separator: "\n") }
}

extension Character {
    /// The cluster in a form for a cell of its own: limited in length, and without characters that would combine with
    /// the previous cell.
    fileprivate var drawable: Character {
        guard let first = unicodeScalars.first else { return self }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return "\u{FFFD}"
        default: break
        }
        guard unicodeScalars.count > Frame.clusterLimit else { return self }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.prefix(Frame.clusterLimit))
        return String(kept).first ?? self
    }
}
