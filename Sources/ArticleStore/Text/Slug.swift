import Text

/// Names for articles that are readable in a path: `swift-linux-port`.
public enum Slug {
    /// Returns the slug of a text. Letters become lower case and lose their accents. Apostrophes are removed. All other
    /// characters except letters and digits become a single hyphen between words. Letters that do not have a Latin form
    /// stay: a Japanese title gives a Japanese slug, which browsers display. A text without letters and digits gives
    /// `article-` and a hash of the text.
    public static func make(from text: String) -> String {
        var slug = ""
        var separated = false
        for scalar in FoldedKey.foldToPlainLatin(text).unicodeScalars {
            if scalar == "'" || scalar == "\u{2019}" { continue }
            guard isPartOfWord(scalar) else {
                separated = true
                continue
            }
            if separated && !slug.isEmpty { slug.unicodeScalars.append("-") }
            separated = false
            slug.unicodeScalars.append(scalar)
        }
        guard slug.isEmpty else { return slug }
        return "article-\(Fingerprint(text))"
    }

    /// Whether a text contains only characters that ``make(from:)`` may produce, so that it is safe in a path.
    static func isSlug(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0 == "-" || isPartOfWord($0) }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}
