import CUnicode
import Platform

/// A normal form of Unicode text (UAX #15), computed by utf8proc.
public struct UnicodeForm: Sendable {
    /// NFC: a letter with an accent has one spelling, whether it was typed as one character or two.
    public static let composed = UnicodeForm(UTF8PROC_COMPOSE, isCompatible: false)
    /// NFKC: as NFC, and characters that look the same have one spelling, such as full-width letters and ligatures.
    public static let compatibility = UnicodeForm(UTF8PROC_COMPOSE)
    /// NFKC and case-folded: the form in which names are compared.
    public static let caseFolded = UnicodeForm(UTF8PROC_COMPOSE, UTF8PROC_CASEFOLD)
    /// NFKC_Casefold of UAX #31: case-folded, and without invisible characters.
    public static let key = UnicodeForm(UTF8PROC_COMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_IGNORE)
    /// Case-folded and without accents: the form in which text is searched.
    public static let searchable = UnicodeForm(UTF8PROC_DECOMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_STRIPMARK)

    private let flags: UInt32

    private init(_ flags: utf8proc_option_t..., isCompatible: Bool = true) {
        let base = UTF8PROC_STABLE.rawValue | (isCompatible ? UTF8PROC_COMPAT.rawValue : 0)
        self.flags = flags.reduce(base) { $0 | $1.rawValue }
    }

    /// The options for utf8proc.
    var options: utf8proc_option_t { utf8proc_option_t(rawValue: flags) }

    /// Returns `text` in this form. The result can be 18 times as long, so limit the length of the text first.
    public func apply(to text: String) -> String {
        var text = text
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(utf8.baseAddress, utf8.count, &result, options)
            defer { free(result) }
            // utf8proc fails on text that is not UTF-8, which a String cannot be, or if memory runs out.
            guard count >= 0, let result else { return String(decoding: utf8, as: UTF8.self) }
            return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}
