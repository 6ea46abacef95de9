import Foundation
import Markup
import Testing

@Suite("A tree of Markdown")
struct MarkdownReaderTests {
    @Test(
        "Links by the names of notes lead to them, and similar text stays unchanged",
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

    @Test("A quotation that begins with a kind has that as its title")
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
        "Markdown becomes the blocks of its text",
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
        "Spans of running text may be nested",
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

    @Test("A line that begins with the name of a component does not turn the rest of the text into raw text")
    func components() throws {
        for tag in [
            "PreCheck", "Preview", "StyledBox", "ScriptTag", "Textarea-2", "pre-view", "STYLEGUIDE", "Script.x",
        ] {
            for start in [
                "<\(tag)>", "<\(tag) a=b />", "text\n<\(tag)>", "- <\(tag)>", "> <\(tag)>", "<\(tag)>x</\(tag)>",
            ] {
                let markdown = start + "\n\n## Heading\n\nText **bold** `<\(tag)>` https://a.b/c_d_e"
                let document = try #require(MarkupDocument(markdown: markdown))
                #expect(document.headings.map(\.text) == ["Heading"], "\(markdown)")
                #expect(document.blocks.text.hasSuffix("Text bold <\(tag)> https://a.b/c_d_e"), "\(markdown)")
                #expect(!document.blocks.text.contains("zq-"))
            }
        }
        let code = try #require(MarkupDocument(markdown: "    <Preview>\n\n<Pretty a=<b\n\n<pre>\n\n*x*\n</PRE>"))
        #expect(
            code.blocks == [
                .code(language: nil, "<Preview>"), .paragraph([.text("<Pretty a=<b")]), .code(language: nil, "\n*x*"),
            ])
    }

    @Test("A table has every cell of its rows, and may follow a paragraph")
    func tables() throws {
        let table: MarkupBlock = .table(
            alignments: [.left, .left, .left], header: [[.text("a")], [.text("b")], [.text("c")]],
            rows: [[[.text("d")], [.text("e")], [.text("f")]]])
        for (markdown, before) in [
            ("| a | b | c |\n| --- | --- |\n| d | e | f |", []), ("a|b|c\n-|-\nd|e|f", []),
            ("| a | b | c |\n| - |\n| d | e | f |", []),
            ("text\n| a | b | c |\n| - | - | - |\n| d | e | f |", [.paragraph([.text("text")])]),
        ] as [(String, [MarkupBlock])] {
            #expect(try #require(MarkupDocument(markdown: markdown)).blocks == before + [table], "\(markdown)")
        }
        let quoted = try #require(MarkupDocument(markdown: "> text\n> |a|b|\n> |-|-|\n> |c|d|"))
        guard case .quote(let inside) = quoted.blocks.first else { throw Unexpected() }
        #expect(inside.count == 2)
    }

    private struct Unexpected: Error {}

    @Test("The line under a heading may end with a tab")
    func underline() {
        #expect(MarkupDocument(markdown: "A\n---\t\n\nB\n== \t")?.headings.map(\.text) == ["A", "B"])
    }

    @Test("Every character reference of HTML stands for its characters")
    func references() throws {
        let source = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/CEntities/entities.c"), encoding: .utf8)
        let names = source.matches(of: /([A-Za-z0-9]+) [0-9A-F]+(?: [0-9A-F]+)?,/).map { String($0.1) }
        #expect(names.count == 2125)
        for name in names {
            let reference = "x&\(name);x"
            #expect(
                MarkupDocument(markdown: reference)?.blocks.text == MarkupDocument(html: reference).blocks.text,
                "\(name)")
        }
    }

    @Test("Footnotes are numbered by reference, and not recognized in code")
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

    @Test(
        "A text has as many words whether its first paragraph is asked for or not",
        arguments: [
            "", "A paragraph.\n\n", "> [a](/b)\n\n",
        ])
    func wordsOfWideTables(before: String) throws {
        for columns in [64, 65] {
            let row = "|" + String(repeating: "a|", count: columns) + "\n"
            let markdown = before + row + "|" + String(repeating: "-|", count: columns) + "\n" + row + row
            let words = try #require(MarkupDigest(markdown: markdown)).words
            #expect(try #require(MarkupDigest(markdown: markdown, needsParagraph: false)).words == words)
            #expect(try #require(MarkupDocument(markdown: markdown).map { MarkupDigest($0) }).words == words)
        }
    }

    @Test("Parsing takes bounded time: more text is refused, and an endless paragraph is not quadratic")
    func limits() throws {
        #expect(MarkupDocument(markdown: String(repeating: "x", count: 4 * 1024 * 1024 + 1)) == nil)
        for markdown in [
            String(repeating: "> ", count: 3000) + "x", String(repeating: ">", count: 60) + " x",
            (0..<40).map { String(repeating: "  ", count: $0) + "- ![](i.png)\n\n" }.joined(),
        ] {
            _ = try #require(MarkupDigest(markdown: markdown))
        }
        _ = MarkupDigest(MarkupDocument(html: String(repeating: "<blockquote>", count: 60)))
        // A quadratic parser would take minutes.
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
