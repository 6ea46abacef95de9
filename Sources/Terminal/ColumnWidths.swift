/// A column of a table, as far as its width depends on it.
public struct ColumnShape: Hashable, Sendable {
    /// The way in which a column shrinks if there is not enough room.
    public enum Use: Hashable, Sendable {
        /// It is never cut, as a number or a time.
        case exact
        /// It has the most room: it tells the rows apart.
        case main
        /// It shares what the others leave.
        case shared
        /// It shares what the others leave, or is left out.
        case optional
    }

    /// The width that shows everything.
    public var natural: Int
    /// The way in which the column shrinks.
    public var use: Use

    /// A column. If all of its cells are numbers or times, or short, it is not cut whatever its use is, unless it is the
    /// main column or can be left out.
    ///
    /// - Parameters:
    ///   - natural: the width that shows its title and every cell.
    ///   - use: the way in which the column shrinks.
    ///   - cells: the texts of its cells.
    public init(natural: Int, use: Use, cells: some Sequence<String>) {
        self.natural = natural
        let isExact = natural <= Self.short || cells.allSatisfy(\.isNumberOrTime)
        self.use = use == .shared && isExact ? .exact : use
    }

    /// Cutting a column of this width leaves nothing to read.
    private static let short = 10
}

extension String {
    /// Whether it consists of digits and what stands between them in numbers and times.
    fileprivate var isNumberOrTime: Bool {
        unicodeScalars.allSatisfy { ("0"..."9").contains($0) || "-:.,+/% TZ".unicodeScalars.contains($0) }
    }
}

/// The widths of the columns of a table: the one rule for all tables.
///
/// Numbers and times are never cut. Of the rest, the main column has two thirds, or more if the others need less; the others
/// share what is left, the widest giving first. Optional columns are left out before one of them is narrower than 12 columns,
/// or the main column than 40. Others are left out, from the last, before the main column is narrower than `mainMinimum`.
///
/// - Returns: the columns that are shown, by index, each with its width.
public func columnWidths(
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

/// Widths for columns whose contents would like `natural` but have only `available` between them.
///
/// The widest columns give first and give alike, none below its `minimum` (or what it wanted, if that is less): narrow columns stay whole. The sum is
/// larger than `available` only where the minimums ask for it.
public func columnWidths(natural: [Int], available: Int, minimum: [Int]) -> [Int] {
    func widths(_ cap: Int) -> [Int] { zip(natural, minimum).map { min($0, max($1, cap)) } }
    // The largest cap under which all columns fit, by bisection.
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
