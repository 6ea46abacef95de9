internal import CSearch
import Text

/// The stems of words. With them, a search finds other forms of a word: `migration` finds `migrations` and `migrated`.
///
/// The words of an article are stemmed by the rules of its language. The language of a search is unknown, so its words
/// are stemmed in every language. Each stem begins with the code of its language, so it matches only articles in that
/// language.
/// Source: <https://snowballstem.org>.
enum WordStem {
    /// A language of libstemmer, in one of its scripts.
    private struct Language {
        /// The code of ISO 639-1, which libstemmer and the index use.
        let code: String
        /// All codes: also those of ISO 639-2 and 639-3, and those of its written forms.
        let codes: [Substring]
        let script: ClosedRange<UInt32>
        /// For each letter without an accent, the letters with an accent that a user may mean by it.
        private let accented: [Unicode.Scalar: [Unicode.Scalar]]

        init(_ codes: String, _ script: ClosedRange<UInt32>, accents: String = "") {
            self.codes = codes.split(separator: " ")
            code = self.codes.first.map { String($0) } ?? ""
            self.script = script
            accented = Dictionary(grouping: accents.unicodeScalars) { letter in
                SearchText.fold(String(letter)).unicodeScalars.first ?? letter
            }
        }

        /// Returns the word, and its spellings with an accent on one of the last eight letters or on two adjacent ones.
        ///
        /// The stemming rules of a language need the accents of endings, but users omit them: `informacao` for
        /// `informação`. In Snowball's lists, up to a third of the accented words have another stem without their
        /// accents. For 97 to 100% of the accented words, the right spelling is among these.
        func spellings(of word: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
            var found = [word]
            guard !accented.isEmpty else { return found }
            for index in word.indices.suffix(8) {
                for letter in accented[word[index]] ?? [] {
                    var one = word
                    one[index] = letter
                    found.append(one)
                    guard index + 1 < word.endIndex else { continue }
                    for letter in accented[word[index + 1]] ?? [] {
                        var two = one
                        two[index + 1] = letter
                        found.append(two)
                    }
                }
            }
            return found
        }

