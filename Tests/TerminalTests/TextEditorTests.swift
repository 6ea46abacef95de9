import Terminal
import TestSupport
import Testing

@Suite("Typing a text of several lines")
struct TextEditorTests {
    /// Types keys into a text that is 10 columns wide.
    private func edited(_ text: String, _ keys: String) -> TextEditor {
        var editor = TextEditor(text)
        var decoder = InputDecoder()
        for event in decoder.decode(keys.utf8) + decoder.flush() { _ = editor.handle(event, width: 10, page: 3) }
        return editor
    }

    @Test(
        "Keys edit the text, and move in it by rows of the screen",
        arguments: [
            ("", "a\rb", "a\nb"), ("a\nb", "\u{1B}[Fx", "ax\nb"), ("a\nb", "\u{1B}[C\u{1B}[C\u{7F}", "ab"),
            ("a\nb", "\u{1B}[F\u{1B}[3~", "ab"), ("a\nb", "\u{1B}[B\u{7F}", "ab"), ("a\nb", "\u{1B}[1;5Fx", "a\nbx"),
            ("one two three", "\u{1B}[Bx", "one two xthree"),
            ("long\n\nlong", "\u{1B}[F\u{1B}[B\u{1B}[Bx", "long\n\nlongx"),
            ("a", "\u{1B}[200~1\r\n2\r3\u{1B}[201~", "1\n2\n3a"), ("日本語日本語", "\u{1B}[Bx", "日本語日本x語"),
        ] as [(String, String, String)])
    func keys(text: String, keys: String, expected: String) {
        #expect(edited(text, keys).text == expected)
    }

    @Test("Up in the first row and Down in the last are not used, so they lead to other fields")
    func ends() {
        var editor = TextEditor("one two three\nfour")
        let keys: [Key] = [.up, .down, .pageDown, .down]
        let taken = keys.map { editor.handle(.key($0), width: 10, page: 3) }
        #expect(taken == [false, true, true, false])
    }

    @Test("The rows around the cursor are shown, broken after spaces, and no control character among them")
    func shown() {
        let text = (0..<100).map { "line \($0)" }.joined(separator: "\n")
        #expect(edited(text, "").shown(width: 10, height: 3).rows == ["line 0", "line 1", "line 2"])
        let end = edited(text, "\u{1B}[1;5F").shown(width: 10, height: 3)
        #expect(end.rows == ["line 97", "line 98", "line 99"])
        #expect(end.cursor == Position(row: 2, column: 7))
        #expect(edited("one two three", "").shown(width: 10, height: 3).rows == ["one two ", "three"])
        let hostile = edited("a\u{1B}[2Jb\u{202E}", "").shown(width: 40, height: 3).rows
        #expect(hostile.allSatisfy { !$0.contains("\u{1B}") && !$0.unicodeScalars.contains("\u{202E}") })
    }

    @Test(
        "No keys break a text, and the cursor is always among the rows that are shown",
        arguments: 0..<20 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var editor = TextEditor("a\nlonger line of words\n\n日本語👩\u{200D}👩\u{200D}👧 e\u{301}\t\u{1B}x")
        let keys: [Key] = [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .backspace, .delete, .tab,
            .character("a"), .character(" "), .character("\u{301}"), .character("日"), .character("\u{200D}"),
        ]
        for _ in 0..<400 {
            let key = keys.randomElement(using: &random) ?? .up
            let modifiers: KeyPress.Modifiers = Bool.random(using: &random) ? [] : .control
            _ = editor.handle(.key(KeyPress(key, modifiers)), width: Int.random(in: 2...12, using: &random), page: 3)
            let (width, height) = (Int.random(in: 2...12, using: &random), Int.random(in: 1...6, using: &random))
            let shown = editor.shown(width: width, height: height)
            #expect(shown.rows.indices.contains(shown.cursor.row))
            #expect(shown.rows.count <= height)
            #expect(shown.cursor.column >= 0)
        }
    }
}
