import Text
import ArticleStore
import StoreEngines
import Foundation
import TestSupport

/// Articles of text that is likely to break an export or import.
struct HostileArticles {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Fills a library with sources of every kind, some without articles, and with articles of many equal slugs.
    mutating func fill(_ repository: some ArticleRepository, count: Int) async throws {
        let kinds = Source.Kind.allCases.filter { $0 != .earlier }
        var sources: [SourceFacts] = []
        for (index, name) in Self.sourceNames.enumerated() {
            sources.append(
                SourceFacts(
                    name: name, kind: kinds[index % kinds.count],
                    location: index % 3 == 0 ? nil : "/srv/\(text())/\(index)",
                    home: index % 2 == 0 ? "https://example.org/\(index)/" : nil))
        }
        for facts in sources { try await repository.write { _ = try $0.source(facts) } }
        for _ in 0..<count {
            let facts = sources[Int.random(in: 1..<sources.count, using: &random)]
            try await repository.upsert(draft(of: facts.kind), into: facts)
        }
    }

    private mutating func draft(of kind: Source.Kind) -> ArticleDraft {
        let published = Date(
            timeIntervalSince1970: pick([-62_135_596_800, 253_402_300_799, 0, -1, 1_700_000_000, -62_135_590_000]))
        return ArticleDraft(
            key: ExactText(kind == .folder ? path() : nonEmpty()), slug: pick([nil, "same", "same", "c", nonEmpty()]),
            title: pick([text(), "2026-01-02", "yes", "# Heading", "---", "a: b", ""]),
            authors: names(), summary: pick([nil, nil, "", text(), " x "]), body: body(),
            format: pick(Article.Format.allCases), language: pick([nil, "en", "pt-BR", "zh-Hant-TW"]),
            sourceURL: pick([nil, "https://example.org/a?b=c&d=\"e\"#f", "http://example.org/\u{E9}"]),
            baseURL: pick([nil, "https://example.org/base/"]),
            published: pick([nil, published, published]),
            publishedOffset: pick([0, 60, -480, 330, 1439, -1439]), updated: pick([nil, published]),
            tags: names(), extra: pick(["{}", extra()]))
    }

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// Parts with a meaning in YAML, JSON, XML, Markdown, a terminal, or a file system, put together.
    private mutating func text() -> String {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in pick(Self.pieces) }.joined()
    }

    private mutating func nonEmpty() -> String {
        pick(Self.pieces) + text() + "k\(Int.random(in: 0..<10_000, using: &random))"
    }

    private mutating func path() -> String {
        let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            pick([
                "2024", "a.md", "A.MD", "con", ".hidden", "node_modules", "_drafts", "a:b", "x ",
                String(repeating: "é", count: 120),
            ])
        }
        let ending = pick([".md", ".markdown", ".html", ".txt", ".MD", "", ".md#3"])
        return
            (parts + [
                "\(pick(["post", "Post", "post.", "aux", "ﬁle", "caf\u{E9}", "cafe\u{301}"]))\(pick(["", "1", "2"]))\(ending)"
            ]).joined(
                separator: "/")
    }

    private mutating func names() -> [String] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            pick(["Doe, Jane", "Swift", "no", "12", "[a]", "a,b", "é", "e\u{301}", "日本語", " padded ", text()])
        }
    }

    private mutating func body() -> String {
        let start = pick([
            "", "\n", "\r\n", "\n\n\n", "---\nx: y\n---\n", "+++\n", "\u{FEFF}", " ", "# Title\n\n", "\0",
        ])
        return start + text() + pick(["", "\n", "\r\n", "\n\n", " ", "\n---\n"])
    }

    /// JSON in the form of an import, and some in another form.
    private mutating func extra() -> String {
        let key = pick([
            "layout", "title", "Title", "extra", "sourceID", "y", "1", "", "a: b", "é",
            String(repeating: "k", count: 300),
        ])
        let string = JSONSerialization.text(text())
        let value = pick([
            "1", "-0", "1e5", "1.50", "123456789012345678901234567890", "true", "null", "[]", "{}", string,
            "[1,[2,[{}]],{\"a\":[]}]", "{\"a\":{\"b\":[{\"c\":\(string)},\(string)]},\"z\":[\"x, y\",\"no\"]}",
            String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
        ])
        return pick([
            "{\(JSONSerialization.text(key)):\(value)}", "{\"a\":\(value),\"tags\":\(value),\"url\":\"x\"}",
            "{ \"b\" : \(value) }\n", "{\"b\":1,\"a\":2}", "{\"k\":\"\\u0041\"}",
        ])
    }

    private static let sourceNames = [
        "empty", "blog", "Blog/old", "feed: the \"best\"", "con", "日本語", "no", "a\u{7}b", ".hidden",
        String(repeating: "long ", count: 60),
    ]

    private static let pieces: [String] = [
        " ", "  ", "\t", "\n", "\r", "\r\n", "\0", "\u{1}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}",
        "\u{2029}",
        "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{202E}", "\u{200D}", "👩‍👩‍👧", "🏳️‍🌈", "é", "e\u{301}", "日本",
        "\u{10FFFF}", "\u{E000}",
        "\"", "'", "\\", "\\n", ":", ": ", " #", "#", "-", "- ", "---", "...", "?", "|", ">", "&a", "*a", "!x", "%",
        "@", "`",
        "[", "]", "{", "}", ",", "<", "&amp;", "]]>", "<script>", "yes", "No", "null", "~", "1", "1.5", "0x1F", "1e5",
        "2026-01-02",
        "12:30:45", "=", "<<", "a", "Word", "two words", "/", "..", "*b*", "](x)", "```\n", "    ", "| a |\n",
    ]
}

extension JSONSerialization {
    /// Returns a string as JSON in this package's form: only the necessary characters are escaped.
    fileprivate static func text(_ text: String) -> String { "\"" + text.unicodeScalars.map(escape).joined() + "\"" }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\u{8}": "\\b"
        case "\u{C}": "\\f"
        case "\0"..<" ": String(format: "\\u%04x", scalar.value)
        default: String(scalar)
        }
    }
}
