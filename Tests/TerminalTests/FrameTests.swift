import TestSupport
import Testing
import Text

@testable import Terminal

@Suite("The screen as a value")
struct FrameTests {
    private let pieces = [
        "a", "word ", "  ", "日本", "é", "e\u{301}", "👩\u{200D}👩\u{200D}👧", "🇩🇪", "क्षि", "\u{301}", "\u{200D}", "❤\u{FE0F}",
        "ﷺ", "\u{903}\u{903}\u{903}", "\u{1B}[2J", "\u{9B}", "\u{202E}", "🇩", "한", "\u{1112}\u{1161}", "שלום",
        "\u{600}", "\t", "👍🏽",
        "x" + String(repeating: "\u{301}", count: 50),
    ]
    private let styles: [Style] = [
        .plain, .bold, .dim, .error, .underline, Style(attributes: .reverse), Style(color: .blue, background: .white),
        Style(attributes: [.bold, .italic, .strikethrough], color: .brightRed, background: .black),
    ]

    private func randomFrame(_ size: Size, after old: Frame?, _ random: inout SeededGenerator) -> Frame {
        var frame: Frame
        if let old, Int.random(in: 0..<4, using: &random) > 0 {
            frame = old
            if Bool.random(using: &random) {
                let top = Int.random(in: 0..<size.rows, using: &random)
                frame.scroll(rows: top..<size.rows, by: Int.random(in: -4...4, using: &random))
            }
        } else {
            frame = Frame(size: size, style: styles.randomElement(using: &random) ?? .plain)
        }
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let text = (0..<Int.random(in: 1...12, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let start = Int.random(in: 0..<size.columns, using: &random)
            frame.draw(
                text, styles.randomElement(using: &random) ?? .plain,
                row: Int.random(in: 0..<size.rows, using: &random),
                columns: start..<start + Int.random(in: 0...size.columns, using: &random))
        }
        frame.cursor =
            Bool.random(using: &random)
            ? Position(
                row: Int.random(in: 0..<size.rows, using: &random),
                column: Int.random(in: 0..<size.columns, using: &random)) : nil
        return frame
    }

    @Test("Links are links on terminals that show them, and a link over two lines is one")
    func links() throws {
        let size = Size(columns: 10, rows: 3)
        let link = try #require(Hyperlink("https://a.example/\u{1B}]é", number: 3))
        var terminal = EmulatedTerminal(size: size)
        var frame = Frame(size: size)
        frame.draw("to the", .plain, row: 0, columns: 2..<10, link: link)
        frame.draw("日本", .plain, row: 1, columns: 0..<10, link: link)
        frame.draw("site", .plain, row: 1, columns: 4..<10)
        terminal.write(FrameDiff.bytes(from: nil, to: frame, showsLinks: true))
        #expect(terminal.difference(from: frame) == nil)
        let shown = "id=3;https://a.example/%1B]%C3%A9"
        #expect(terminal.rows[0].map(\.link) == ["", ""] + Array(repeating: shown, count: 6) + ["", ""])
        #expect(terminal.rows[1].map(\.link) == [shown, "", shown, ""] + Array(repeating: "", count: 6))
        // The same text without the link is written again.
        let before = frame
        frame.draw("to the", .plain, row: 0, columns: 2..<10)
        terminal.write(FrameDiff.bytes(from: before, to: frame, showsLinks: true))
        #expect(terminal.rows[0].map(\.link) == Array(repeating: "", count: 10))
        let bytes = FrameDiff.bytes(from: nil, to: before)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("]8;"), "nowhere else")
    }

    @Test(
        "Only an address on the web or to write to is a link",
        arguments: [
            ("https://a.example", true), ("HTTP://a.example", true), ("mailto:a@b.example", true),
            ("javascript:alert(1)", false), ("file:///etc/passwd", false), ("/articles/a", false), ("https", false),
            ("https://a.example/" + String(repeating: "x", count: 3_000), false),
        ])
    func linkSchemes(_ link: String, _ isOne: Bool) {
        #expect((Hyperlink(link, number: 1) != nil) == isOne)
    }

