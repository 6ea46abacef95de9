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
