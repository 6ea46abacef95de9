internal import CUnicode

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A normal form of Unicode text. Source: UAX #15, made by utf8proc.
enum UnicodeForm {
    /// NFKC: what looks the same is written the same (full-width letters, ligatures).
    case compatibility
    /// NFKC and case-folded: the form in which names are compared.
    case caseFolded
    /// Case-folded and without accents: the form in which text is searched.
    case searchable

    private var options: UInt32 {
        let flags =
            switch self {
            case .compatibility: [UTF8PROC_COMPOSE]
            case .caseFolded: [UTF8PROC_COMPOSE, UTF8PROC_CASEFOLD]
            case .searchable: [UTF8PROC_DECOMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_STRIPMARK]
            }
        return flags.reduce(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue) { $0 | $1.rawValue }
    }

    /// `text` in this form. The result can be 18 times as long, so bound the text before.
    func apply(to text: String) -> String {
        var text = text
        let options = utf8proc_option_t(rawValue: options)
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(utf8.baseAddress, utf8.count, &result, options)
            defer { free(result) }
            // It fails on text that is not UTF-8, which a String cannot be, and when memory runs out.
            guard count >= 0, let result else { return String(decoding: utf8, as: UTF8.self) }
            return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}
