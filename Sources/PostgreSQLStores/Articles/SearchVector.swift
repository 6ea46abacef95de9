internal import ArticleStore
internal import Platform
internal import PostgreSQL

/// The words of a text in the binary form of a `tsvector`.
///
/// The words are those of the program's own rules (`SearchWords`), which both engines share. A vector has positions up to
/// 16,383, at most 255 of them for a word, and 1 MiB. A text beyond these limits is also stored in parts, which
/// ``SearchCondition`` uses. Source: PostgreSQL, “Text Search: Limitations”, and `tsvectorrecv`.
struct SearchVector {
    private static let lastPosition = 16_383
    private static let mostPositions = 255
    private static let size = 1_000_000
    private static let longestWord = 2_046

    /// The part of a text that its vector does not have.
    enum Gap: Int, Comparable {
        case nothing
        /// The positions of some words.
        case positions
        /// Some words, at least of a field, and positions.
        case words

        static func < (first: Gap, second: Gap) -> Bool { first.rawValue < second.rawValue }

        /// The word of each vector with a gap. A text does not contain it.
        static let mark = "\u{5}"
        /// The word of each vector without some words. A text does not contain it.
        static let markOfMissingWords = "\u{5}\u{5}"

        fileprivate var marks: [String] {
            switch self {
            case .nothing: []
            case .positions: [Self.mark]
            case .words: [Self.mark, Self.markOfMissingWords]
            }
        }
    }

    private var numbers: [Word: Int] = [:]
    private var words: [Occurrences] = []
    /// Each position of a word, with the number of the word.
    private var tokens: [(number: Int, entry: UInt16)] = []
    private var room = Self.size

    /// A word, and the number and the last of its positions.
    private struct Occurrences {
        let word: Word
        var count: Int
        var last: UInt16
    }

    /// Returns the words of an article, and their parts if a single vector cannot have all words and positions.
    static func values(
        of article: Article, with cache: SearchWords.Cache?
    ) -> (words: Value, gap: Gap, parts: [Value]) {
        let text = IndexedText(article)
        var (vector, gap) = (SearchVector(), Gap.nothing)
        forEachWord(of: text, with: cache) { word, position, weight in
            gap = max(gap, vector.add(word, at: position, weight))
        }
        guard gap > .nothing else { return (vector.value, gap, []) }
        vector.room = Self.size
        for var mark in gap.marks { _ = vector.add(mark.withUTF8 { Word($0) }, at: 1, 0) }
        return (vector.value, gap, parts(of: text, with: cache))
    }

    /// The number of positions that a part repeats from the part before, so that each phrase is inside of a part. The text
    /// of a search has at most as many words.
    private static let overlap = SearchQuery.length
    /// The overlap if a word fills the parts so fast that the usual one would make too many of them.
    private static let shortOverlap = 64

    private static func parts(of text: IndexedText, with cache: SearchWords.Cache?) -> [Value] {
        var (parts, part, start): ([Value], SearchVector, Int) = ([], SearchVector(), 0)
        var recent: [(word: Word, position: Int, weight: UInt16)] = []
        forEachWord(of: text, with: cache) { word, position, weight in
            if position - start > lastPosition || part.add(word, at: position - start, weight) > .nothing {
                parts.append(part.value)
                part = SearchVector()
                let kept = position - (position - start < 2 * overlap ? shortOverlap : overlap)
                recent.removeAll { $0.position <= kept }
                start = (recent.first?.position ?? position) - 1
                for each in recent { _ = part.add(each.word, at: each.position - start, each.weight) }
                _ = part.add(word, at: position - start, weight)
            }
            recent.append((word, position, weight))
            if recent.count > 10 * overlap { recent.removeAll { $0.position <= position - overlap } }
        }
        return parts + [part.value]
    }

