import Markup
import TestSupport
import Testing

@Suite("A tree of HTML")
struct HTMLReaderTests {
    @Test(
        "HTML becomes the blocks of its text",
        arguments: [
            (
                "<h1>T</h1><p>a\n b <i>c</i></p>d",
                [
                    .heading(level: 1, [.text("T")]), .paragraph([.text("a b "), .emphasis([.text("c")])]),
                    .paragraph([.text("d")]),
                ]
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
                    .list(start: nil, isTight: true, items: [.init(blocks: [.paragraph([.text("a")])])]),
                    .paragraph([.text("b")]),
                ]
            ),
            ("<pre>a\n  b</pre>", [.code(language: nil, "a\n  b")]),
            ("a<br/>b", [.paragraph([.text("a"), .lineBreak, .text("b")])]),
            ("<P CLASS='a>b'>&lt;&eacute;&#233;", [.paragraph([.text("<éé")])]),
            ("<SCRIPT>'</p>'</SCRIPT x>b<style>p", [.paragraph([.text("b")])]),
            ("<!-- <p>a -->b", [.paragraph([.text("b")])]),
            (
                "<b>a <p>b</p></b><a href='x'><div>c</div></a>",
                [
                    .paragraph([.strong([.text("a")])]), .paragraph([.strong([.text("b")])]),
                    .paragraph([.link(destination: "x", [.text("c")])]),
                ]
            ),
            (
                "<table><caption>T<tr><th>a<th>b<tr><th>c<td align=right>d<td>e</table>",
                [
                    .paragraph([.text("T")]),
                    .table(
                        alignments: [.left, .right, .left], header: [[.text("a")], [.text("b")], []],
                        rows: [[[.strong([.text("c")])], [.text("d")], [.text("e")]]]),
                ]
            ),
            (
                "<table><tr><td colspan=2>a<tr><td>b<td rowspan=2>c<tr><td>d</table>",
                [
                    .table(
                        alignments: [.left, .left], header: [[], []],
                        rows: [[[.text("a")], []], [[.text("b")], [.text("c")]], [[.text("d")], []]])
                ]
            ),
            (
                "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>",
                [
                    .table(alignments: [.left, .left], header: [[], []], rows: [[[.text("a")], [.text("b")]]]),
                    .paragraph([.text("c")]),
                ]
            ),
            (
                "<pre class='language-swift'>a\n</pre><pre>b <a href='c'>d</a></pre>",
                [
                    .code(language: "swift", "a"),
                    .preformatted([.text("b "), .link(destination: "c", [.text("d")])]),
                ]
            ),
            (
                "<dl><dt>a<dt>b<dd>c<dd>d</dl>",
                [
                    .definitionList([
                        .init(
                            terms: [[.text("a")], [.text("b")]],
                            definitions: [[.paragraph([.text("c")])], [.paragraph([.text("d")])]])
                    ])
                ]
            ),
            (
                "<video title=a><source src=b></video><iframe src=c></iframe><img data-src=d alt='e  f'><img width=1 height=1 src=g>",
                [
                    .paragraph([
                        .link(destination: "b", [.text("a")]), .text(" "), .link(destination: "c", [.text("c")]),
                        .text(" "), .image(source: "d", alternative: "e f"),
                    ])
                ]
            ),
            (
                "<p>Text<video title='A film' src=b></video>and more",
                [
                    .paragraph([
                        .text("Text "), .link(destination: "b", [.text("A film")]), .text(" and more"),
                    ])
                ]
            ),
            (
                "<ol start=3><li><input type=checkbox checked> a</ol>",
                [.list(start: 3, isTight: true, items: [.init(isDone: true, blocks: [.paragraph([.text("a")])])])]
            ),
            (
                "x<sup>2</sup><sub>i</sub><del>d</del> <code>a<a href=l>b</a></code>",
                [
                    .paragraph([
                        .text("x"), .superscript([.text("2")]), .subscript([.text("i")]), .strikethrough([.text("d")]),
                        .text(" "), .code("a"), .link(destination: "l", [.code("b")]),
                    ])
                ]
            ),
            (
                "<h2 id=n>a</h2><h2 id=b>b</h2>",
                [.heading(level: 2, id: "n", [.text("a")]), .heading(level: 2, [.text("b")])]
            ),
            ("a<br><br>b<br>", [.paragraph([.text("a")]), .paragraph([.text("b")])]),
            ("<p hidden>a<p style='display: none'>b<p>c<svg><text>d", [.paragraph([.text("c")])]),
            ("a < b", [.paragraph([.text("a < b")])]), ("<p", []), ("", []),
        ] as [(String, [MarkupBlock])])
    func blocks(html: String, expected: [MarkupBlock]) {
        #expect(MarkupDocument(html: html).blocks == expected)
    }

    @Test("Footnotes of Markdown renderers are recognized, and numbered by reference")
    func footnotes() {
        let document = MarkupDocument(
            html: """
                <p>a<sup><a href="#fn:2">2</a></sup> b<sup><a href="#fn:1">1</a></sup></p>
                <div class="footnotes"><hr><ol><li id="fn:1"><p>one <a href="#r" class="reversefootnote">x</a></p></li>
                <li id="fn:2"><p>two</p></li></ol></div>
                """)
        #expect(
            document
                == MarkupDocument(
                    blocks: [.paragraph([.text("a"), .footnote(number: 1), .text(" b"), .footnote(number: 2)])],
                    footnotes: [[.paragraph([.text("two")])], [.paragraph([.text("one")])]]))
    }

    @Test(
        "HTML that tries to exhaust the parser keeps its text, and is parsed quickly",
        arguments: [
            String(repeating: "<div>", count: 100_000) + "x", String(repeating: "<b><i>", count: 100_000) + "x",
            "<p " + (0..<100_000).map { "a\($0)=1" }.joined(separator: " ") + ">x",
            String(repeating: "<table><tr><td>", count: 50_000) + "x",
            String(repeating: "<ul><li>", count: 100) + "x", String(repeating: "<blockquote>", count: 500) + "x",
            String(repeating: "<b a=1>", count: 600) + "x",
        ].map { LongText($0) })
    func exhausting(html: LongText) {
        #expect(MarkupDocument(html: html.text).blocks.text.hasSuffix("x"))
        #expect(MarkupDocument(markdown: "a\n\n" + html.text)?.blocks.text.hasSuffix("x") == true)
    }

    @Test(
        "Numbers of a list are those that browsers count",
        arguments: [
            ("<ol start=5><li>a</ol>", ["5."]), ("<ol><li value=7>a<li>b</ol>", ["7.", "8."]),
            ("<ol><li>a<li value=7>b<li>c</ol>", ["1.", "7.", "8."]), ("<ol reversed><li>a<li>b</ol>", ["2.", "1."]),
            ("<ol reversed start=9><li>a<li value=3>b<li>c</ol>", ["9.", "3.", "2."]),
            ("<ol type=a start=26><li>a<li>b</ol>", ["z.", "aa."]), ("<ol type=I><li value=1999>a</ol>", ["MCMXCIX."]),
            ("<ol type=i><li value=0>a<li value=4>b</ol>", ["0.", "iv."]),
            ("<ol reversed><li>a<ol><li>b<li>c</ol><li>d</ol>", ["2.", "1."]), ("<ol><li value=x>a</ol>", ["1."]),
        ])
    func numbers(html: String, numbers: [String]) throws {
        let document = MarkupDocument(html: html)
        guard case .list(let start?, let style, _, let items) = document.blocks.first else {
            Issue.record("no list")
            return
        }
        #expect(MarkupBlock.Item.numbers(from: start, of: items).map { style.text(of: $0) + "." } == numbers)
        #expect(MarkupDocument(html: document.html()) == document)
    }

    @Test(
        "Elements with significant white space keep their lines",
        arguments: [
            (
                "<div style='white-space: pre-wrap'>a\n  b  c\n\nd</div>e\nf",
                [
                    .paragraph([.text("a"), .lineBreak, .text("\u{A0}\u{A0}b\u{A0} c")]), .paragraph([.text("d")]),
                    .paragraph([.text("e f")]),
                ]
            ),
            ("<p style='white-space:pre-line'>a\n  b  c", [.paragraph([.text("a"), .lineBreak, .text("b c")])]),
            (
                "<p style='white-space:pre'>a <b>b\nc</b><i style='white-space:normal'>d\ne",
                [
                    .paragraph([
                        .text("a "), .strong([.text("b"), .lineBreak, .text("c")]), .emphasis([.text("d e")]),
                    ])
                ]
            ),
        ] as [(String, [MarkupBlock])])
    func whiteSpace(html: String, blocks: [MarkupBlock]) { #expect(MarkupDocument(html: html).blocks == blocks) }

    @Test("Plain text is written as paragraphs")
    func plainParagraphs() {
        #expect(
            MarkupDocument(plain: "\n\na <b>\n  c\td\n\n \n\ne").html() == """
                <p>a &lt;b&gt;<br>
                \u{A0}\u{A0}c\u{A0}\u{A0}\u{A0} d</p>
                <p>e</p>

                """)
        #expect(MarkupDocument(plain: " \n").html().isEmpty)
    }

    @Test("Plain text keeps its lines unchanged")
    func plain() {
        #expect(MarkupDocument(plain: " *a*\n\n<b>").blocks == [.lines(" *a*\n\n<b>")])
        #expect(MarkupDocument(plain: "").blocks.isEmpty)
    }

    @Test("The text of HTML is extracted without markup")
    func text() throws {
        let blocks = try #require(MarkupDocument(markdown: "# A *b*\n\n> - c\n> - d\n\n|e|f|\n|---|---|\n|g|h|")).blocks
        #expect(blocks.text == "A b\nc\nd\ne f\ng h")
    }
}
