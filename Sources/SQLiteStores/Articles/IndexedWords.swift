import ArticleStore
import Database

/// A summary of the words in the search index, which is enough to compare the index with the articles: the number of
/// words of each text, and the sum of the hashes of all words in each column.
struct IndexedWords {
    /// The sums by the number of the column.
    private(set) var sums = [UInt64](repeating: 0, count: IndexedText.Column.allCases.count)

    /// Adds the words of a text.
    ///
    /// - Returns: the number of words in each column, in the encoding of FTS5.
    mutating func add(_ text: IndexedText) -> [[UInt8]] {
        IndexedText.Column.allCases.map { column in
            var (sum, count) = (UInt64(0), 0)
            var words = text[column]
            words.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    sum &+= Self.hash(word.text, column)
                    // FTS5 counts the first token of a text even if it is marked as beside another token.
                    if !word.isBeside || count == 0 { count += 1 }
                    return true
                }
            }
            sums[column.rawValue] &+= sum
            return Self.varint(count)
        }
    }

    /// Adds a word as many times as the index contains it in a column.
    mutating func add(_ word: UnsafeBufferPointer<UInt8>, in column: IndexedText.Column, count: Int) {
        sums[column.rawValue] &+= Self.hash(word, column) &* UInt64(count)
    }

    private static func hash(_ word: UnsafeBufferPointer<UInt8>, _ column: IndexedText.Column) -> UInt64 {
        RecordHash(word, seed: UInt64(column.rawValue)).value
    }

    /// Returns a number with seven bits per byte, the highest bits first. Source:
    /// <https://www.sqlite.org/fileformat2.html>, section 1.6.
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
