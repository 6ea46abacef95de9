import Markup
import Testing

@Suite("A tree of HTML")
struct HTMLReaderTests {
    @Test(
        "has the blocks of the text",
        arguments: [
            (
                "<h1>T</h1><p>a\n b <i>c</i></p>d",
                [.heading(level: 1, [.text("T")]), .paragraph([.text("a  b c")]), .paragraph([.text("d")])]
            ),
            (
                "<ul><li>a<li><p>b</p><p>c</p></ul>d",
                [
                    .list(
                        start: nil, isTight: false,
                        items: [
                            .init(blocks: [.paragraph([.text("a")])]),
                            .init(blocks: [.paragraph([.text("b")]), .paragraph([.text("c")])]),
                        ]), .paragraph([.text("d")]),
                ]
            ),
            (
                "<li>a</li>b",
                [
                    .list(start: nil, isTight: false, items: [.init(blocks: [.paragraph([.text("a")])])]),
                    .paragraph([.text("b")]),
                ]
            ),
            ("<pre>a\n  b</pre>", [.code(language: nil, "a\n  b")]),
            ("a<br/>b", [.paragraph([.text("a"), .lineBreak, .text("b")])]),
            ("<P CLASS='a>b'>&lt;&eacute;&#233;", [.paragraph([.text("<éé")])]),
            ("<SCRIPT>'</p>'</SCRIPT x>b<style>p", [.paragraph([.text("b")])]),
            ("<!-- <p>a -->b", [.paragraph([.text("b")])]),
            ("a < b", [.paragraph([.text("a < b")])]), ("<p", []), ("", []),
        ] as [(String, [MarkupBlock])])
    func blocks(html: String, expected: [MarkupBlock]) {
        #expect(MarkupDocument(html: html).blocks == expected)
    }

    @Test("of plain text has its lines, untouched")
    func plain() {
        #expect(MarkupDocument(plain: " *a*\n\n<b>").blocks == [.lines(" *a*\n\n<b>")])
        #expect(MarkupDocument(plain: "").blocks.isEmpty)
    }

    @Test("gives its text alone")
    func text() throws {
        let blocks = try #require(MarkupDocument(markdown: "# A *b*\n\n> - c\n> - d\n\n|e|f|\n|---|---|\n|g|h|")).blocks
        #expect(blocks.text == "A b\nc\nd\ne f\ng h")
    }
}
