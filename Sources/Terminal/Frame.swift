import Text

/// The content of one column of one row of a screen.
public struct Cell: Hashable, Sendable {
    /// A grapheme cluster that holds nothing harmful.
    public private(set) var cluster: Character
    /// Columns that it takes: 1 or 2, or 0 for the right half of a wide one.
    public private(set) var width: Int8
    /// How it looks.
    public var style: Style
    /// The link of the cell, if it has one.
    public private(set) var link: Hyperlink?

    fileprivate init(_ cluster: Character, width: Int, style: Style, link: Hyperlink? = nil) {
        self.link = link
        self.cluster = cluster
        self.width = Int8(width)
        self.style = style
    }

    fileprivate static func blank(_ style: Style) -> Cell { Cell(" ", width: 1, style: style) }

    /// Whether the cell shows nothing and erasing shows the same.
    public var isBlank: Bool {
        cluster == " " && width == 1 && link == nil && style.background == nil
            && style.attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
    }

    /// Whether every terminal moves its cursor by `width` after the cluster.
    ///
    /// Terminals differ in clusters of several scalars, in emoji, and in scalars of recent Unicode versions; what is listed here is what none
    /// disagrees about, and what no neighbour can join.
    public var isSteady: Bool {
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
public struct Position: Hashable, Sendable {
    /// Rows above it.
    public var row: Int
    /// Columns to the left of it.
    public var column: Int

    /// A position in a row and a column.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A screen as a value.
///
/// Drawing replaces control characters, so a frame never holds one. Text that does not fit is cut between clusters.
public struct Frame: Hashable, Sendable {
    /// How large the screen is.
    public let size: Size
    /// The position of the cursor; nil if it is hidden.
    public var cursor: Position?
    private var cells: [Cell]

    /// Scalars that a cluster is cut to: UAX #15 takes 30 combining marks for more than any language needs.
    fileprivate static let clusterLimit = 32

    /// An empty frame.
    public init(size: Size, style: Style = .plain) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank(style), count: self.size.columns * self.size.rows)
    }

    /// The cells of a row.
    public subscript(row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// Draws text in a row, and returns the column after it. Columns to the left of `columns.lowerBound` are skipped, those beyond its end cut.
    @discardableResult
    public mutating func draw(
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
            // A terminal shows the scalars of such a cluster side by side.
            for scalar in cluster.unicodeScalars {
                let piece = Character(scalar).drawable
                guard add(piece, piece.displayWidth, style, link, row: row, column: &column, end: end) else {
                    return end
                }
            }
        }
        return column
    }

    /// Puts a cluster where `column` is and moves that on; false where it does not fit and the rest was emptied.
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

    /// Draws spans side by side, each in its style as `look` has it, leading where `link` says, and returns the column after them.
    @discardableResult
    public mutating func draw(
        _ spans: [Span], row: Int, columns: Range<Int>, look: (Span) -> Style,
        link: (Span) -> Hyperlink? = { _ in nil }
    ) -> Int {
        var column = columns.lowerBound
        for span in spans where column < columns.upperBound {
            column = draw(span.text, look(span), row: row, columns: column..<columns.upperBound, link: link(span))
        }
        return column
    }

    /// Empties columns of a row, and returns the column after them.
    @discardableResult
    public mutating func fill(row: Int, columns: Range<Int>, _ style: Style) -> Int {
        guard row >= 0, row < size.rows else { return columns.upperBound }
        for column in columns.clamped(to: 0..<size.columns) {
            put(.blank(style), row: row, column: column)
        }
        return columns.upperBound
    }

    /// Changes the style of columns of a row.
    public mutating func restyle(row: Int, columns: Range<Int>, _ change: (Style) -> Style) {
        guard row >= 0, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            let index = row * size.columns + column
            cells[index].style = change(cells[index].style)
        }
    }

    /// Moves rows up by `distance` (down where it is negative) within `rows`, as a terminal scrolls: what comes in is empty.
    public mutating func scroll(rows: Range<Int>, by distance: Int) {
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

    /// Empties the other half of a wide cluster that is about to lose this one.
    private mutating func breakUp(_ index: Int) {
        if cells[index].width == 0 {
            cells[index - 1] = .blank(cells[index - 1].style)
        } else if cells[index].width == 2 {
            cells[index + 1] = .blank(cells[index + 1].style)
        }
    }

    /// The text of a row, without the spaces at its end.
    public func text(row: Int) -> String {
        var text = ""
        for cell in self[row] where cell.width > 0 { text.append(cell.cluster) }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The text of the whole screen.
    public var text: String { (0..<size.rows).map(text(row:)).joined(separator: "\n") }
}

extension Character {
    /// The cluster as it may stand in a cell of its own: not so long that it holds up the terminal, and nothing that joins what is before it.
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
