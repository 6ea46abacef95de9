extension Sequence<String> {
    /// The names that `typed` was perhaps meant to be: at most three, best first.
    package func suggestions(for typed: String) -> [String] {
        // Longer than any name, so nobody meant one; and the distance takes time and space in the length.
        guard (1...40).contains(typed.count) else { return [] }
        let ranked: [(name: String, distance: Int)] = compactMap { name in
            if typed.count > 1, name.hasPrefix(typed) { return (name, 0) }
            let distance = editDistance(typed, name)
            return distance <= Swift.max(1, Swift.min(typed.count, name.count) / 3) ? (name, distance) : nil
        }
        // Ties keep the order of the table.
        return ranked.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(3).map(\.element.name)
    }
}

/// The Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of neighbours.
package func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = Swift.min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