        /// Returns the tokens of the stems of case-folded words, each once.
        func tokens(of words: [[Unicode.Scalar]]) -> [String] {
            let room = words.count * 69
            var text = ""
            for word in words {
                text.unicodeScalars.append(contentsOf: word)
                text.append(" ")
            }
            let tokens = text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { text in
                    String(unsafeUninitializedCapacity: room) { buffer in
                        buffer.withMemoryRebound(to: CChar.self) { out in
                            guard let start = text.baseAddress, let out = out.baseAddress else { return 0 }
                            return csearch_stems(code, start, text.count, out, room)
                        }
                    }
                }
            }
            return tokens.split(separator: " ").reduce(into: []) { found, token in
                if !found.contains(where: { $0 == token }) { found.append(String(token)) }
            }
        }
    }

    private static let languages: [Language] = {
        let latin: ClosedRange<UInt32> = 0x61...0x24F
        let cyrillic: ClosedRange<UInt32> = 0x400...0x52F
        let devanagari: ClosedRange<UInt32> = 0x900...0x97F
        return [
            Language("ca cat", latin, accents: "àçèéíïòóúü"), Language("da dan", latin, accents: "åø"),
            Language("de deu ger", latin, accents: "äöü"), Language("en eng", latin),
            Language("es spa", latin, accents: "áéíñóúü"), Language("eu eus baq", latin, accents: "ñ"),
            Language("fi fin", latin, accents: "äåö"), Language("fr fra fre", latin, accents: "àâçèéêëîïôùûü"),
            Language("ga gle", latin, accents: "áéíóú"), Language("hu hun", latin, accents: "áéíóöúüőű"),
            Language("id ind", latin), Language("it ita", latin, accents: "àèéìòù"),
            Language("lt lit", latin, accents: "ąčėęįšūųž"), Language("nl nld dut", latin, accents: "èéëïöü"),
            Language("no nor nb nob nn nno", latin, accents: "åø"), Language("pt por", latin, accents: "àáâãçéêíóôõúü"),
            Language("ro ron rum", latin, accents: "âîășț"), Language("sr srp", latin, accents: "ćčđšž"),
            Language("sv swe", latin, accents: "äåö"), Language("tr tur", latin, accents: "çöüğış"),
            Language("el ell gre", 0x370...0x3FF), Language("ru rus", cyrillic), Language("sr srp", cyrillic),
            Language("hy hye arm", 0x530...0x58F), Language("yi yid", 0x590...0x5FF), Language("ar ara", 0x600...0x6FF),
            Language("hi hin", devanagari), Language("ne nep", devanagari), Language("ta tam", 0xB80...0xBFF),
        ]
    }()

    /// The code of ISO 639-1 for each code.
    private static let codes = Dictionary(
        languages.flatMap { language in language.codes.map { ($0, language.code) } },
        uniquingKeysWith: { first, _ in first })

    /// A number that changes if libstemmer gives other stems, for example in another version. The stems in an index
    /// must come from the same rules with which they are later removed from it.
    static let rules: UInt32 = {
        let words = [
            "migrations", "generously", "aufgaben", "freundlichkeit", "häusern", "kinderen", "lichaamsdelen", "maisons",
            "chevaux", "créativité", "trabajadores", "hablando", "organización", "meninos", "informação", "ritornare",
            "parlerà", "bombolles", "frumoase", "hunden", "koerarnas", "talossa", "lehetséges", "városokból",
            "kitapları", "bukunya", "namai", "etxeak", "mbord", "книгами", "књиге", "βιβλία", "الكتاب", "किताबहरू",
            "लड़के", "քաղաքներ", "புத்தகங்கள்", "קינדער",
        ]
        let tokens = words.flatMap { word in
            languages(of: word).flatMap { $0.tokens(of: [Array(word.unicodeScalars)]) }
        }
        let hash = Fingerprint(tokens.joined(separator: " ")).value
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }()

    /// Returns the tokens of the stems of a search word, in each of the languages that has its script, and with each accent
    /// that it may lack.
    static func tokens(of word: String, in known: StemLanguages) -> [String] {
        let plain = SearchText.fold(word)
        // U+FDFA is folded to four words.
        guard !plain.contains(" ") else { return [] }
        // Accents that are not part of a letter are not in the index.
        let written = FoldedKey.fold(word).unicodeScalars.filter { !(0x300...0x36F).contains($0.value) }
        return languages(of: plain).filter { known.contains($0.code) }.flatMap { language in
            let spellings = language.spellings(of: Array(written))
            let letters = Array(plain.unicodeScalars)
            return language.tokens(of: (spellings.first == letters ? [] : [letters]) + spellings)
        }
    }

    /// Returns the languages whose script contains the first letter of a word.
    private static func languages(of word: String) -> [Language] {
        languages.filter { language in word.unicodeScalars.first.map { language.script.contains($0.value) } ?? false }
    }

    /// Returns the sign that makes the tokenizer add the stems of a language (`csearch.h`); nothing if the library
    /// lacks a stemmer for it.
    ///
    /// - Parameters:
    ///   - language: the article's language as a BCP 47 tag, where known.
    ///   - texts: its texts without markup. They tell an English article that does not name its language.
    static func mark(language: String?, texts: [String]) -> String {
        guard let language else { return EnglishText.isEnglish(texts) ? "\u{4}\(undeclared)\u{4}" : "" }
        return code(of: language).map { "\u{4}\($0)\u{4}" } ?? ""
    }

    /// The code of the language in which articles are stemmed that do not name theirs.
    fileprivate static let undeclared = "en"

    /// Returns the code of a language by its BCP 47 tag; nil if the library lacks a stemmer for it.
    fileprivate static func code(of tag: String) -> String? { codes[tag.prefix { $0 != "-" }.lowercased()[...]] }
}

/// The languages of articles, in which the words of a search are stemmed.
package struct StemLanguages: Sendable {
    private let codes: Set<String>?

    /// All languages.
    package static let all = StemLanguages(codes: nil)

    private init(codes: Set<String>?) { self.codes = codes }

    /// Creates the languages of a library, by the BCP 47 tags of its articles.
    package init(tags: [String]) { codes = Set(tags.compactMap(WordStem.code) + [WordStem.undeclared]) }

    fileprivate func contains(_ code: String) -> Bool { codes?.contains(code) ?? true }
}
