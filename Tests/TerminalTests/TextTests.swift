import Testing

@testable import Terminal

@Suite("Text on a terminal")
struct TextTests {
    @Test(
        "The width counts grapheme clusters as a terminal draws them",
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

    @Test("Styles become control sequences only with colors")
    func styles() {
        #expect("x".styled(.error, isColored: true) == "\u{1B}[1;31mx\u{1B}[0m")
        #expect("x".styled(.strikethrough.adding(.dim), isColored: true) == "\u{1B}[2;9mx\u{1B}[0m")
        #expect("x".styled(.error, isColored: false) == "x")
        #expect("x".styled(.plain, isColored: true) == "x")
    }
}
