import Testing

@testable import Terminal

@Suite("Text on a terminal")
struct TextTests {
    @Test(
        "Width counts grapheme clusters as a terminal draws them",
        arguments: [
            ("", 0), ("abc", 3), ("日本語", 6), ("é", 1), ("e\u{301}", 1),
            ("\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2),
            ("👍🏽", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("1\u{FE0F}\u{20E3}", 2), ("❤\u{FE0F}", 2), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｆｕｌｌ", 8), ("a\u{200B}b", 2), ("क्षि", 2), ("\u{1B}", 0), ("…", 1), ("─", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ])
    func width(text: String, expected: Int) {
        #expect(text.displayWidth == expected, "\(text.unicodeScalars.map(\.value))")
    }

    @Test(
        "Cutting never exceeds the width and never splits a cluster",
        arguments: [
            ("hello", 5, "hello"), ("hello", 4, "hel…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("👍🏽👍🏽", 3, "👍🏽…"),
            ("hello", 1, "…"), ("hello", 0, ""), ("hello", -1, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ])
    func truncation(text: String, width: Int, expected: String) {
        #expect(text.truncated(to: width) == expected)
    }

    @Test("Padding fills up by columns, on either side")
    func padding() {
        #expect("日".padded(to: 4) == "日  ")
        #expect("日".padded(to: 4, isRight: true) == "  日")
        #expect("long".padded(to: 2) == "long")
    }

    @Test(
        "What commands a terminal or reorders a line becomes visible",
        arguments: [
            ("\u{1B}[31mred", "␛[31mred"), ("\u{1B}]0;title\u{7}", "␛]0;title␇"), ("\u{9B}2J", "�2J"),
            ("a\u{7F}b", "a␡b"), ("\0", "␀"),
            ("user\u{202E}gnp.exe", "user�gnp.exe"), ("\u{2066}x\u{2069}", "�x�"), ("\u{200E}\u{200F}\u{61C}", "���"),
            ("a\u{2028}b\u{2029}", "a␤b␤"), ("a\nb\tc\rd\r\ne", "a␊b␉c␍d␍␊e"),
            ("plain, naïve 日本 👩‍👩‍👧", "plain, naïve 日本 👩‍👩‍👧"), ("\u{FFFD}", "\u{FFFD}"),
            ("\u{85}", "\u{FFFD}"), ("à\u{A0}", "à\u{A0}"),
        ])
    func sanitizing(text: String, expected: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("Newlines and tabs stay where they are asked for, and a carriage return before a newline goes")
    func keeping() {
        #expect("a\nb\tc\rd\r\ne".sanitized(keeping: .newline) == "a\nb␉c␍d\ne")
        #expect("a\nb\tc".sanitized(keeping: [.newline, .tab]) == "a\nb\tc")
    }

    @Test("No scalar that is harmful comes through, and none that is not is touched")
    func everyScalar() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            let isBidirectional =
                [0x061C, 0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value)
                || (0x2066...0x206F).contains(value)
            let mustGo =
                category == .control || category == .lineSeparator || category == .paragraphSeparator || isBidirectional
                || (0xFFF9...0xFFFB).contains(value)
            if (String(scalar).sanitized() != String(scalar)) != mustGo {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("Styles become control sequences only where there is colour")
    func styles() {
        #expect("x".styled(.error, isColored: true) == "\u{1B}[1;31mx\u{1B}[0m")
        #expect("x".styled(.strikethrough.adding(.dim), isColored: true) == "\u{1B}[2;9mx\u{1B}[0m")
        #expect("x".styled(.error, isColored: false) == "x")
        #expect("x".styled(.plain, isColored: true) == "x")
    }
}
