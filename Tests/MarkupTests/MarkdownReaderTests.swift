import Markup
import Testing

@Suite("A tree of Markdown")
struct MarkdownReaderTests {
    @Test(
        "links by the names of notes lead to them, and what looks alike stays as it is",
        arguments: [
            ("[[Page]]", [MarkupInline.link(destination: "Page", [.text("Page")])]),
            (
                "See [[My Page#A Heading|this one]].",
                [
                    .text("See "), .link(destination: "My%20Page#a-heading", [.text("this one")]),
                    .text("."),
                ]
            ),
            ("[[a/b c.md|b]]", [.link(destination: "a/b%20c.md", [.text("b")])]),
            ("[[#Über uns]]", [.link(destination: "#über-uns", [.text("Über uns")])]),
            ("![[x.png|300]]", [.image(source: "x.png", alternative: "x.png")]),
            ("![[Note]]", [.link(destination: "Note", [.text("Note")])]),
            ("[[1]](https://a.example)", [.link(destination: "https://a.example", [.text("[1]")])]),
            ("`[[x]]`", [.code("[[x]]")]),
            ("[[ -f x ]] \\[[x]] [[]] [[#]] [[x]", [.text("[[ -f x ]] [[x]] [[]] [[#]] [[x]")]),
        ])
    func wikiLinks(markdown: String, expected: [MarkupInline]) {
        #expect(MarkupDocument(markdown: markdown)?.blocks == [.paragraph(expected)])
    }

