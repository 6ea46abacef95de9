internal import CSearch

/// The words of a text as the index of words has them. Source: `csearch.h`.
package enum SearchWords {
    /// For whom they are.
    package enum Purpose: Int32 {
        /// For the index: several may stand at one place, as `c` and `c++`.
        case document = 0
        /// For a search: of several at one place, the one that says most.
        case query = 1
    }

    /// The version of the rules by which words are made, with those of the library of stems. An index with another version is rebuilt.
    package static let version = Int64(csearch_version) << 32 | Int64(WordStem.rules)

    /// A word at a place of a text.
    package struct Word {
        /// Folded.
        package let text: UnsafeBufferPointer<UInt8>
        /// Whether it stands at the same place as the one before.
        package let isBeside: Bool
        /// Which bytes of the text it was made of.
        package let range: Range<Int>
    }

    /// Gives each word of a text, which is valid only inside `body`, until that returns false.
    package static func forEach(
        in text: UnsafeBufferPointer<UInt8>, for purpose: Purpose, _ body: (Word) -> Bool
    ) {
        guard let start = text.baseAddress, let count = Int32(exactly: text.count) else { return }
        withoutActuallyEscaping(body) { body in
            var body = body
            withUnsafeMutablePointer(to: &body) { body in
                start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
                    _ = csearch_tokens(start, count, purpose.rawValue, body) {
                        context, isBeside, token, count, from, to in
                        guard let context, let token else { return 1 }
                        let bytes = UnsafeRawBufferPointer(start: token, count: Int(count)).bindMemory(to: UInt8.self)
                        let word = Word(text: bytes, isBeside: isBeside != 0, range: Int(from)..<Int(to))
                        return context.assumingMemoryBound(to: ((Word) -> Bool).self).pointee(word) ? 0 : 1
                    }
                }
            }
        }
    }

    /// Whether a character is of a script without spaces, of which an index has pairs.
    static func isHalf(_ scalar: Unicode.Scalar) -> Bool { csearch_is_wide(scalar.value) != 0 }

    /// The words of a search for a text, in their order.
    static func words(ofQuery text: String) -> [String] {
        var (text, words) = (text, [String]())
        text.withUTF8 { utf8 in
            forEach(in: utf8, for: .query) { word in
                words.append(String(decoding: word.text, as: UTF8.self))
                return true
            }
        }
        return words
    }
}