    /// Calls `body` with each word, its position in the text from 1, and its weight.
    private static func forEachWord(
        of text: IndexedText, with cache: SearchWords.Cache?, _ body: (Word, Int, UInt16) -> Void
    ) {
        var position = 0
        for column in IndexedText.Column.allCases {
            // The weights A to D are 3 to 0.
            let weight: UInt16 =
                switch column {
                case .title: 3
                case .authors: 2
                case .tags: 1
                case .summary, .body: 0
                }
            // A phrase must not begin in a column and end in the next.
            position += 2
            let start = position + 1
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document, with: cache) { token in
                    position = start + token.position
                    let word = Word(token.text)
                    if !word.isEmpty { body(word, position, weight) }
                    return true
                }
            }
        }
    }

    /// Adds a word at a position. A position beyond the last one is stored as the last one.
    ///
    /// - Returns: what could not be stored.
    private mutating func add(_ word: Word, at position: Int, _ weight: UInt16) -> Gap {
        let entry = UInt16(min(position, Self.lastPosition)) | weight << 14
        let gap: Gap = position > Self.lastPosition ? .positions : .nothing
        let known = numbers[word]
        if let known {
            // Two words at one position can have the same form.
            guard words[known].last & 0x3FFF < entry & 0x3FFF else { return gap }
            guard words[known].count < Self.mostPositions, room >= 2 else {
                // Without a position of its weight, the word is not in the index of the field.
                return weight > 0 && words[known].last >> 14 != weight ? .words : .positions
            }
            words[known].count += 1
            words[known].last = entry
            room -= 2
        } else {
            // An entry of a word has 4 bytes and its text, and each position has 2.
            let cost = word.count + 8
            guard room >= cost else { return .words }
            numbers[word] = words.count
            words.append(Occurrences(word: word, count: 1, last: entry))
            room -= cost
        }
        tokens.append((known ?? words.count - 1, entry))
        return gap
    }

    private var value: Value {
        // In their order, the server need not sort the words for the vector and again for the index. Comparing the words
        // themselves copies them, and makes an import a tenth slower.
        let order = words.enumerated().map { (prefix: $1.word.prefix, number: $0) }.sorted { one, other in
            if one.prefix != other.prefix { return one.prefix < other.prefix }
            return words[one.number].word.rest.lexicographicallyPrecedes(words[other.number].word.rest)
        }
        var ends = [Int](repeating: 0, count: words.count)
        var end = 0
        for (_, number) in order {
            ends[number] = end
            end += words[number].count
        }
        var positions = [UInt16](repeating: 0, count: end)
        for (number, entry) in tokens {
            positions[ends[number]] = entry
            ends[number] += 1
        }
        var binary: [UInt8] = []
        binary.append(bigEndian: Int32(words.count))
        for (_, number) in order {
            let (word, end) = (words[number], ends[number])
            word.word.append(to: &binary)
            binary.append(0)
            binary.append(bigEndian: UInt16(word.count))
            for position in positions[(end - word.count)..<end] { binary.append(bigEndian: position) }
        }
        return .binary(type: 3614, binary)
    }

    /// A word as it is stored. Most words have at most 16 bytes, and are hashed without memory of their own.
    private struct Word: Hashable {
        private var first: UInt64 = 0
        private var second: UInt64 = 0
        private(set) var rest: [UInt8] = []

        init(_ text: UnsafeBufferPointer<UInt8>) {
            if text.count <= 16, let start = text.baseAddress, memchr(start, 0, text.count) == nil {
                put(text)
            } else {
                SearchVector.key(text).withUnsafeBufferPointer { put($0) }
            }
        }

        private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let start = bytes.baseAddress else { return }
            // Every word of an article comes here. Slices are slow without an optimizer, as in the tests.
            memcpy(&first, start, min(bytes.count, 8))
            if bytes.count > 8 { memcpy(&second, start + 8, min(bytes.count - 8, 8)) }
            if bytes.count > 16 { rest = Array(bytes[16...]) }
        }

        var isEmpty: Bool { first == 0 }

        /// The first 16 bytes. Their order is that of the bytes.
        var prefix: (UInt64, UInt64) { (first.bigEndian, second.bigEndian) }

        func hash(into hasher: inout Hasher) {
            hasher.combine(first)
            hasher.combine(second)
            if !rest.isEmpty { hasher.combine(rest) }
        }

        var count: Int {
            // The unused bytes are zero, and a word does not contain zeros.
            (first == 0 ? 0 : 8 - first.bigEndian.trailingZeroBitCount / 8)
                + (second == 0 ? 0 : 8 - second.bigEndian.trailingZeroBitCount / 8) + rest.count
        }

        func append(to bytes: inout [UInt8]) {
            for part in [first, second] {
                withUnsafeBytes(of: part) { bytes.append(contentsOf: $0.prefix { $0 != 0 }) }
            }
            bytes += rest
        }
    }

    /// Returns a word as it is stored: whole characters without U+0000, and not longer than PostgreSQL allows.
    static func key(_ word: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var end = min(word.count, longestWord)
        // A long word can end inside of a character: the rules for words cut long names at a byte.
        if let last = word[..<end].lastIndex(where: { $0 & 0xC0 != 0x80 }),
            last + max(1, (~word[last]).leadingZeroBitCount) > end
        {
            end = last
        }
        return word[..<end].filter { $0 != 0 }
    }
}
