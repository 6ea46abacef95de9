/// A set of article numbers, with one bit per number up to the highest. For a million articles it takes 125 KB.
struct ArticleNumbers {
    private var bits: [UInt64] = []
    private(set) var count = 0

    /// Inserts a number that is positive and not yet in the set. Inserting the highest number first avoids
    /// reallocations.
    mutating func insert(_ number: Int64) {
        let word = Int(number >> 6)
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        bits[word] |= 1 << UInt64(number & 63)
        count += 1
    }

    func contains(_ number: Int64) -> Bool {
        let word = Int(number >> 6)
        return word < bits.count && bits[word] & 1 << UInt64(number & 63) != 0
    }

    /// Returns the numbers that are in both sets.
    func intersection(_ other: ArticleNumbers) -> ArticleNumbers {
        var both = ArticleNumbers()
        both.bits = zip(bits, other.bits).map { $0 & $1 }
        both.count = both.bits.reduce(0) { $0 + $1.nonzeroBitCount }
        return both
    }

    /// Returns the highest numbers, at most `limit`.
    func highest(_ limit: Int) -> ArticleNumbers {
        var highest = self
        for index in bits.indices where highest.count > limit {
            while highest.count > limit, highest.bits[index] != 0 {
                highest.bits[index] &= highest.bits[index] - 1
                highest.count -= 1
            }
        }
        return highest
    }

    /// The numbers as a JSON array.
    var json: String {
        var numbers: [String] = []
        numbers.reserveCapacity(count)
        for (index, word) in bits.enumerated() where word != 0 {
            for bit in 0..<64 where word & 1 << UInt64(bit) != 0 { numbers.append(String(index * 64 + bit)) }
        }
        return "[" + numbers.joined(separator: ",") + "]"
    }
}
