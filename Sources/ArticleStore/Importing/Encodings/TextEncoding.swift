import Platform
import Text

/// The encoding of a text.
enum TextEncoding: Hashable, Sendable {
    case utf8
    /// UTF-8 with some single bytes of windows-1252. Documents that wrongly claim to be Latin-1 contain this mixture.
    case utf8AmongWindows1252
    /// Windows-1252, one byte per character. Unassigned bytes are control characters, as in browsers.
    case windows1252
    /// Another encoding, by its name in iconv.
    case other(String)

    /// Creates the encoding with a name from a document or the user; nil if the name is unknown.
    ///
    /// Names have the meaning that they have in browsers (<https://encoding.spec.whatwg.org/#names-and-labels>):
    /// ISO-8859-1 and ASCII mean windows-1252, Shift_JIS means code page 932, and the Chinese encodings mean GB18030.
    init?(label: String) {
        let label = label.trimmed.lowercased()
        switch label {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "ascii", "us-ascii",
            "ansi_x3.4-1968", "windows-1252", "cp1252", "x-cp1252", "ansi":
            self = .windows1252
        default:
            let name = Self.names[label] ?? label.uppercased()
            // Reject a slash: it would begin an option of iconv that drops unreadable characters.
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }),
                IconvDecoder.knows(name)
            else { return nil }
            self = .other(name)
        }
    }

    /// The minimum number of bytes of a character.
    var unit: Int {
        guard case .other(let name) = self else { return 1 }
        return name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
    }

    /// The names in iconv of an encoding or of a superset.
    private static let names: [String: String] = [
        "iso-8859-9": "WINDOWS-1254", "latin5": "WINDOWS-1254", "iso-8859-11": "WINDOWS-874", "tis-620": "WINDOWS-874",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "ms_kanji": "CP932",
        "windows-31j": "CP932", "x-euc-jp": "EUC-JP", "euc-kr": "UHC", "ks_c_5601-1987": "UHC", "korean": "UHC",
        "windows-949": "UHC", "gb2312": "GB18030", "gb_2312-80": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030",
        "chinese": "GB18030", "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "x-x-big5": "BIG5-HKSCS",
        "utf-16": "UTF-16LE", "utf16": "UTF-16LE", "unicode": "UTF-16LE", "ucs-2": "UTF-16LE", "utf-32": "UTF-32LE",
        "x-mac-roman": "MACINTOSH", "mac": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC", "koi": "KOI8-R",
        "koi8": "KOI8-R", "x-cp1250": "WINDOWS-1250", "x-cp1251": "WINDOWS-1251", "dos-874": "WINDOWS-874",
        "cp866": "IBM866", "866": "IBM866", "iso-8859-8-i": "ISO-8859-8", "utf-7": "",
    ]
}
