import Database

/// The words that an index has, as far as it tells them from others without being taken apart: how many each text has,
/// and for all of them together the sum of what they hash to.
struct IndexedWords {
    /// By the number of the column.
    private(set) var sums = [UInt64](repeating: 0, count: IndexedText.Column.allCases.count)

    /// Adds the words of a text.
    ///
    /// - Returns: how many there are in each column, as FTS5 keeps it.
    mutating func add(_ text: IndexedText) -> [[UInt8]] {
        IndexedText.Column.allCases.map { column in
            var (sum, count) = (UInt64(0), 0)
            var words = text[column]
            words.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    sum &+= Self.hash(word.text, column)
                    // FTS5 counts a token beside the first one of a text as the first.
                    if !word.isBeside || count == 0 { count += 1 }
                    return true
                }
            }
            sums[column.rawValue] &+= sum
            return Self.varint(count)
        }
    }

    /// Adds a word as often as an index has it in a column.
    mutating func add(_ word: UnsafeBufferPointer<UInt8>, in column: IndexedText.Column, count: Int) {
        sums[column.rawValue] &+= Self.hash(word, column) &* UInt64(count)
    }

    private static func hash(_ word: UnsafeBufferPointer<UInt8>, _ column: IndexedText.Column) -> UInt64 {
        RecordHash(word, seed: UInt64(column.rawValue)).value
    }

    /// Seven bits a byte, the highest first. Source: <https://www.sqlite.org/fileformat2.html>, section 1.6.
    private static func varint(_ number: Int) -> [UInt8] {
        var bytes = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes.reversed()
    }
}
