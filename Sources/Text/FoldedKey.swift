import CUnicode
import Platform

/// A normal form of Unicode text (UAX #15), computed by utf8proc.
package struct UnicodeForm: Sendable {
    /// NFC: a letter with an accent has one spelling, whether it was typed as one character or two.
    package static let composed = UnicodeForm(UTF8PROC_COMPOSE, isCompatible: false)
    /// NFKC: as NFC, and characters that look the same have one spelling, such as full-width letters and ligatures.
    package static let compatibility = UnicodeForm(UTF8PROC_COMPOSE)
    /// NFKC and case-folded: the form in which names are compared.
    package static let caseFolded = UnicodeForm(UTF8PROC_COMPOSE, UTF8PROC_CASEFOLD)
    /// NFKC_Casefold of UAX #31: case-folded, and without invisible characters.
    package static let key = UnicodeForm(UTF8PROC_COMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_IGNORE)
    /// Case-folded and without accents: the form in which text is searched.
    package static let searchable = UnicodeForm(UTF8PROC_DECOMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_STRIPMARK)

    private let flags: UInt32

    private init(_ flags: utf8proc_option_t..., isCompatible: Bool = true) {
        let base = UTF8PROC_STABLE.rawValue | (isCompatible ? UTF8PROC_COMPAT.rawValue : 0)
        self.flags = flags.reduce(base) { $0 | $1.rawValue }
    }

    /// The options for utf8proc.
    var options: utf8proc_option_t { utf8proc_option_t(rawValue: flags) }

    /// Returns `text` in this form. The result can be 18 times as long, so limit the length of the text first.
    package func apply(to text: String) -> String {
        var text = text
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(utf8.baseAddress, utf8.count, &result, options)
            defer { free(result) }
            // utf8proc fails if the text is not valid UTF-8, which a String always is, or if memory runs out.
            guard count >= 0, let result else { return String(decoding: utf8, as: UTF8.self) }
            return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}

/// The form in which names are compared. It is the same for texts that differ only in upper and lower case, in spaces
/// around them, or in the Unicode spelling of the same letter.
package enum FoldedKey {
    /// Returns a text case-folded and normalized (NFKC_Casefold of UAX #31), without the spaces around it. Accents
    /// stay: "Rene" differs from "René".
    package static func fold(_ text: String) -> String {
        ascii(text) ?? unicode(text)
    }

    /// Returns a text folded as by ``fold(_:)``, and with Latin letters without accents, so that "Étude" is sorted next
    /// to "etude". The marks of other scripts stay, because they distinguish words there.
    package static func foldToPlainLatin(_ text: String) -> String {
        if let folded = ascii(text) { return folded }
        var plain = String.UnicodeScalarView()
        for scalar in unicode(text).unicodeScalars {
            switch scalar {
            case "æ": plain.append(contentsOf: "ae".unicodeScalars)
            case "œ": plain.append(contentsOf: "oe".unicodeScalars)
            case "þ": plain.append(contentsOf: "th".unicodeScalars)
            case "ø": plain.append("o")
            case "ł": plain.append("l")
            case "đ", "ð": plain.append("d")
            case "ı": plain.append("i")
            case "\u{C0}"..."\u{24F}", "\u{1E00}"..."\u{1EFF}": plain.append(base(of: scalar))
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    /// Whether folding leaves a scalar unchanged, whatever characters are next to it.
    static func isFolded(_ value: UInt32) -> Bool {
        guard let value = Int32(exactly: value) else { return false }
        // Marks can combine with the character before them. The letters that form Hangul syllables can combine too.
        switch utf8proc_category(value) {
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME: return false
        default: break
        }
        if (0x1100...0x11FF).contains(value) { return false }
        if (0xAC00...0xD7A3).contains(value) { return true }
        var part: Int32 = 0
        return utf8proc_decompose_char(value, &part, 1, UnicodeForm.key.options, nil) == 1 && part == value
    }

    /// Returns a letter without its accents.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        var parts: [Int32] = [0, 0, 0, 0, 0, 0, 0, 0]
        let count = utf8proc_decompose_char(
            Int32(scalar.value), &parts, parts.count, utf8proc_option_t(UTF8PROC_DECOMPOSE.rawValue), nil)
        return count > 0 ? UInt32(exactly: parts[0]).flatMap(Unicode.Scalar.init) ?? scalar : scalar
    }

    /// The fast path for ASCII, which most names are: folding changes only the letters A to Z.
    private static func ascii(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            let trimmed = bytes.trimmed
            return String(unsafeUninitializedCapacity: trimmed.count) { buffer in
                for (index, byte) in trimmed.enumerated() {
                    buffer[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                }
                return trimmed.count
            }
        }
    }

    private static func unicode(_ text: String) -> String {
        String(UnicodeForm.key.apply(to: text).trimmed)
    }
}
