internal import CSearch
internal import Database

/// The stems of words, by which a search finds other forms of a word: `migration` finds `migrations` and `migrated`.
///
/// An article's words have stems by the rules of its language. The language of a search is unknown, so it looks for the stems of its words in
/// every language; each stem carries its language, so that it finds articles in this language alone.
/// Source: <https://snowballstem.org>.
enum WordStem {
    /// The languages of libstemmer whose words have Latin letters, and the others, as codes of ISO 639-1. Serbian has either.
    private static let latin = [
        "ca", "da", "de", "en", "es", "eu", "fi", "fr", "ga", "hu", "id", "it", "lt", "nl", "no", "pt", "ro", "sv",
        "tr", "sr",
    ]
    private static let others = ["ar", "el", "hi", "hy", "ne", "ru", "sr", "ta", "yi"]

    /// A number that changes if the library gives other stems, as another version of it may: the stems in an index must be those of the
    /// library that removes them from it.
    static let rules: UInt32 = {
        let words = [
            "migrations", "generously", "aufgaben", "freundlichkeit", "kinderen", "lichaamsdelen", "maisons", "chevaux",
            "trabajadores", "hablando", "meninos", "ritornare", "bombolles", "frumoase", "hunden", "koerarnas",
            "talossa", "lehetseges",
            "kitaplar", "bukunya", "namai", "etxeak", "mbord", "книгами", "књиге", "βιβλια", "الكتاب", "किताबहरू", "लड़के",
            "քաղաքներ",
            "புத்தகங்கள்", "קינדער",
        ]
        let hash = Fingerprint(words.flatMap(tokens).joined(separator: " ")).value
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }()

    /// Returns the tokens of the stems that a folded word has, one for each language.
    static func tokens(of word: String) -> [String] {
        guard let first = word.unicodeScalars.first else { return [] }
        // Folded Latin words have few letters beyond ASCII.
        let languages = first.value < 0x250 ? latin : others
        var word = word
        return word.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { word in
                guard let start = word.baseAddress, let count = Int32(exactly: word.count) else { return [] }
                return languages.compactMap { language in
                    let token = String(unsafeUninitializedCapacity: 68) { buffer in
                        buffer.withMemoryRebound(to: CChar.self) { out in
                            out.baseAddress.map { Int(csearch_stem(language, start, count, $0)) } ?? 0
                        }
                    }
                    return token.isEmpty ? nil : token
                }
            }
        }
    }

    /// Returns the sign that makes the tokenizer add the stems of a language (`csearch.h`); nothing if the library lacks a stemmer for it.
    ///
    /// - Parameters:
    ///   - language: the article's language as a BCP 47 tag, where known.
    ///   - texts: its texts without markup. They tell an English article that does not name its language.
    static func mark(language: String?, texts: [String]) -> String {
        guard let language else { return isEnglish(texts) ? "\u{4}en\u{4}" : "" }
        let code = language.prefix { $0 != "-" }.lowercased()
        // Bokmål and Nynorsk.
        let known = code == "nb" || code == "nn" ? "no" : code
        return latin.contains(known) || others.contains(known) ? "\u{4}\(known)\u{4}" : ""
    }

    /// Every sixth word of English prose is one of these, and few of them are words of other languages.
    private static let english: Set<String> = [
        "the", "of", "and", "to", "that", "with", "this", "from", "you", "are", "have", "not", "which", "were",
    ]

    /// Returns whether one in twenty of the first 200 words is typical of English.
    private static func isEnglish(_ texts: [String]) -> Bool {
        var (all, typical) = (0, 0)
        for text in texts where all < 200 {
            var text = text
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .query) { word in
                    all += 1
                    if word.text.count <= 5, english.contains(String(decoding: word.text, as: UTF8.self)) {
                        typical += 1
                    }
                    return all < 200
                }
            }
        }
        return typical > 0 && typical * 20 >= all
    }
}
