extension Sequence<String> {
    /// Returns the names that `typed` may have meant: at most three, the best first.
    package func suggestions(for typed: String) -> [String] {
        // A longer text cannot be a misspelled name, and the cost of the distance grows with the length.
        guard (1...40).contains(typed.count) else { return [] }
        var distance = EditDistance(from: typed)
        let ranked: [(name: String, distance: Int)] = compactMap { name in
            if typed.count > 1, name.hasPrefix(typed) { return (name, 0) }
            let limit = Swift.max(1, Swift.min(typed.count, name.count) / 3)
            return distance.distance(to: name, atMost: limit).map { (name, $0) }
        }
        // Names with the same distance keep the order of the sequence.
        return ranked.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(3).map(\.element.name)
    }
}

/// The number of mistakes between a word and other words: insertions, deletions, replacements, and swaps of neighbors
/// (Damerau–Levenshtein distance, optimal string alignment).
package struct EditDistance {
    private let word: [Unicode.Scalar]
    private let letters: UInt64
    private var other: [Unicode.Scalar] = []
    // For each beginning of the word, the distance to a beginning of the other word, and to the two before it.
    private var row: [Int]
    private var last: [Int]
    private var beforeLast: [Int]

    /// Prepares the distances from a word.
    package init(from word: String) {
        self.word = Array(word.unicodeScalars)
        letters = Self.letters(of: self.word)
        row = Array(0...self.word.count)
        (last, beforeLast) = (row, row)
    }

    /// Returns the distance to another word; nil if it is more than a limit.
    package mutating func distance(to other: String, atMost limit: Int) -> Int? {
        var other = other
        return other.withUTF8 { distance(to: $0, atMost: limit) }
    }

    /// Returns the distance to another word in UTF-8; nil if it is more than a limit.
    package mutating func distance(to utf8: UnsafeBufferPointer<UInt8>, atMost limit: Int) -> Int? {
        other.removeAll(keepingCapacity: true)
        if utf8.firstIndex(from: 0, where: { $0 .>= .all(0x80) }) == nil {
            for byte in utf8 { other.append(Unicode.Scalar(byte)) }
        } else {
            other.append(contentsOf: String(decoding: utf8, as: UTF8.self).unicodeScalars)
        }
        // Each mistake changes the length by at most one, and the set of letters by at most two.
        guard abs(other.count - word.count) <= limit,
            (Self.letters(of: other) ^ letters).nonzeroBitCount <= 2 * limit
        else { return nil }
        for index in last.indices { last[index] = index }
        for (i, letter) in other.enumerated() {
            row[0] = i + 1
            var least = i + 1
            for j in word.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == word[j] ? 0 : 1))
                if i > 0, j > 0, letter == word[j - 1], other[i - 1] == word[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row[j + 1] = best
                least = min(least, best)
            }
            if least > limit { return nil }
            swap(&beforeLast, &last)
            swap(&last, &row)
        }
        return last[word.count] <= limit ? last[word.count] : nil
    }

    /// Returns a set of letters, in which a few letters share a bit.
    private static func letters(of word: [Unicode.Scalar]) -> UInt64 {
        word.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
    }
}
