import Markup

/// The cells of a table and their preferred widths, before the width of the table is known.
struct MarkupTable {
    let alignments: [MarkupBlock.Alignment]
    /// The passage of the first row. Each row is a passage, including the header.
    let firstPassage: Int
    /// The index of the first cell among the cells of all tables, row by row.
    let firstCell: Int
    let hasHeader: Bool
    var rowCount = 0
    /// For each column, the widths of the widest line, the longest word, and the title.
    private var widest: [Int]
    private var longest: [Int]
    private var titles: [Int]

    /// The number of columns between two cells.
    static let gap = 2

    init(alignments: [MarkupBlock.Alignment], firstPassage: Int, firstCell: Int, hasHeader: Bool) {
        self.alignments = alignments
        self.firstPassage = firstPassage
        self.firstCell = firstCell
        self.hasHeader = hasHeader
        widest = Array(repeating: 0, count: alignments.count)
        longest = widest
        titles = widest
    }

    var columnCount: Int { alignments.count }

    /// Returns the cells of a row.
    func cells(ofRow row: Int) -> Range<Int> {
        firstCell + row * columnCount..<firstCell + (row + 1) * columnCount
    }

    /// Records the widths of a cell. The header must come first.
    mutating func measure(column: Int, line: Int, word: Int) {
        if hasHeader, rowCount == 0 { titles[column] = line }
        widest[column] = max(widest[column], line)
        longest[column] = max(longest[column], word)
    }

    /// The arrangement of a table in a width.
    struct Form {
        enum Kind {
            /// Columns next to each other, with these widths.
            case columns([Int])
            /// The cells of a row below each other, with titles of this width on the left.
            case stacked(titleWidth: Int)
        }

        var kind: Kind
        /// Whether some cells have several lines.
        var wraps: Bool
    }

    /// Returns the arrangement for a width.
    ///
    /// Columns shrink to their longest words, and further if words are very long. If that is not enough, the cells are
    /// stacked.
    func form(width: Int) -> Form {
        let available = width - Self.gap * (columnCount - 1)
        if widest.reduce(0, +) <= available { return Form(kind: .columns(widest), wraps: false) }
        for limit in [Int.max, 20, 10] {
            let least = longest.map { min($0, limit) }
            guard least.reduce(0, +) <= available else { continue }
            let widths = columnWidths(natural: widest, available: available, minimum: least)
            return Form(kind: .columns(widths), wraps: true)
        }
        return Form(kind: .stacked(titleWidth: min(titles.max() ?? 0, width * 2 / 5)), wraps: true)
    }
}
