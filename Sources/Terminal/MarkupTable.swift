import Markup

/// Lays out a table: aligned columns whose cells are wrapped where the width does not suffice, or, where there are too many columns for
/// that, one cell below the other.
struct MarkupTable {
    let alignments: [MarkupBlock.Alignment]
    let header: [[Span]]
    let rows: [[[Span]]]

    private static let gap = "  "
    /// A column narrower than this cannot be read.
    private static let narrowest = 6

    func lines(width: Int) -> [[Span]] {
        var natural = header.map { $0.cellWidth }
        for row in rows {
            for (column, cell) in row.enumerated() where column < natural.count {
                natural[column] = max(natural[column], cell.cellWidth)
            }
        }
        let available = width - Self.gap.count * (natural.count - 1)
        let widths = columnWidths(natural: natural, available: available, minimum: Self.narrowest)
        guard widths.reduce(0, +) <= available else { return stacked(width: width) }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: Self.gap)
        return lines(of: header, widths) + [[Span(rule, .dim)]] + rows.flatMap { lines(of: $0, widths) }
    }

    private func lines(of row: [[Span]], _ widths: [Int]) -> [[Span]] {
        // A cell of one wide character needs two columns even where its column has one.
        let cells = zip(row, widths).map { $0.wrapped(to: $1) }
        return (0..<max(1, cells.map(\.count).max() ?? 1)).map { index in
            var line: [Span] = []
            for (column, cell) in cells.enumerated() {
                let text = index < cell.count ? cell[index] : []
                let free = max(0, widths[column] - text.displayWidth)
                let before =
                    switch alignments[column] {
                    case .left: 0
                    case .center: free / 2
                    case .right: free
                    }
                line.add(Span(String(repeating: " ", count: before)))
                for span in text { line.add(span) }
                if column < cells.count - 1 {
                    line.add(Span(String(repeating: " ", count: free - before) + Self.gap))
                }
            }
            return line
        }
    }

    private func stacked(width: Int) -> [[Span]] {
        guard !rows.isEmpty else { return header.flatMap { $0.wrapped(to: width) } }
        return Array<[Span]>(
            rows.map { row in
                zip(header, row).flatMap { title, cell in (title + [Span(": ", .bold)] + cell).wrapped(to: width) }
            }.joined(separator: [[]])
        )
    }
}

extension [Span] {
    /// Columns of the widest line that the cell would like to have.
    fileprivate var cellWidth: Int {
        text.split(separator: "\n").map(\.displayWidth).max() ?? 0
    }
}
