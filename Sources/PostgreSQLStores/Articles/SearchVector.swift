internal import ArticleStore
internal import PostgreSQL

/// The words of an article in the binary form of a `tsvector`, and a search as a `tsquery`.
///
/// The words are those of the program's own rules (`SearchWords`), which both engines share. Positions end at 16,383 and a
/// word has at most 255 of them, so a phrase deep inside a very long text is not found. A vector has at most 1 MiB; the
/// words after that are left out. Source: PostgreSQL, “Text Search: Limitations”, and `tsvectorrecv`.
enum SearchVector {
    private static let lastPosition = 16_383
    private static let mostPositions = 255
    private static let longestWord = 2_046
    private static let size = 1_000_000

    /// Returns the words of an article.
    static func value(of article: Article) -> Value {
        let text = IndexedText(article)
        var numbers: [Word: Int] = [:]
        var words: [Occurrences] = []
        // Each position of a word, with the number of the word.
        var tokens: [(number: Int, entry: UInt16)] = []
        var position = 0
        var room = size
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
            var text = text[column]
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { token in
                    if !token.isBeside { position += 1 }
                    let entry = UInt16(min(position, lastPosition)) | weight << 14
                    let word = Word(token.text)
                    guard !word.isEmpty else { return true }
                    let known = numbers[word]
                    // An entry of a word has 4 bytes and its text, and each position has 2.
                    let cost = known == nil ? word.count + 8 : 2
                    guard room >= cost else { return true }
                    if let known {
                        guard words[known].last & 0x3FFF < entry & 0x3FFF, words[known].count < mostPositions else {
                            return true
                        }
                        words[known].count += 1
                        words[known].last = entry
                    } else {
                        numbers[word] = words.count
                        words.append(Occurrences(word: word, count: 1, last: entry))
                    }
                    room -= cost
                    tokens.append((known ?? words.count - 1, entry))
                    return true
                }
            }
        }
        return .binary(type: 3614, binary(words, tokens))
    }

    /// A word, and the number and the last of its positions.
    private struct Occurrences {
        let word: Word
        var count: Int
        var last: UInt16
    }

    /// Returns the binary form of a vector.
    private static func binary(_ words: [Occurrences], _ tokens: [(number: Int, entry: UInt16)]) -> [UInt8] {
        var ends: [Int] = []
        var end = 0
        for word in words {
            ends.append(end)
            end += word.count
        }
        var positions = [UInt16](repeating: 0, count: end)
        for (number, entry) in tokens {
            positions[ends[number]] = entry
            ends[number] += 1
        }
        var binary: [UInt8] = []
        binary.append(bigEndian: Int32(words.count))
        for (word, end) in zip(words, ends) {
            word.word.append(to: &binary)
            binary.append(0)
            binary.append(bigEndian: UInt16(word.count))
            for position in positions[(end - word.count)..<end] { binary.append(bigEndian: position) }
        }
        return binary
    }

    /// A word as it is stored. Most words have at most 16 bytes, and are hashed without memory of their own.
    private struct Word: Hashable {
        private var first: UInt64 = 0
        private var second: UInt64 = 0
        private var rest: [UInt8] = []

        init(_ text: UnsafeBufferPointer<UInt8>) {
            if text.count <= 16, !text.contains(0) {
                put(text)
            } else {
                key(text).withUnsafeBufferPointer { put($0) }
            }
        }

        private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            withUnsafeMutableBytes(of: &first) { $0.copyBytes(from: bytes.prefix(8)) }
            withUnsafeMutableBytes(of: &second) { $0.copyBytes(from: bytes.dropFirst(8).prefix(8)) }
            if bytes.count > 16 { rest = Array(bytes[16...]) }
        }

        var isEmpty: Bool { first == 0 }

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

    /// Returns the condition of a search for words in the language of `tsquery`; nil if the search does not have words.
    static func query(_ search: SearchQuery) -> String? {
        let wanted = search.wanted.map { "(" + $0.map(text).joined(separator: " | ") + ")" }
        let unwanted = search.terms.filter(\.isExcluded).map { "!(" + text($0) + ")" }
        let all = wanted + unwanted
        return all.isEmpty ? nil : all.joined(separator: " & ")
    }

    /// Returns the wanted words, by which articles are ranked.
    static func rankedQuery(_ search: SearchQuery) -> String {
        search.wanted.map { "(" + $0.map(text).joined(separator: " | ") + ")" }.joined(separator: " | ")
    }

    private static func text(_ term: SearchQuery.Term) -> String {
        let weight =
            switch term.field {
            case nil: ""
            case .title: "A"
            case .author: "B"
            case .tag: "C"
            }
        func lexeme(_ word: String, isBeginning: Bool = false) -> String {
            var word = word
            // A character with a combining mark can begin with a quotation mark, so quote the bytes.
            let quoted = word.withUTF8 { key($0) }.flatMap { byte in
                byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") ? [byte, byte] : [byte]
            }
            let marks = (isBeginning ? "*" : "") + weight
            return "'\(String(decoding: quoted, as: UTF8.self))'" + (marks.isEmpty ? "" : ":" + marks)
        }
        // The end mark of a label is not part of the word.
        let words = term.words.map { $0.hasSuffix("\u{3}") ? String($0.dropLast()) : $0 }
        let isBeginning = term.isPrefix || term.isHalf
        let phrase = words.enumerated().map { index, word in
            lexeme(word, isBeginning: isBeginning && index == words.count - 1)
        }.joined(separator: " <-> ")
        return (["(" + phrase + ")"] + term.stems.map { lexeme($0) }).joined(separator: " | ")
    }

    /// Returns a word as it is stored: without U+0000, and not longer than PostgreSQL allows.
    private static func key(_ word: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard word.count > longestWord || word.contains(0) else { return Array(word) }
        var end = min(word.count, longestWord)
        while end > 0, end < word.count, word[end] & 0xC0 == 0x80 { end -= 1 }
        return word[..<end].filter { $0 != 0 }
    }
}
