import Markup
import Testing

@Suite("A tree of Markdown")
struct MarkdownReaderTests {
    @Test(
        "has the blocks of the text",
        arguments: [
            ("a\nb", [.paragraph([.text("a b")])]), ("# T", [.heading(level: 1, [.text("T")])]),
            ("```swift\na\n  b\n```", [.code(language: "swift", "a\n  b")]), ("---", [.thematicBreak]),
            ("> a", [.quote([.paragraph([.text("a")])])]),
            (
                "2. a\n3. b",
                [
                    .list(
                        start: 2, isTight: true,
                        items: [
                            .init(blocks: [.paragraph([.text("a")])]), .init(blocks: [.paragraph([.text("b")])]),
                        ])
                ]
            ),
            (
                "- [x] a\n\n- b",
                [
                    .list(
                        start: nil, isTight: false,
                        items: [
                            .init(isDone: true, blocks: [.paragraph([.text("a")])]),
                            .init(blocks: [.paragraph([.text("b")])]),
                        ])
                ]
            ),
            (
                "|a|b|\n|--:|:-:|\n|c|d|",
                [
                    .table(
                        alignments: [.right, .center], header: [[.text("a")], [.text("b")]],
                        rows: [[[.text("c")], [.text("d")]]])
                ]
            ),
            (
                "<div>\n<h2>T</h2>x\n</div>\n\ny",
                [.heading(level: 2, [.text("T")]), .paragraph([.text("x ")]), .paragraph([.text("y")])]
            ),
            ("", []),
        ] as [(String, [MarkupBlock])])
    func blocks(markdown: String, expected: [MarkupBlock]) throws {
        #expect(try #require(MarkupDocument(markdown: markdown)).blocks == expected)
    }

    @Test(
        "has the spans of running text, inside each other",
        arguments: [
            ("*a **b** c*", [.emphasis([.text("a "), .strong([.text("b")]), .text(" c")])]),
            ("~~a~~ `b`", [.strikethrough([.text("a")]), .text(" "), .code("b")]),
            ("a  \nb", [.text("a"), .lineBreak, .text("b")]), ("a<br>b", [.text("a"), .lineBreak, .text("b")]),
            ("[*a*](/u&amp;v)", [.link(destination: "/u&v", [.emphasis([.text("a")])])]),
            ("![a](p.png)", [.image(source: "p.png", alternative: "a")]),
            ("a &amp; &#x27; &nope;", [.text("a & ' &nope;")]), ("a\tb", [.text("a b")]),
            ("a <script>x</script>b", [.text("a b")]),
        ] as [(String, [MarkupInline])])
    func inlines(markdown: String, expected: [MarkupInline]) throws {
        #expect(try #require(MarkupDocument(markdown: markdown)).blocks == [.paragraph(expected)])
    }

    @Test("is made of what can be read in time: more is refused, and a paragraph without end is not its square")
    func limits() throws {
        #expect(MarkupDocument(markdown: String(repeating: "x", count: 4 * 1024 * 1024 + 1)) == nil)
        let lines = String(repeating: "a &amp; b\n", count: 200_000)
        let text = try #require(MarkupDocument(markdown: lines)).blocks.text
        #expect(text.utf8.count == 200_000 * 6 - 1)
    }
}
