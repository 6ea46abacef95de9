import TestSupport
import Testing

@testable import Terminal

@Suite("Keys from bytes")
struct InputDecoderTests {
    private func decoded(_ text: String) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.decode(text.utf8) + decoder.flush()
    }

    @Test(
        "Sequences of terminals are understood",
        arguments: [
            ("a", [.character("a")]), ("é日", [.character("é"), .character("日")]), ("\r", [.key(.enter)]),
            ("\n", [.key(.enter)]),
            ("\t", [.key(.tab)]), ("\u{1B}[Z", [.key(KeyPress(.tab, .shift))]),
            ("\u{7F}\u{8}", [.key(.backspace), .key(.backspace)]),
            ("\u{3}", [.key(.control("c"))]), ("\u{1A}", [.key(.control("z"))]), ("\u{1F}", [.key(.control("_"))]),
            ("\u{0}", [.key(.control(" "))]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
            ("\u{1B}OA\u{1B}OH\u{1B}OF\u{1B}OM", [.key(.up), .key(.home), .key(.end), .key(.enter)]),
            ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.key(.pageUp), .key(.pageDown), .key(.delete)]),
            (
                "\u{1B}[H\u{1B}[1~\u{1B}[7~\u{1B}[F\u{1B}[4~",
                [.key(.home), .key(.home), .key(.home), .key(.end), .key(.end)]
            ),
            ("\u{1B}[1;5C", [.key(KeyPress(.right, .control))]),
            ("\u{1B}OP\u{1B}[15~\u{1B}[24~", [.key(.function(1)), .key(.function(5)), .key(.function(12))]),
            ("\u{1B}", [.key(.escape)]), ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]),
            ("\u{1B}x", [.key(KeyPress(.character("x"), .alt))]), ("\u{1B}é", [.key(KeyPress(.character("é"), .alt))]),
            ("\u{1B}[", [.key(KeyPress(.character("["), .alt))]), ("\u{1B}]", [.key(KeyPress(.character("]"), .alt))]),
            ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
            ("\u{1B}[<0;5;3M\u{1B}[<0;5;3m", [.mouse(Mouse(kind: .press, column: 4, row: 2))]),
            (
                "\u{1B}[<64;1;1M\u{1B}[<65;1;1M",
                [.mouse(Mouse(kind: .wheelUp, column: 0, row: 0)), .mouse(Mouse(kind: .wheelDown, column: 0, row: 0))]
            ),
            ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
            ("\u{1B}[200~a\r\nb\rc\u{1B}[31m\u{1B}[201~d", [.paste("a\nb\nc\u{1B}[31m"), .character("d")]),
        ] as [(String, [InputEvent])])
    func sequences(text: String, expected: [InputEvent]) {
        #expect(decoded(text) == expected)
        // Byte by byte the result is the same.
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        for byte in text.utf8 { events += decoder.decode(CollectionOfOne(byte)) }
        #expect(events + decoder.flush() == expected)
    }

    @Test(
        "An unknown sequence is skipped completely",
        arguments: [
            "\u{1B}[?1;2c", "\u{1B}[>0;276;0c", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]11;rgb:ffff\u{1B}\\",
            "\u{1B}P1$r0m\u{1B}\\",
            "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[<35;1;1M", "\u{1B}[<0;0;0M", "\u{1B}[27;5;13~", "\u{1B}[2~", "\u{1B}[99~",
            "\u{1B}[[A",
            "\u{1B}[M abc".replacing("abc", with: "!!"), "\u{1B}[" + String(repeating: "1;", count: 500) + "m",
            "\u{1B}[32;5;6M", "\u{1B}Oz",
            "\u{85}", "\u{1B}[1 q",
        ].map(LongText.init))
    func unknown(long: LongText) {
        #expect(decoded(long.text + "x") == [.character("x")])
    }

    @Test(
        "Bytes that are not UTF-8 are skipped",
        arguments: [[0xFF], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5], [0x80]] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        var decoder = InputDecoder()
        #expect(decoder.decode(bytes + [0x78]) == [.character("x")])
        #expect(!decoder.isPending)
    }

    @Test("Esc waits for following bytes, and is a key itself without them")
    func escape() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.key(.escape)])
        #expect(!decoder.isPending)
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.decode(Array("[A".utf8)) == [.key(.up)])
        #expect(decoder.flush() == [])
    }

    @Test("A paste is not cut by a pause, and an endless one is kept up to its limit")
    func paste() {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}[200~one".utf8) == [])
        #expect(!decoder.isPending)
        #expect(decoder.flush() == [])
        for _ in 0..<3 { #expect(decoder.decode(repeatElement(0x61, count: 1 << 20)) == []) }
        #expect(decoder.decode("\u{1B}[201~".utf8).count == 1)
    }

    @Test(
        "An endless sequence is given up, and keys work again",
        arguments: [
            ("\u{1B}[200~one\r", [.paste("one\n")]), ("\u{1B}[200~one\u{1B}[20", [.paste("one\u{1B}[20")]),
            ("\u{1B}]0;x", []), ("\u{1B}Px", []), ("\u{1B}_x\u{1B}", []),
            ("\u{1B}[" + String(repeating: "1;", count: 500), []),
        ] as [(String, [InputEvent])])
    func givenUp(text: String, expected: [InputEvent]) {
        var decoder = InputDecoder()
        #expect(decoder.decode(text.utf8) == [])
        #expect(decoder.isOpen)
        #expect(decoder.giveUp() == expected)
        #expect(!decoder.isOpen && !decoder.isPending)
        #expect(decoder.decode("\u{3}j".utf8) == [.key(.control("c")), .character("j")])
        #expect(decoder.giveUp() == [])
    }

    @Test(
        "Events do not depend on how bytes are split, and keys work after any bytes",
        arguments: 0..<100)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = Array("\u{1B}\u{1B}\u{1B}[[O]P<;0123456789~AMmuZ?$ \u{7}\\é日👩".utf8)
        let bytes = (0..<2000).map { _ in
            Bool.random(using: &random)
                ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random) ?? 0
        }
        var whole = InputDecoder()
        let expected = whole.decode(bytes)
        var pieces = InputDecoder()
        var events: [InputEvent] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...40, using: &random)
            events += pieces.decode(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let isSame = events == expected
        #expect(isSame)
        // Ends an open string, sequence, and paste.
        _ = pieces.decode("\u{7}\u{1B}[201~".utf8)
        _ = pieces.flush()
        #expect(pieces.decode("\u{1B}[B".utf8) == [.key(.down)])
    }
}
