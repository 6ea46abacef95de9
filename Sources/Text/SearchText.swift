import Platform

/// Text in the form in which words are searched. It is written piece by piece into memory that the caller owns. Each
/// piece is folded as by ``fold(_:)`` and ends with a newline.
///
/// Most texts are folded letter by letter, which is fast, because a search may read the titles of the whole library.
/// ``append(_:)`` refuses texts that need ``fold(_:)``, and the caller folds them.
package struct SearchText {
    private let buffer: UnsafeMutablePointer<UInt8>
    private var count = 0

    /// Returns the memory that pieces need with this number of bytes together. A letter of two bytes may become four
    /// bytes when folded.
    package static func capacity(bytes: Int, pieces: Int) -> Int { 2 * bytes + pieces }

    /// Creates an empty text in memory of the size of ``capacity(bytes:pieces:)``.
    package init(_ buffer: UnsafeMutablePointer<UInt8>) { self.buffer = buffer }

    /// Returns ``FoldedKey/foldToPlainLatin(_:)`` without the remaining combining accents, such as those of x̂ and of
    /// the letters to which İ folds.
    package static func fold(_ text: String) -> String {
        let folded = FoldedKey.foldToPlainLatin(text)
        guard folded.unicodeScalars.contains(where: isAccent) else { return folded }
        return String(String.UnicodeScalarView(folded.unicodeScalars.filter { !isAccent($0) }))
    }

    /// Returns the folded form of a scalar in UTF-8, with the first byte in the lowest bits; 0 for a combining accent.
    package static func folded(_ scalar: Unicode.Scalar) -> UInt64 {
        let value = scalar.value
        if value < 0x80 { return UInt64(value &- 0x41 < 26 ? value | 0x20 : value) }
        if value < letters.count, letters[Int(value)] != 0 { return UInt64(letters[Int(value)]) }
        if isAccent(scalar) { return 0 }
        // Folding removes spaces at both ends, so put the scalar between other characters to keep it if it is a space.
        let folded =
            FoldedKey.isFolded(value)
            ? Array(String(scalar).utf8) : Array(fold("-\(scalar)-").utf8.dropFirst().dropLast())
        // If the folded form is longer than 8 bytes (a phrase), keep the scalar unchanged.
        let bytes = folded.count <= 8 ? folded : Array(String(scalar).utf8)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the words of a text, folded and separated by single spaces; empty if the text contains only white space.
    package static func words(of text: String) -> String {
        fold(text).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
            .joined(separator: " ")
    }

    /// Whether the text contains every word of ``words(of:)``. The pieces are separated by newlines, and words never
    /// contain them, so a word is never found across two pieces.
    package func contains(words: UnsafeBufferPointer<UInt8>) -> Bool {
        Self.folded(UnsafeBufferPointer(start: buffer, count: count), contains: words)
    }

    /// Whether a folded text contains every word of ``words(of:)``.
    package static func folded(_ text: UnsafeBufferPointer<UInt8>, contains words: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        while start < words.count {
            var end = start
            while end < words.count, words[end] != UInt8(ascii: " ") { end += 1 }
            guard contains(text, UnsafeBufferPointer(rebasing: words[start..<end])) else { return false }
            start = end + 1
        }
        return true
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = word.first, let bytes = word.baseAddress else { return true }
        guard var start = UnsafeRawPointer(text.baseAddress) else { return false }
        // The number of remaining positions at which the word could begin.
        var places = text.count - word.count + 1
        while places > 0, let found = memchr(start, Int32(first), places) {
            if memcmp(found, bytes, word.count) == 0 { return true }
            let next = UnsafeRawPointer(found) + 1
            places -= next - start
            start = next
        }
        return false
    }

    /// Adds a text as a piece. Returns false if the text cannot be folded letter by letter.
    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = count
        var bits: UInt8 = 0
        // Most texts are ASCII. The loop never exits early, so the compiler can process many bytes at once.
        for index in text.indices {
            let byte = text[index]
            bits |= byte
            buffer[start + index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        }
        count += text.count
        if bits >= 0x80 {
            count = start
            guard appendLetters(text) else { return false }
        }
        append(Self.separator)
        return true
    }

    /// Adds each string of a JSON array as a piece. Returns false if a string contains an escape or cannot be folded
    /// letter by letter.
    package mutating func append(jsonStrings text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = count
        guard !text.contains(UInt8(ascii: "\\")), append(text) else { return false }
        var isInside = false
        for index in start..<count {
            let isQuote = buffer[index] == UInt8(ascii: "\"")
            if isQuote { isInside.toggle() }
            if isQuote || !isInside { buffer[index] = Self.separator }
        }
        return true
    }

    private mutating func appendLetters(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        Self.letters.withUnsafeBufferPointer { letters in
            var index = 0
            while index < text.count {
                let byte = text[index]
                if byte < 0x80 {
                    append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
                    index += 1
                    continue
                }
                let width = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                guard index + width <= text.count else { return false }
                var value = UInt32(byte & (0x7F >> UInt8(width)))
                for next in 1..<width { value = value << 6 | UInt32(text[index + next] & 0x3F) }
                if value < letters.count {
                    var folded = letters[Int(value)]
                    guard folded != 0 else { return false }
                    while folded != 0 {
                        append(UInt8(truncatingIfNeeded: folded))
                        folded >>= 8
                    }
                } else {
                    guard FoldedKey.isFolded(value) else { return false }
                    for next in 0..<width { append(text[index + next]) }
                }
                index += width
            }
            return true
        }
    }

    private mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private static let separator = UInt8(ascii: "\n")

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool { ("\u{300}"..."\u{36F}").contains(scalar) }

    /// The folded form of each letter in the Latin, Greek, and Cyrillic blocks, as UTF-8 with the first byte in the
    /// lowest bits. 0 for a letter whose folded form is empty, longer than 4 bytes, or depends on its neighbors.
    private static let letters: [UInt32] = (UInt32(0)..<0x530).map { value in
        guard value >= 0x80, let scalar = Unicode.Scalar(value), !isAccent(scalar) else { return 0 }
        // Folding removes spaces at both ends, so put the scalar between other characters to keep it if it is a space.
        let folded = fold("-\(scalar)-").utf8.dropFirst().dropLast()
        return folded.count > 4 ? 0 : folded.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
