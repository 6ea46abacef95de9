import Platform

/// Text in the form in which words are searched, written piece by piece into memory that is lent to it: folded as by
/// ``fold(_:)``, a newline after each piece.
///
/// Texts are folded letter by letter where that is enough, because a search may read every title there is. The others are
/// left to ``fold(_:)``.
package struct SearchText {
    private let buffer: UnsafeMutablePointer<UInt8>
    private var count = 0

    /// How much memory pieces need that have so many bytes together: a letter of two bytes may fold to four.
    package static func capacity(bytes: Int, pieces: Int) -> Int { 2 * bytes + pieces }

    /// No text yet, in memory of ``capacity(bytes:pieces:)``.
    package init(_ buffer: UnsafeMutablePointer<UInt8>) { self.buffer = buffer }

    /// ``FoldedKey/foldToPlainLatin(_:)`` without the accents that stay beside their letters, such as those of x̂ and of
    /// the i that İ folds to.
    package static func fold(_ text: String) -> String {
        let folded = FoldedKey.foldToPlainLatin(text)
        guard folded.unicodeScalars.contains(where: isAccent) else { return folded }
        return String(String.UnicodeScalarView(folded.unicodeScalars.filter { !isAccent($0) }))
    }

    /// Returns the folded form of a scalar in UTF-8, the first byte lowest; 0 for a combining accent.
    package static func folded(_ scalar: Unicode.Scalar) -> UInt64 {
        let value = scalar.value
        if value < 0x80 { return UInt64(value &- 0x41 < 26 ? value | 0x20 : value) }
        if value < letters.count, letters[Int(value)] != 0 { return UInt64(letters[Int(value)]) }
        if isAccent(scalar) { return 0 }
        // Space counts here, and is kept between other letters only.
        let folded =
            FoldedKey.isFolded(value)
            ? Array(String(scalar).utf8) : Array(fold("-\(scalar)-").utf8.dropFirst().dropLast())
        // Keep a scalar whose folded form is a phrase.
        let bytes = folded.count <= 8 ? folded : Array(String(scalar).utf8)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The words of a text, folded, with one space between them; empty where there is none.
    package static func words(of text: String) -> String {
        fold(text).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
            .joined(separator: " ")
    }

    /// Whether every one of ``words(of:)`` is in the text. White space divides the pieces, and no word has any, so that
    /// none is found across two pieces.
    package func contains(words: UnsafeBufferPointer<UInt8>) -> Bool {
        Self.folded(UnsafeBufferPointer(start: buffer, count: count), contains: words)
    }

    /// Whether every one of ``words(of:)`` is in a text that is folded.
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
        // How many places are left where the word may begin.
        var places = text.count - word.count + 1
        while places > 0, let found = memchr(start, Int32(first), places) {
            if memcmp(found, bytes, word.count) == 0 { return true }
            let next = UnsafeRawPointer(found) + 1
            places -= next - start
            start = next
        }
        return false
    }

    /// Adds a text as a piece. False where it cannot be folded letter by letter.
    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = count
        var bits: UInt8 = 0
        // Most texts are ASCII. Without a way out, the loop takes many bytes at a time.
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

    /// Adds each string of a JSON array as a piece. False where one cannot be folded letter by letter, or has an escape.
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

    /// The UTF-8 of what each letter of the Latin, Greek and Cyrillic blocks folds to, the first byte lowest; 0 for what
    /// is longer, nothing at all, or folded together with its neighbours.
    private static let letters: [UInt32] = (UInt32(0)..<0x530).map { value in
        guard value >= 0x80, let scalar = Unicode.Scalar(value), !isAccent(scalar) else { return 0 }
        // Space counts here, and is kept between other letters only.
        let folded = fold("-\(scalar)-").utf8.dropFirst().dropLast()
        return folded.count > 4 ? 0 : folded.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
