extension Sequence<String> {
    /// Returns the names that `typed` may have meant: at most three, the best first.
    package func suggestions(for typed: String) -> [String] {
        // A longer text cannot be a misspelled name, and the cost of the distance grows with the length.
        guard (1...40).contains(typed.count) else { return [] }
        let ranked: [(name: String, distance: Int)] = compactMap { name in
            if typed.count > 1, name.hasPrefix(typed) { return (name, 0) }
            let distance = editDistance(typed, name)
            return distance <= Swift.max(1, Swift.min(typed.count, name.count) / 3) ? (name, distance) : nil
        }
        // Names with the same distance keep the order of the sequence.
        return ranked.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(3).map(\.element.name)
    }
}

/// Returns the Damerau–Levenshtein distance (optimal string alignment): the number of insertions, deletions,
/// replacements, and swaps of neighbors.
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
