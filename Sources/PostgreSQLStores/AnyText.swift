internal import PostgreSQL

/// Text that may contain U+0000, which PostgreSQL's text cannot contain.
///
/// U+10FFFD, a private character, begins an escape: U+10FFFD 0 is U+0000, and U+10FFFD 1 is U+10FFFD.
enum AnyText {
    private static let escape: Unicode.Scalar = "\u{10FFFD}"

    /// Returns the text as it is stored.
    static func stored(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == escape }) else { return text }
        var stored = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": stored.append(contentsOf: [escape, "0"])
            case escape: stored.append(contentsOf: [escape, "1"])
            default: stored.append(scalar)
            }
        }
        return String(stored)
    }

    /// Returns the text that was stored; nil if `stored` has an escape that does not exist.
    static func text(_ stored: String) -> String? {
        guard stored.unicodeScalars.contains(escape) else { return stored }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in stored.unicodeScalars {
            switch (isEscaped, scalar) {
            case (false, escape): isEscaped = true
            case (false, _): text.append(scalar)
            case (true, "0"), (true, "1"):
                text.append(scalar == "0" ? "\0" : escape)
                isEscaped = false
            default: return nil
            }
        }
        return isEscaped ? nil : String(text)
    }
}

extension Value {
    /// Creates `text` from a text that may contain U+0000.
    init(anyText text: String) { self = .text(AnyText.stored(text)) }

    /// Creates `text`, or NULL for nil, from a text that may contain U+0000.
    init(anyText text: String?) { self = text.map { Value(anyText: $0) } ?? .null }
}

extension Row {
    /// Returns a text that may contain U+0000.
    func anyText(_ column: Int) throws -> String { try value(column) { AnyText.text($0) } }

    /// Returns the value that `make` creates from a text.
    func text<T>(_ column: Int, _ make: (String) -> T?) throws -> T {
        let text = try anyText(column)
        return try value(column) { (_: String) in make(text) }
    }
}
