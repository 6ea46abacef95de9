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

/// The slugs that an article may get, the best first: its name, and then its name with an addition that distinguishes
/// it from other articles with that name: its language, its day, its folders, its source, and at last a hash of its
/// key.
///
/// They depend only on the article, so the same articles in the same order get the same slugs in every library.
struct SlugChoice {
    private let draft: ArticleDraft
    private let source: String
    private let name: String

    /// Creates the choice for an article.
    /// - Parameter mayBeNumber: whether a slug that is a number stays, as in an export. Otherwise it could be confused
    ///   with the number of another article, so 1984 becomes `article-1984`.
    init(_ draft: ArticleDraft, source: String, mayBeNumber: Bool = false) {
        self.draft = draft
        self.source = source
        name = mayBeNumber || Int64(draft.slug) == nil ? draft.slug : "article-" + draft.slug
    }

    /// Returns the first slug that is free.
    func first(where isFree: (String) throws -> Bool) rethrows -> String {
        if try isFree(name) { return name }
        for slug in slugs(with: additions) where slug != name {
            if try isFree(slug) { return slug }
        }
        var number = 2
        while true {
            let slug = "\(name)-\(Fingerprint("\(source)\n\(draft.key)"))-\(number)"
            if try isFree(slug) { return slug }
            number += 1
        }
    }

    /// The slugs that are tried first. They do not depend on the source.
    var firstCandidates: [String] { [name] + slugs(with: draftAdditions) }

    private func slugs(with additions: [String]) -> some Sequence<String> {
        additions.lazy.map { Slug.make(from: name + "-" + $0) }
    }

    private var additions: [String] {
        draftAdditions + [source, String(Fingerprint("\(source)\n\(draft.key)").description.prefix(8))]
    }

    private var draftAdditions: [String] {
        var additions: [String] = []
        if let language = draft.language { additions.append(language) }
        if let published = draft.published {
            additions.append(RFC3339.day(of: published, offset: draft.publishedOffset))
        }
        // The folder of the file, then that folder with the one above it, and so on.
        let folders = draft.key.text.split(separator: "/").dropLast().suffix(4)
        for count in folders.indices.reversed() { additions.append(folders[count...].joined(separator: "-")) }
        return additions
    }
}
