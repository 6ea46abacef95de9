/// The properties of a table's column that determine its width.
package struct ColumnShape: Hashable, Sendable {
    /// The way in which a column shrinks if there is not enough room.
    package enum Use: Hashable, Sendable {
        /// It is never shortened, for numbers and times.
        case exact
        /// It gets the most space, because its text identifies the row.
        case main
        /// It shares the remaining space.
        case shared
        /// It shares the remaining space, or is omitted.
        case optional
    }

    /// The width at which nothing is cut.
    package var natural: Int
    /// The way in which the column shrinks.
    package var use: Use

    /// Creates a column. If each cell is a number, a time, or short, the column is never shortened, unless it is the main
    /// column, optional, or wide.
    ///
    /// - Parameters:
    ///   - natural: the width at which the title and all cells are complete.
    ///   - use: the way in which the column shrinks.
    ///   - cells: the texts of its cells.
    package init(natural: Int, use: Use, cells: some Sequence<String>) {
        self.natural = natural
        let isExact =
            natural <= Self.widestExact
            && cells.allSatisfy { $0.isNumberOrTime || $0.displayWidth <= Self.short }
        self.use = use == .shared && isExact ? .exact : use
    }

    /// Cells of at most this width are never shortened, because nothing readable would remain.
    private static let short = 10

    /// The width of the longest time, `2015-12-03T10:15:30Z`.
    private static let widestExact = 20
}

extension String {
    /// Whether it contains only digits and the separators of numbers and times.
    fileprivate var isNumberOrTime: Bool {
        unicodeScalars.allSatisfy { ("0"..."9").contains($0) || "-:.,+/% TZ".unicodeScalars.contains($0) }
    }
}

/// Returns the widths of the columns of a table.
///
/// Numbers and times are never shortened. Of the remaining space, the main column gets two thirds, or more if the other
/// columns need less. The others share the rest; the widest shrink first. Optional columns are omitted before one of
/// them becomes narrower than 12, or the main column narrower than 40. Other columns are omitted, beginning with the
/// last, before the main column becomes narrower than `mainMinimum`.
///
/// - Returns: the indexes of the visible columns, each with its width.
package func columnWidths(
    _ columns: [ColumnShape], available: Int, gap: Int, mainMinimum: Int = 12
) -> [(index: Int, width: Int)] {
    let least = 12
    var shown = Array(columns.indices)
    guard
        let main = shown.first(where: { columns[$0].use == .main }) ?? shown.first(where: { columns[$0].use != .exact })
            ?? shown.first
    else { return [] }
    while true {
        func natural(_ use: ColumnShape.Use) -> [Int] {
            shown.filter { $0 != main && columns[$0].use == use }.map { columns[$0].natural }
        }
        let (shared, optional) = (natural(.shared), natural(.optional))
        let rest = available - gap * (shown.count - 1) - natural(.exact).reduce(0, +)
        let others = (shared + optional).reduce(0, +)
        let mainWidth = min(columns[main].natural, max(rest - others, rest * 2 / 3, 1))
        let sharedWidths = columnWidths(
            natural: shared, available: rest - mainWidth, minimum: shared.map { min($0, 4) })
        let left = rest - mainWidth - sharedWidths.reduce(0, +)
        let optionalWidths = columnWidths(natural: optional, available: left, minimum: optional.map { _ in 0 })

        let isTight =
            mainWidth < min(columns[main].natural, 40)
            || zip(optionalWidths, optional).contains(where: { $0 < min($1, least) })
        if isTight,
            let last = shown.lastIndex(where: { $0 != main && columns[$0].use == .optional })
        {
            shown.remove(at: last)
        } else if mainWidth < min(columns[main].natural, mainMinimum) || left < 0,
            let last = shown.lastIndex(where: { $0 != main })
        {
            shown.remove(at: last)
        } else {
            var (sharedRest, optionalRest) = (sharedWidths[...], optionalWidths[...])
            return shown.map { index in
                let width: Int? =
                    if index == main {
                        mainWidth
                    } else {
                        switch columns[index].use {
                        case .shared: sharedRest.popFirst()
                        case .optional: optionalRest.popFirst()
                        case .exact, .main: columns[index].natural
                        }
                    }
                return (index, width ?? columns[index].natural)
            }
        }
    }
}

/// Returns widths for columns that prefer the widths `natural` but have only `available` together.
///
/// The widest columns shrink first, and equally, but not below `minimum` or their natural width. So narrow columns stay
/// complete. The sum exceeds `available` only if the minimums require it.
package func columnWidths(natural: [Int], available: Int, minimum: [Int]) -> [Int] {
    func widths(_ cap: Int) -> [Int] { zip(natural, minimum).map { min($0, max($1, cap)) } }
    // Find the largest cap under which all columns fit, by bisection.
    var low = 0
    var high = max(0, natural.max() ?? 0)
    while low < high {
        let cap = (low + high + 1) / 2
        if widths(cap).reduce(0, +) <= available { low = cap } else { high = cap - 1 }
    }
    var widths = widths(low)
    var spare = available - widths.reduce(0, +)
    for column in widths.indices where spare > 0 && widths[column] < natural[column] {
        widths[column] += 1
        spare -= 1
    }
    return widths
}
