@testable import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("The text of a search")
struct SearchQueryTests {
    @Test(
        "A search describes how it was understood",
        arguments: [
            ("swift", "“swift”"), (" a \t b\n", "“a” and “b”"),
            (#""keyset pages" migrat*"#, "“keyset pages” and “migrat…”"),
            ("a -b", "“a”, not “b”"), ("-a", "not “a”"), ("title:a", "in the title “a”"),
            ("AUTHOR:tomas", "by “tomas”"),
            (#"author:"tomás herrera" x"#, "“x”, by “tomás herrera”"), ("tag:a -tag:b", "tagged “a”, not tagged “b”"),
            ("source:blog lang:de", "from “blog”, in de"),
            ("before:2026 after:2025-02", "before 2026-01-01, since 2025-02-01"),
            ("is:unread -is:starred", "unread, not starred"), ("tag:mine:x", "with your tag “x”"),
            (#"-tag:MINE:"to read" a"#, "“a”, not with your tag “to read”"),
            ("tag:mine:", "nothing, ignoring “tag:mine:”"),
            ("before:sunset", "“before:sunset”"), ("is:odd", "“is:odd”"), ("-before:x", "not “before:x”"),
            ("http://x.y", "“http://x.y”"), ("a title:", "“a”, ignoring “title:”"), ("%", "nothing, ignoring “%”"),
            ("--flag", "“--flag”"), ("a - b", "“a” and “b”, ignoring “-”"), (#""open quote"#, "“open quote”"),
            (#""one two"*"#, "“one two…”"), (#"a"b"#, #"“a"b”"#), ("C++ .NET", "“C++” and “.NET”"),
            ("a OR b", "“a” or “b”"), ("a OR b c", "(“a” or “b”) and “c”"),
            ("title:a OR by:b", "in the title “a” or by “b”"), ("a OR", "“a”, ignoring “OR”"), ("OR a", "“OR” and “a”"),
            ("a OR -b", "“a” or not “b”"), ("is:read OR b", "read or “b”"), ("a OR % b", "“a” or “b”, ignoring “%”"),
            ("(a OR b) -c", "“a” or “b”, not “c”"), ("(a b) c", "“a” and “b” and “c”"),
            ("source:a OR source:b", "from “a” or from “b”"), ("-(a b)", "not “a” or not “b”"),
            ("-(a OR is:read)", "not “a”, unread"), ("-(-a -b) c", "(“a” or “b”) and “c”"),
            ("(is:starred OR tag:mine:x) a", "“a”, starred or with your tag “x”"),
            ("a (is:read OR (b -c))", "“a”, read or (“b” and not “c”)"),
            ("(a b) OR c", "(“a” or “c”) and (“b” or “c”)"),
            ("f(x) (g(y) OR h())", "“f(x)” and (“g(y)” or “h()”)"), ("((a) OR (b", "“a” or “b”"),
            ("a) b", "“a)” and “b”"), ("() a", "“a”"), ("(\"a b\" OR c)", "“a b” or “c”"), ("(a*)", "“a…”"),
            ("(OR a)", "“OR” and “a”"), ("(a OR) b", "“a” and “b”, ignoring “OR”"),
            ("swift \"pages\"", "“swift” and “pages” (only this form)"), ("\"東京\" \"C++\"", "“東京” and “C++”"),
            ("-\"pages\"* title:\"one\"", "in the title “one” (only this form), not “pages…” (only this form)"),
            ("author:\"tomas\"", "by “tomas”"),
            ("a OR OR b", "(“a” or “OR”) and “b”"), ("a \"OR\" b", "“a” and “OR” and “b”"),
        ])
    func understood(text: String, words: String) throws {
        #expect(try #require(SearchQuery(text)).description == words)
    }

    @Test("A search of white space is empty", arguments: ["", " ", "\t\n\u{3000}"])
    func nothing(text: String) {
        #expect(SearchQuery(text) == nil)
    }

    @Test("Every text is a search, and the same when it is written again")
    func total() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "\"", "“", "-", "*", ":", "title:", "author:", "tag:", "tag:mine:", "is:", "before:", "after:9999999999",
            "source:",
            "lang:", " ", "a", "ß", "東", "\0", "\u{2}", "\u{3}", "(", ")", "AND", "NEAR(", "^", "{", "+", "'", ";",
            "\\", "👩‍👩‍👧",
            "\u{300}", "\u{202E}", "\u{FFFD}",
        ]
        for length in 0..<2000 {
            let text = (0..<(length % 40)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let query = SearchQuery(text) else { continue }
            #expect(SearchQuery(query.text) == query)
            #expect(!query.description.isEmpty)
            #expect(query.unfinished.terms.count == query.terms.count)
        }
        let long = try #require(SearchQuery(String(repeating: "word ", count: 100_000)))
        #expect(long.text.unicodeScalars.count <= 240)
        #expect(long.terms.count == 32)
        #expect(long.ignored.count == 16)
    }

    @Test(
        "Only in scripts without spaces, one character stands for the beginning of an index term",
        arguments: [
            ("東", true), ("ｱ", true), ("한", true), ("ก", true), ("x 東", true), ("東京", false), ("a", false),
            ("ა", false), ("ᾳ", false), ("☃", false), ("ⴰ", false), ("𐐨", false), ("tag:東", false),
        ])
    func half(text: String, isHalf: Bool) throws {
        #expect(try #require(SearchQuery(text)).terms.last?.isHalf == isHalf)
    }

    @Test("While it is typed, the last word stands for words that begin with it")
    func unfinished() throws {
        #expect(try #require(SearchQuery("one tw")).unfinished.description == "“one” and “tw…”")
        #expect(try #require(SearchQuery("one tw")).unfinished.typed == "one tw")
        for text in ["one tw*", "a -b", "a tag:b", "a source:b", "%"] {
            let query = try #require(SearchQuery(text))
            #expect(query.unfinished == query, "\(text)")
        }
    }
}
