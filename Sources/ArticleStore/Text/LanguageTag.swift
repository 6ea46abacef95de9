/// BCP 47 language tags, which are the same in any case.
package enum LanguageTag {
    /// The tag in the case that is customary (RFC 5646, section 2.1.1): `pt-BR`, `zh-Hant-TW`. An underscore, as in a
    /// locale of POSIX, counts as a hyphen. What is no tag is left as it stands, in lower case.
    package static func canonical(_ tag: String) -> String {
        tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).enumerated().map { index, part in
            switch (index, part.utf8.count) {
            case (1..., 2): part.uppercased()
            case (1..., 4): part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }
}
