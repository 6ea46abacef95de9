internal import CSearch

/// The words of a text in the form of the search index. Source: `csearch.h`.
package enum SearchWords {
    /// The purpose of the words.
    package enum Purpose: Int32 {
        /// For the index. Several words may have the same position, such as `c` and `c++`.
        case document = 0
        /// For a search. If several words have the same position, only the most specific one.
        case query = 1
    }

    /// The version of the rules that make words, including those of the stemming library. If an index has another
    /// version, it is rebuilt.
    package static let version = Int64(csearch_version) << 32 | Int64(WordStem.rules)

    /// A word at a position in a text.
    package struct Word {
        /// The folded word.
        package let text: UnsafeBufferPointer<UInt8>
        /// The number of positions before it in the text.
        package let position: Int
        /// Whether it has the same position as the previous word.
        package let isBeside: Bool
        /// The range of bytes in the text from which the word was made.
        package let range: Range<Int>
    }

    /// The words of recent texts. With it, the words of many texts take a fraction of the time.
    package final class Cache {
        /// Null if memory is short.
        fileprivate let pointer = csearch_cache_new()

        package init() {}

        deinit { csearch_cache_free(pointer) }
    }

    /// The first letters of words and stems to look for.
    package struct Beginnings: Sendable {
        fileprivate private(set) var flags = [UInt8](repeating: 0, count: 256)

        /// Creates the first letters of words of the index, which include stems.
        package init(_ words: some Sequence<[UInt8]>) {
            for word in words {
                // A stem follows its mark and its language.
                let first = word.first == 1 ? word.dropFirst(3).first : word.first
                if let first { flags[Int(first)] = 1 }
            }
        }
    }

    /// Calls `body` with each word of a text until it returns false. The word is valid only inside `body`.
    package static func forEach(
        in text: UnsafeBufferPointer<UInt8>, for purpose: Purpose, with cache: Cache? = nil, _ body: (Word) -> Bool
    ) {
        _ = read(text, csearch_reading(mode: purpose.rawValue, cache: cache?.pointer, firsts: nil, positions: 0), body)
    }

    /// Calls `body` with each word of a document that has one of these beginnings until it returns false, and with some
    /// others. The other words are counted but not folded and stemmed, so this takes a fraction of the time.
    ///
    /// - Returns: the number of positions up to the end, or up to the word at which `body` returned false.
    @discardableResult
    package static func forEach(
        in text: UnsafeBufferPointer<UInt8>, beginningWith beginnings: Beginnings, _ body: (Word) -> Bool
    ) -> Int {
        beginnings.flags.withUnsafeBufferPointer { flags in
            read(
                text,
                csearch_reading(
                    mode: Purpose.document.rawValue, cache: nil, firsts: flags.baseAddress, positions: 0), body)
        }
    }

    /// Returns the number of positions.
    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, _ reading: csearch_reading, _ body: (Word) -> Bool
    ) -> Int {
        guard let start = text.baseAddress, let count = Int32(exactly: text.count) else { return 0 }
        var reading = reading
        withoutActuallyEscaping(body) { body in
            var body = body
            withUnsafeMutablePointer(to: &body) { body in
                start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
                    _ = csearch_tokens(start, count, &reading, body) {
                        context, position, isBeside, token, count, from, to in
                        guard let context, let token else { return 1 }
                        let bytes = UnsafeRawBufferPointer(start: token, count: Int(count)).bindMemory(to: UInt8.self)
                        let word = Word(
                            text: bytes, position: Int(position), isBeside: isBeside != 0, range: Int(from)..<Int(to))
                        return context.assumingMemoryBound(to: ((Word) -> Bool).self).pointee(word) ? 0 : 1
                    }
                }
            }
        }
        return Int(reading.positions)
    }

    /// Whether a character belongs to a script without spaces, of which the index contains pairs.
    static func isHalf(_ scalar: Unicode.Scalar) -> Bool { csearch_is_wide(scalar.value) != 0 }

    /// Returns the words of a search text, in order.
    static func words(ofQuery text: String) -> [String] {
        mapQuery(text) { word, _ in String(decoding: word.text, as: UTF8.self) }
    }

    /// Returns the words of a search text in their written form, in order.
    static func writtenWords(ofQuery text: String) -> [String] {
        mapQuery(text) { word, utf8 in String(decoding: utf8[word.range], as: UTF8.self) }
    }

    private static func mapQuery(
        _ text: String, _ transform: (Word, UnsafeBufferPointer<UInt8>) -> String
    ) -> [String] {
        var (text, words) = (text, [String]())
        text.withUTF8 { utf8 in
            forEach(in: utf8, for: .query) { word in
                words.append(transform(word, utf8))
                return true
            }
        }
        return words
    }
}
