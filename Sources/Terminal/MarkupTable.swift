import Markup

/// The cells of a table and their preferred widths, before the width of the table is known.
struct MarkupTable {
    let alignments: [MarkupBlock.Alignment]
    /// Each row is a passage, the header too.
    let firstPassage: Int
    /// The cells, row by row, among those of all tables.
    let firstCell: Int
    let hasHeader: Bool
    var rowCount = 0
    /// Of each column the columns of the widest line and of the longest word, and those of its title.
    private var widest: [Int]
    private var longest: [Int]
    private var titles: [Int]

    /// Columns between two cells.
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

    /// The cells of a row.
    func cells(ofRow row: Int) -> Range<Int> {
        firstCell + row * columnCount..<firstCell + (row + 1) * columnCount
    }

    /// Takes note of how wide a cell would like to be. The header comes first.
    mutating func measure(column: Int, line: Int, word: Int) {
        if hasHeader, rowCount == 0 { titles[column] = line }
        widest[column] = max(widest[column], line)
        longest[column] = max(longest[column], word)
    }

    /// How a table stands in a width.
    struct Form {
        enum Kind {
            /// Its columns side by side, of these widths.
            case columns([Int])
            /// The cells of a row one below the other, with titles of this width at their left.
            case stacked(titleWidth: Int)
        }

        var kind: Kind
        /// Whether there are cells of several lines.
        var wraps: Bool
    }

    /// The form of the table.
    ///
    /// Columns shrink to their longest words, and further if words are very long. If that is
    /// not enough, the cells are stacked.
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
