/// BCP 47 language tags. Upper and lower case do not matter in them.
package enum LanguageTag {
    /// Returns whether a text has the form of a tag: a language of two to eight letters, or `x` or `i` before other parts, and
    /// parts of up to eight letters and digits (RFC 5646, section 2.1). An underscore counts as a hyphen.
    package static func isTag(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let parts = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard text.utf8.count <= 35, let language = parts.first, language.allSatisfy(isLetter) else { return false }
        let isPrivate = parts.count > 1 && ["x", "i"].contains(Substring(language).lowercased())
        return ((2...8).contains(language.count) || isPrivate)
            && parts.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) }
            }
    }

    /// Returns the text if it has the form of a tag.
    package static func valid(_ text: String) -> String? { isTag(text) ? text : nil }

    /// Returns a tag in its usual case (RFC 5646, section 2.1.1): `pt-BR`, `zh-Hant-TW`. An underscore, as in POSIX
    /// locales, becomes a hyphen. A text that is not a tag is handled in the same way.
    package static func canonical(_ tag: String) -> String {
        tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).enumerated().map { index, part in
            switch (index, part.utf8.count) {
            case (1..., 2): part.uppercased()
            case (1..., 4): part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }

    /// Whether a text is a tag with a two-letter language of ISO 639-1, optionally with a country or a script. Other
    /// pairs of letters usually have another meaning.
    static func isCommon(_ text: some StringProtocol) -> Bool {
        let parts = text.lowercased().split(separator: "-")
        guard let language = parts.first, parts.count <= 2, languages.contains(String(language)) else { return false }
        guard let more = parts.dropFirst().first else { return true }
        return (more.utf8.count == 2 || more.utf8.count == 4) && more.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    /// Returns the innermost of these folders that is named after a language.
    package static func folder(in folders: ArraySlice<Substring>) -> String? {
        folders.indices.reversed().first { index in
            isFolder(folders[index], in: index > folders.startIndex ? folders[index - 1] : nil)
        }.map { String(folders[$0]) }
    }

    /// Returns whether a folder is named after a language: `fr`, `pt-br`, `zh_CN`. A name that often has another
    /// meaning, such as `os`, counts only if the parent folder contains languages.
    package static func isFolder(_ name: Substring, in parent: Substring?) -> Bool {
        guard isCommon(canonical(String(name))) else { return false }
        return !ambiguousFolders.contains(name.lowercased())
            || parent.map { languageParents.contains($0.lowercased()) } ?? false
    }

    private static let ambiguousFolders: Set<String> = [
        "am", "as", "ba", "bs", "ch", "co", "cs", "cv", "dv", "ha", "ia", "id", "ie", "io", "is", "it", "ki", "lb",
        "mg",
        "mi", "ml", "ms", "my", "na", "no", "om", "or", "os", "pa", "ps", "qu", "rm", "sc", "sd", "se", "sg", "sh",
        "si",
        "so", "st", "ti", "tk", "to", "ts", "tt", "tw", "ug",
    ]

    private static let languageParents: Set<String> = [
        "content", "contents", "docs", "i18n", "intl", "l10n", "lang", "langs", "languages", "locale", "locales",
        "pages",
        "posts", "src", "translations",
    ]

    private static let languages = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en \
        eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv \
        ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne \
        ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st \
        su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(separator: " ").map { String($0) })
}
