import Database
import Text

/// Names for articles that read well in a path: `swift-linux-port`.
public enum Slug {
    /// The slug of a text. Letters are lower-cased and lose their accents; apostrophes vanish; whatever is neither a
    /// letter nor a digit becomes one hyphen between words. Letters that have no Latin form stay as they are: a
    /// Japanese title gives a Japanese slug, which browsers show as such. A text of no letter and no digit gives
    /// `article-` and a hash of it.
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

    /// Whether a text consists of what ``make(from:)`` makes slugs of, and so is harmless in a path.
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
