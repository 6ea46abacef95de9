import CUnicode

/// The form in which names are compared. It is the same for texts that differ only in upper and lower case, in spaces
/// around them, or in the Unicode spelling of the same letter.
public enum FoldedKey {
    /// Returns a text case-folded and normalized (NFKC_Casefold of UAX #31), without the spaces around it. Accents
    /// stay: "Rene" differs from "René".
    public static func fold(_ text: String) -> String {
        ascii(text) ?? unicode(text)
    }

    /// Returns a text folded as by ``fold(_:)``, and with Latin letters without accents, so that "Étude" is sorted next
    /// to "etude". The marks of other scripts stay, because they distinguish words there.
    public static func foldToPlainLatin(_ text: String) -> String {
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