    @Test(
        "Links are written for terminals that are known to show them",
        arguments: [
            (["TERM": "xterm-kitty"], true), (["TERM": "foot-extra"], true), (["TERM": "xterm-256color"], false),
            (["TERM": "xterm-256color", "VTE_VERSION": "7200"], true),
            (["TERM": "xterm-256color", "VTE_VERSION": "4800"], false),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true),
            (["TERM": "screen", "VTE_VERSION": "7200"], false),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5a"], true),
            (["TERM": "dumb", "WT_SESSION": "1"], false), (["WT_SESSION": "1"], false),
            (["TERM": "xterm-256color", "WT_SESSION": "1"], true), ([:], false),
        ])
    func linkTerminals(_ environment: [String: String], _ areShown: Bool) {
        #expect(Hyperlink.areShown { environment[$0] } == areShown)
    }

    @Test("A terminal that gets the bytes shows the new frame, whatever was before", arguments: 0..<40)
    func difference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = Size(columns: Int.random(in: 1...30, using: &random), rows: Int.random(in: 1...14, using: &random))
        var terminal = EmulatedTerminal(size: size)
        var naive = EmulatedTerminal(size: size, drawsScalars: true)
        var old: Frame?
        for _ in 0..<20 {
            let new = randomFrame(size, after: old, &random)
            let bytes = FrameDiff.bytes(from: old, to: new)
            terminal.write(bytes)
            naive.write(bytes)
            if let difference = terminal.difference(from: new) {
                Issue.record("\(difference)")
                return
            }
            // If a terminal draws emoji sequences in pieces, the cells around them are still in place.
            if let difference = naive.difference(from: new, except: { !$0.isSteady }) {
                Issue.record("scalar by scalar: \(difference)")
                return
            }
            #expect(FrameDiff.bytes(from: new, to: new) == [])
            old = new
        }
    }

    @Test("Only changes are written")
    func minimal() {
        var old = Frame(size: Size(columns: 80, rows: 24))
        for row in 0..<24 { old.draw("The quick brown fox, line \(row)", .plain, row: row, columns: 0..<80) }
        var new = old
        new.draw("X", .plain, row: 5, columns: 4..<5)
        #expect(
            String(decoding: FrameDiff.bytes(from: old, to: new), as: UTF8.self)
                == "\u{1B}[?2026h\u{1B}[6;5HX\u{1B}[?2026l")
        new.draw("Y", .bold, row: 5, columns: 8..<9)
        #expect(
            String(decoding: FrameDiff.bytes(from: old, to: new), as: UTF8.self)
                == "\u{1B}[?2026h\u{1B}[6;5HXuicY".replacing("uicY", with: "uic\u{1B}[1mY")
                + "\u{1B}[m\u{1B}[?2026l")
    }

    @Test("Rows that moved up or down are scrolled and not written again", arguments: [1, 3, -1, -5])
    func scrolling(distance: Int) {
        let size = Size(columns: 80, rows: 24)
        func page(_ first: Int) -> Frame {
            var frame = Frame(size: size)
            frame.draw("Title", .bold, row: 0, columns: 0..<80)
            for row in 1..<23 {
                frame.draw("Line \(row + first) is not like the others", .plain, row: row, columns: 0..<80)
            }
            return frame
        }
        let bytes = FrameDiff.bytes(from: page(100), to: page(100 + distance))
        #expect(bytes.count < 60 + 40 * abs(distance))
        var terminal = EmulatedTerminal(size: size)
        terminal.write(FrameDiff.bytes(from: nil, to: page(100)))
        terminal.write(bytes)
        #expect(terminal.difference(from: page(100 + distance)) == nil)
    }

    @Test(
        "No cluster is cut",
        arguments: [
            ("日本語", 5, "日本"), ("a👩\u{200D}👩\u{200D}👧b", 3, "a👩\u{200D}👩\u{200D}👧"),
            ("a👩\u{200D}👩\u{200D}👧b", 2, "a"), ("e\u{301}e\u{301}", 1, "e\u{301}"), ("日", 1, ""),
        ])
    func clipping(text: String, width: Int, expected: String) {
        var frame = Frame(size: Size(columns: width, rows: 1))
        frame.draw(text, .plain, row: 0, columns: 0..<100)
        #expect(frame.text(row: 0) == expected)
    }

    @Test("Drawing over half of a wide character removes the other half")
    func halves() {
        var frame = Frame(size: Size(columns: 4, rows: 1))
        frame.draw("日本", .plain, row: 0, columns: 0..<4)
        frame.draw("x", .plain, row: 0, columns: 1..<2)
        #expect(frame.text(row: 0) == " x本")
        frame.draw("語", .plain, row: 0, columns: 1..<3)
        #expect(frame.text(row: 0) == " 語")
    }

    @Test("A frame contains no control character and no endless character")
    func hostile() {
        var frame = Frame(size: Size(columns: 40, rows: 3))
        frame.draw("\u{1B}]0;x\u{7}\u{9B}2J\u{202E}", .plain, row: 0, columns: 0..<40)
        frame.draw("x" + String(repeating: "\u{301}", count: 100_000), .plain, row: 1, columns: 0..<40)
        frame.draw("outside", .plain, row: 3, columns: 0..<40)
        frame.draw("outside", .plain, row: -1, columns: 0..<40)
        frame.draw("outside", .plain, row: 2, columns: 40..<50)
        #expect(frame.text.utf8.count < 200)
        #expect(frame.text.unicodeScalars.allSatisfy { !$0.isHarmful || $0 == "\n" })
        #expect(frame.text(row: 0) == "␛]0;x␇�2J�")
        #expect(frame.text(row: 2) == "")
    }

    @Test("The sequence between two styles leads to the second style", arguments: 0..<200)
    func selection(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func style() -> Style {
            Style(
                attributes: Style.Attributes(rawValue: UInt16.random(in: 0..<1024, using: &random))
                    .intersection([.bold, .dim, .italic, .underline, .reverse, .strikethrough]),
                color: [nil, .red, .brightCyan].randomElement(using: &random) ?? nil,
                background: [nil, .blue, .brightWhite].randomElement(using: &random) ?? nil)
        }
        var terminal = EmulatedTerminal(size: Size(columns: 10, rows: 1))
        let from = style()
        let to = style()
        terminal.write(Array(from.selection(after: .plain).utf8))
        #expect(terminal.style == from)
        terminal.write(Array(to.selection(after: from).utf8))
        #expect(terminal.style == to)
    }
}