    @Test("a quotation that says what it is has that as its title")
    func alerts() {
        let title = MarkupBlock.paragraph([.strong([.text("Note")])])
        let text = MarkupBlock.paragraph([.text("Mind "), .emphasis([.text("this")]), .text(".")])
        #expect(MarkupDocument(markdown: "> [!NOTE]\n> Mind *this*.")?.blocks == [.quote([title, text])])
        let item = MarkupBlock.Item(blocks: [.quote([title, text])])
        let list = MarkupBlock.list(start: nil, isTight: true, items: [item])
        #expect(MarkupDocument(markdown: "- > [!note]-\n  > Mind *this*.")?.blocks == [list])
        #expect(MarkupDocument(markdown: "> [!NOTE]")?.blocks == [.quote([title])])
        #expect(MarkupDocument(markdown: "[!NOTE] x")?.blocks == [.paragraph([.text("[!NOTE] x")])])
        #expect(MarkupDocument(markdown: "> [!2] x")?.blocks == [.quote([.paragraph([.text("[!2] x")])])])
        let markdown = "> [!TIP]\n> See [[A b|that page]].\n"
        let digest = MarkupDigest(markdown: markdown)
        #expect(digest == MarkupDocument(markdown: markdown).map { MarkupDigest($0) })
        #expect((digest?.paragraph, digest?.words) == ("See that page.", 4))
    }

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
                [.heading(level: 2, [.text("T")]), .paragraph([.text("x")]), .paragraph([.text("y")])]
            ),
            (
                "|a|b|\n|-|:-:|\n|`c\\|d`||e|",
                [
                    .table(
                        alignments: [.left, .center, .left], header: [[.text("a")], [.text("b")], []],
                        rows: [[[.code("c|d")], [], [.text("e")]]])
                ]
            ),
            (
                "A\nB\n\n: *c*\n: d\n\n    e",
                [
                    .definitionList([
                        .init(
                            terms: [[.text("A")], [.text("B")]],
                            definitions: [
                                [.paragraph([.emphasis([.text("c")])])],
                                [.paragraph([.text("d")]), .paragraph([.text("e")])],
                            ])
                    ])
                ]
            ),
            ("# a {#n .x}\n\n# b {#b}", [.heading(level: 1, id: "n", [.text("a")]), .heading(level: 1, [.text("b")])]),
            ("a\n{: .lead}\n\nb", [.paragraph([.text("a")]), .paragraph([.text("b")])]),
            ("```{.swift .x}\na\n```", [.code(language: "swift", "a")]),
            (
                "<details>\n<summary>a</summary>\n\n*b*\n\n</details>",
                [.paragraph([.strong([.text("a")])]), .paragraph([.emphasis([.text("b")])])]
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
            (
                "a <b>*b*</b> c<sub>d</sub>",
                [.text("a "), .strong([.emphasis([.text("b")])]), .text(" c"), .subscript([.text("d")])]
            ),
            (
                "[x](https://en.org),**foo**",
                [.link(destination: "https://en.org", [.text("x")]), .text(","), .strong([.text("foo")])]
            ),
            (
                "www.a.org/b_c_(d)). a@b.de",
                [
                    .link(destination: "http://www.a.org/b_c_(d)", [.text("www.a.org/b_c_(d)")]), .text("). "),
                    .link(destination: "mailto:a@b.de", [.text("a@b.de")]),
                ]
            ),
            ("https://a.org/__b__.c", [.link(destination: "https://a.org/__b__.c", [.text("https://a.org/__b__.c")])]),
            (
                "[https://b.c](d) `https://e.f`",
                [.link(destination: "d", [.text("https://b.c")]), .text(" "), .code("https://e.f")]
            ),
            (
                "H~2~O x^2^ ~a b~",
                [.text("H"), .subscript([.text("2")]), .text("O x"), .superscript([.text("2")]), .text(" ~a b~")]
            ),
            ("[](u)", [.link(destination: "u", [.text("u")])]),
        ] as [(String, [MarkupInline])])
    func inlines(markdown: String, expected: [MarkupInline]) throws {
        #expect(try #require(MarkupDocument(markdown: markdown)).blocks == [.paragraph(expected)])
    }

    @Test("has footnotes, numbered as the text refers to them, but not in code")
    func footnotes() {
        let document = MarkupDocument(
            markdown: "a[^b] `[^c]` d[^e] f[^b] [^none]\n\n[^e]: g\n[^b]:\n    h\n\n    - i\n[^unused]: j")
        #expect(
            document?.footnotes == [
                [
                    .paragraph([.text("h")]),
                    .list(start: nil, isTight: true, items: [.init(blocks: [.paragraph([.text("i")])])]),
                ], [.paragraph([.text("g")])],
            ])
        #expect(
            document?.blocks.first
                == .paragraph([
                    .text("a"), .footnote(number: 1), .text(" "), .code("[^c]"), .text(" d"), .footnote(number: 2),
                    .text(" f"),
                    .footnote(number: 1), .text(" [^none]"),
                ]))
    }

    @Test("is made of what can be read in time: more is refused, and a paragraph without end is not its square")
    func limits() throws {
        #expect(MarkupDocument(markdown: String(repeating: "x", count: 4 * 1024 * 1024 + 1)) == nil)
        for markdown in [
            String(repeating: "> ", count: 3000) + "x", String(repeating: ">", count: 60) + " x",
            (0..<40).map { String(repeating: "  ", count: $0) + "- ![](i.png)\n\n" }.joined(),
        ] {
            _ = try #require(MarkupDigest(markdown: markdown))
        }
        _ = MarkupDigest(MarkupDocument(html: String(repeating: "<blockquote>", count: 60)))
        // What costs the square of its length takes minutes.
        for text in [
            String(repeating: "*", count: 200_000) + "a" + String(repeating: "*", count: 200_000),
            String(repeating: "*a", count: 50_000) + String(repeating: "a*", count: 50_000),
            String(repeating: "<http://", count: 100_000), String(repeating: "www.", count: 200_000),
            String(repeating: "|", count: 200_000) + "\n" + String(repeating: "|-", count: 200_000) + "|\n"
                + String(repeating: String(repeating: "|", count: 100) + "\n", count: 100),
        ] {
            _ = MarkupDocument(markdown: text)
            _ = MarkupDigest(markdown: text)
        }
        let lines = String(repeating: "a &amp; b\n", count: 200_000)
        let text = try #require(MarkupDocument(markdown: lines)).blocks.text
        #expect(text.utf8.count == 200_000 * 6 - 1)
    }
}
