import CGumbo
import Text

/// A table of HTML that is being read.
struct HTMLTable {
    /// The attributes of a cell.
    struct Cell {
        let columns: Int
        let rows: Int
        let isHead: Bool
        let alignment: MarkupBlock.Alignment?

        init(_ node: HTMLNode) {
            columns = Self.number(node.attribute("colspan"), limit: TreeBuilder.columnLimit)
            rows = Self.number(node.attribute("rowspan"), limit: 1000)
            isHead = node.tag == GUMBO_TAG_TH
            alignment = Self.alignment(of: node)
        }

        private static func number(_ text: String?, limit: Int) -> Int {
            min(max(text.flatMap { Int($0.trimmed) } ?? 1, 1), limit)
        }

        private static func alignment(of node: HTMLNode) -> MarkupBlock.Alignment? {
            guard node.hasAttributes else { return nil }
            var name = node.attribute("align")?.lowercased()
            if let style = node.attribute("style")?.lowercased(), let range = style.firstRange(of: "text-align:") {
                name = String(style[range.upperBound...].drop { $0 == " " }.prefix { $0.isLetter })
            }
            return switch name {
            case "left", "start": .left
            case "center": .center
            case "right", "end": .right
            default: nil
            }
        }
    }

    var caption: [MarkupInline] = []
    private(set) var header: [[MarkupInline]]?
    private(set) var body: [[[MarkupInline]]] = []
    /// The alignment of each column: that of the first cell that states one.
    private var aligned: [MarkupBlock.Alignment?] = Array(repeating: nil, count: TreeBuilder.columnLimit)
    var alignments: [MarkupBlock.Alignment] { aligned.map { $0 ?? .left } }

    private var row: [[MarkupInline]] = []
    /// Whether the current row is the header.
    private(set) var isHeader = false
    /// For each column, the number of further rows into which the cell above extends.
    private var reaching: [Int] = Array(repeating: 0, count: TreeBuilder.columnLimit)

    /// Begins a row. The first row is the header if it is in `thead` or consists of `th` cells.
    mutating func begin(row node: HTMLNode) {
        row = []
        let cells = node.children.filter { $0.element == .tableCell }
        isHeader =
            header == nil && body.isEmpty && !cells.isEmpty
            && (node.parent?.tag == GUMBO_TAG_THEAD || cells.allSatisfy { $0.tag == GUMBO_TAG_TH })
        skipReached()
    }

    private mutating func skipReached() {
        while row.count < TreeBuilder.columnLimit, reaching[row.count] > 0 {
            reaching[row.count] -= 1
            row.append([])
        }
    }

    /// Adds a cell, and empty cells for the columns and rows that it spans.
    mutating func add(_ inlines: [MarkupInline], as cell: Cell) {
        guard row.count < TreeBuilder.columnLimit else {
            let last = row.count - 1
            if !row[last].isEmpty, !inlines.isEmpty { row[last].append(.lineBreak) }
            row[last] += inlines
            return
        }
        let columns = row.count..<min(row.count + cell.columns, TreeBuilder.columnLimit)
        for column in columns {
            row.append(column == columns.lowerBound ? inlines : [])
            reaching[column] = cell.rows - 1
        }
        aligned[columns.lowerBound] = aligned[columns.lowerBound] ?? cell.alignment
        skipReached()
    }

    mutating func endRow() {
        guard !row.isEmpty else { return }
        if isHeader { header = row } else { body.append(row) }
        isHeader = false
        row = []
    }
}
