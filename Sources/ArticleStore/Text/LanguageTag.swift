/// BCP 47 language tags, which are the same in any case.
package enum LanguageTag {
    /// Whether a text has the form of one, as far as letters, digits and length go.
    package static func isTag(_ text: String) -> Bool {
        (1...35).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "-_".utf8.contains($0)
            }
    }

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
