/// Widths for columns whose contents would like `natural` but have only `available` between them.
///
/// The widest columns give first and give alike, none below `minimum` (or what it wanted, if that is less): narrow columns stay whole. The sum is larger than
/// `available` only where the minimum asks for it.
public func columnWidths(natural: [Int], available: Int, minimum: Int) -> [Int] {
    guard natural.reduce(0, +) > available, let widest = natural.max() else { return natural }
    // The largest cap under which all columns fit, by bisection.
    var low = minimum
    var high = max(minimum, widest)
    while low < high {
        let cap = (low + high + 1) / 2
        if natural.reduce(0, { $0 + min($1, cap) }) <= available { low = cap } else { high = cap - 1 }
    }
    var widths = natural.map { min($0, low) }
    var spare = available - widths.reduce(0, +)
    for column in widths.indices where spare > 0 && widths[column] < natural[column] {
        widths[column] += 1
        spare -= 1
    }
    return widths
}
