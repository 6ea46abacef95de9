import TestSupport
import Testing

@testable import Terminal

/// The characters that remain without the white space that wrapping may remove.
func ink(_ text: some StringProtocol) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != " " && $0 != "\n" && $0 != "\t" }
}

@Suite("Wrapping")
struct WrappingTests {
    @Test(
        "Lines break at spaces, between wide characters, and in words that are too long",
        arguments: [
            ("", 10, []), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
            ("  one   two ", 20, ["one two"]),
            ("a\nb", 10, ["a", "b"]), ("a\n\nb\n", 10, ["a", "", "b"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("x abcdefgh", 3, ["x", "abc", "def", "gh"]), ("日本語です", 5, ["日本", "語で", "す"]), ("ab日本", 4, ["ab日", "本"]),
            ("日本", 1, ["日", "本"]),
        ])
    func wrapping(text: String, width: Int, expected: [String]) {
        #expect(text.wrapped(to: width) == expected)
    }

    @Test("A word that changes style in the middle stays together")
    func styles() {
        let lines = [Span("one bo"), Span("ld", .bold), Span("er two")].wrapped(to: 9)
        #expect(lines.map(\.text) == ["one", "bolder", "two"])
        #expect(lines[1] == [Span("bo"), Span("ld", .bold), Span("er")])
    }

    @Test("No line is wider than the width and nothing is lost, whatever the text", arguments: 0..<200)
    func invariants(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "word", "longerword", " ", "  ", "\n", "\t", "日本", "é", "e\u{301}", "👩\u{200D}👩\u{200D}👧", "🇩🇪", "क्षि",
            "\u{301}", "\u{200D}",
            "\u{FE0F}", "ﷺ", "\u{903}\u{903}\u{903}", "x-y",
        ]
        let spans = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            Span(
                (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined(),
                Bool.random(using: &random) ? .bold : .plain)
        }
        let width = Int.random(in: 2...40, using: &random)
        let lines = spans.wrapped(to: width)
        for line in lines {
            // The pieces of a line are measured one by one; joining two only makes them narrower.
            #expect(line.displayWidth <= width + line.text.filter { $0.unicodeScalars.contains("\u{FE0F}") }.count)
        }
        #expect(ink(lines.map(\.text).joined()) == ink(spans.text))
    }

    @Test("A line of a megabyte is wrapped", arguments: ["x", "日", "e\u{301}", "ab "])
    func long(piece: String) {
        let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let lines = text.wrapped(to: 80)
        #expect(lines.allSatisfy { $0.displayWidth <= 80 })
        #expect(ink(lines.joined()).count == ink(text).count)
    }

    @Test("A character with a hundred thousand marks does no harm")
    func marks() {
        let text = "x" + String(repeating: "\u{301}", count: 100_000)
        #expect(ink(text.wrapped(to: 20).joined()) == ink(text))
    }
}
