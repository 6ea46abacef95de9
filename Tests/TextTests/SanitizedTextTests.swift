import Testing
import Text

@Suite("Text made harmless")
struct SanitizedTextTests {
    @Test(
        "Characters that command a terminal or reorder a line become visible",
        arguments: [
            ("\u{1B}[31mred", "␛[31mred"), ("\u{1B}]0;title\u{7}", "␛]0;title␇"), ("\u{9B}2J", "�2J"),
            ("a\u{7F}b", "a␡b"), ("\0", "␀"),
            ("user\u{202E}gnp.exe", "user�gnp.exe"), ("\u{2066}x\u{2069}", "�x�"), ("\u{200E}\u{200F}\u{61C}", "���"),
            ("a\u{2028}b\u{2029}", "a␤b␤"), ("a\nb\tc\rd\r\ne", "a␊b␉c␍d␍␊e"),
            ("plain, naïve 日本 👩‍👩‍👧", "plain, naïve 日本 👩‍👩‍👧"), ("\u{FFFD}", "\u{FFFD}"),
            ("\u{85}", "\u{FFFD}"), ("a\u{E0041}\u{E007F}", "a��"),
            (
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!",
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!"
            ),
            ("🏴" + String(repeating: "\u{E0041}", count: 9), "🏴" + String(repeating: "\u{E0041}", count: 7) + "��"),
            ("à\u{A0}", "à\u{A0}"),
        ])
    func sanitizing(text: String, expected: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("In a line for another program they become the requested replacement")
    func mark() {
        #expect("a\nb\u{9B}c\u{202E}d\u{2028}e\u{E0041}".sanitized(as: " ") == "a b c d e ")
        #expect("naïve 👩‍👩‍👧".sanitized(as: " ") == "naïve 👩‍👩‍👧")
    }

    @Test("Newlines and tabs stay on request, and a carriage return before a newline is removed")
    func keeping() {
        #expect("a\nb\tc\rd\r\ne".sanitized(keeping: .newline) == "a\nb␉c␍d\ne")
        #expect("a\nb\tc".sanitized(keeping: [.newline, .tab]) == "a\nb\tc")
    }

    @Test(
        "A harmful character is replaced at each place of a text",
        arguments: ["\u{1B}", "\u{7F}", "\u{85}", "\u{202E}"])
    func places(character: String) {
        for place in 0..<20 {
            for rest in ["", "~", "~\n\t ~~~ ~~~"] {
                let before = String(repeating: " ", count: place) + "é"
                let text = (before + character + rest).sanitized(keeping: [.newline, .tab])
                #expect(text == before + character.sanitized() + rest)
                #expect(text.sanitized(keeping: [.newline, .tab]) == text)
            }
        }
    }

    @Test("Every harmful scalar is replaced, and no harmless one is")
    func everyScalar() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            let isBidirectional =
                [0x061C, 0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value)
                || (0x2066...0x206F).contains(value)
            let mustGo =
                category == .control || category == .lineSeparator || category == .paragraphSeparator || isBidirectional
                || (0xFFF9...0xFFFB).contains(value) || (0xE0000...0xE007F).contains(value)
            if (String(scalar).sanitized() != String(scalar)) != mustGo {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }
}
