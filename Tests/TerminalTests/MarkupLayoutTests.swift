import Foundation
import Markup
import TestSupport
import Testing
import Text

@testable import Terminal

extension StyledText {
    fileprivate init(_ document: MarkupDocument, width: Int, isColored: Bool = true) {
        self.init(MarkupLayout(MarkupText(document, isColored: isColored), width: width))
    }

    fileprivate init(markdown: String, width: Int) {
        self.init(MarkupDocument(markdown: markdown) ?? MarkupDocument(plain: markdown), width: width)
    }
}

@Suite("Markdown on a terminal")
struct MarkdownTests {
    private func draw(_ markdown: String, width: Int = 40) -> String {
        StyledText(markdown: markdown, width: width).rendered(isColored: false)
    }

    @Test(
        "Each kind of block has its shape",
        arguments: [
            ("# Title\n\ntext", "Title\n═════\n\ntext\n"),
            ("## 日本\n", "日本\n────\n"),
            ("### Third", "### Third\n"),
            (
                "###### Sixth of some length that does not fit a line",
                "###### Sixth of some length that does\n       not fit a line\n"
            ),
            ("one\ntwo", "one two\n"),
            ("one  \ntwo\\\nthree", "one\ntwo\nthree\n"),
            ("> a\n>\n> b\n> > c", "│ a\n│\n│ b\n│\n│ │ c\n"),
            ("- a\n- b\n  - c\n- d", "• a\n• b\n  ◦ c\n• d\n"),
            ("- a\n\n- b", "• a\n\n• b\n"),
            ("9. a\n10. b", " 9. a\n10. b\n"),
            ("- [ ] open\n- [x] done", "☐ open\n☑ done\n"), ("1. [x] done", "1. ☑ done\n"),
            ("```swift\nlet x = 1\n\na\tb\n```", "  let x = 1\n\n  a       b\n"),
            ("    code", "  code\n"),
            ("***", String(repeating: "─", count: 40) + "\n"),
            ("a &amp; b &eacute; &#x1F600; &nosuch; &copy;", "a & b é 😀 &nosuch; ©\n"),
            ("*a* **b** ~~c~~ `d  e`", "a b c d e\n"),
            ("1. a\n\n   b", "1. a\n\n   b\n"),
            ("", ""), ("\n\n\n", ""),
        ])
    func blocks(markdown: String, expected: String) {
        #expect(draw(markdown) == expected)
    }

    @Test("Emphasis, code, and headings have their styles")
    func styles() {
        let line = StyledText(markdown: "a *b **c*** `d` ~~e~~", width: 40).lines[0]
        #expect(
            line == [
                Span("a "), Span("b ", .italic), Span("c", .italic.adding(.bold)), Span(" "),
                Span("d", Style(color: .cyan)), Span(" "),
                Span("e", .strikethrough),
            ])
        #expect(StyledText(markdown: "# T", width: 40).lines[0] == [Span("T", .bold)])
    }

    @Test("Code in a known language has a style for each kind of token, and keeps all its text")
    func tokens() {
        let code = "// one\nlet a = \"b\"\tas C\n\n"
        let lines = StyledText(markdown: "```swift\n\(code)```", width: 40).lines
        #expect(lines.map(\.text) == ["  // one", "  let a = \"b\"     as C"])
        #expect(lines[0].last == Span("// one", .dim))
        #expect(lines[1].contains(Span("let", .code.adding(.bold))) && lines[1].contains(Span("\"b\"", .success)))
        let unknown = StyledText(markdown: "```none\n\(code)```", width: 40).lines
        #expect(unknown.map(\.text) == lines.map(\.text))
        #expect(unknown.joined().allSatisfy { $0.style == .code || $0.text.allSatisfy(\.isWhitespace) })
    }

    @Test("A link within a document leads to its heading, by GitHub's name or the author's")
    func headingLinks() throws {
        let markdown =
            "[a](#the-end) [b](#%C3%BCber) [c](#own) [d](#THE-END-1) [e](#none)\n\n# Über\n\n### The end\n\n"
            + "> ## The end\n\n#### Named {#own}\n"
        let layout = MarkupLayout(MarkupText(try #require(MarkupDocument(markdown: markdown))), width: 60)
        let lines = layout.text.links.map { link in
            layout.line(ofHeading: link.destination.dropFirst()).map { layout[$0].map(\.text).joined() }
        }
        #expect(lines == ["### The end", "Über", "#### Named", "│ The end", nil])
    }

    @Test("A link within a document leads to the place of its name")
    func placeLinks() throws {
        let html =
            "<a href=#n1>a</a> <a href=#n2>b</a> <a href=#end>c</a><p>d<p>e <a name=n1></a>f<ol><li id=n2>g</ol><p><a name=end>"
        let layout = MarkupLayout(MarkupText(MarkupDocument(html: html)), width: 60)
        let lines = layout.text.links.map { link in
            layout.line(ofHeading: link.destination.dropFirst()).map { layout[$0].map(\.text).joined() }
        }
        #expect(lines.prefix(2) == ["e f", "1. g"] && lines.last != .some(nil))
    }

    @Test("Numbers of a list are those of the page, in its style")
    func listNumbers() {
        func lines(_ html: String) -> [String] {
            let layout = MarkupLayout(MarkupText(MarkupDocument(html: html)), width: 60)
            return (0..<layout.lineCount).map { layout[$0].map(\.text).joined() }
        }
        #expect(lines("<ol reversed><li>a<li>b<li value=9>c</ol>") == ["3. a", "2. b", "9. c"])
        #expect(lines("<ol type=A start=2><li>a<li>b</ol>") == ["B. a", "C. b"])
    }

    @Test("The whole address of a link is listed if its page is known")
    func addresses() throws {
        let document = try #require(MarkupDocument(markdown: "[a](b.md) [c](#d) ![e](/f.png) [g](https://h.example)"))
        let text = MarkupText(document, base: "https://i.example/j/k")
        #expect(text.links.map(\.destination) == ["b.md", "#d", "/f.png", "https://h.example"])
        #expect(
            text.links.map(\.address) == [
                "https://i.example/j/b.md", "#d", "https://i.example/f.png", "https://h.example",
            ])
    }

    @Test("Links are numbered by destination and listed at the end, images too")
    func links() {
        let text = StyledText(
            markdown:
                "[one](http://a.example) and [two](http://b.example \"t\"), [again](http://a.example) ![pic](p.png) https://c.example",
            width: 60)
        #expect(text.links == ["http://a.example", "http://b.example", "p.png", "https://c.example"])
        #expect(
            text.rendered(isColored: false) == """
                one[1] and two[2], again[1] Image: pic[3]
                https://c.example[4]

                ────────────
                [1] http://a.example
                [2] http://b.example
                [3] p.png
                [4] https://c.example

                """)
        #expect(text.lines[0][0].link == 0)
    }

    @Test("A table is aligned by the width on a terminal")
    func table() {
        #expect(
            draw("| a | right | mid |\n|---|--:|:-:|\n| 日本 | 1 | x |\n| b | 22 | *yy* |") == """
                a     right  mid
                ────  ─────  ───
                日本      1   x
                b        22  yy

                """)
    }

    @Test("A table that is too wide wraps its cells, and one with too many columns lists them")
    func wideTable() {
        #expect(
            draw("| name | what it does |\n|---|---|\n| one | some words that need several lines |", width: 24) == """
                name  what it does
                ────  ──────────────────
                one   some words that
                      need several lines

                """)
        #expect(
            draw(
                "|aa|bb|cc|dd|ee|ff|gg|hh|ii|jj|\n|---|---|---|---|---|---|---|---|---|---|\n|1111111|22222222|3333333|4444444|5|6|7|8|9|10|",
                width: 20
            ).hasPrefix("aa  1111111\nbb  22222222\n"))
    }

    @Test("HTML becomes its text and a script nothing, in blocks and in lines")
    func html() {
        #expect(
            draw("<div>\n<p>Hello <b>there</b></p>\n<script>alert(1)</script>\n</div>\n\nend") == "Hello there\n\nend\n"
        )
        #expect(draw("a <script>alert(1)</script>b <em>c</em><br>d") == "a b c\nd\n")
        #expect(draw("a <script>alert(1)\n\nb") == "a\n\nb\n")
        #expect(draw("a <!-- x --> b") == "a b\n")
    }

    @Test(
        "Commands to the terminal never come through, in any form",
        arguments: [
            "\u{1B}[2J", "&#27;[2J", "&#x9b;2J", "`\u{1B}]0;x\u{7}`", "```\n\u{1B}c\n```", "[x](http://e/&#27;[2J)",
            "[x](<http://e/\u{9B}>)", "<p>&#27;[2J</p>",
            "| a\u{1B} |\n|---|\n| &#x202E; |", "![\u{202E}](x)", "# \u{2066}", "```\u{1B}\nx\n```", "<\u{1B}>", "a\rb",
            "[x]: y '\u{1B}'\n\n[x]", "&#10;&#13;&#9;",
        ])
    func hostile(markdown: String) {
        let text = StyledText(markdown: "x " + markdown + "\n\n" + markdown, width: 40)
        for line in text.lines {
            #expect(!line.text.unicodeScalars.contains { $0.isHarmful })
        }
        #expect(text.links.allSatisfy { !$0.unicodeScalars.contains { $0.isHarmful } })
    }

    @Test("Endless nesting, repeated links, and tables of many columns do no harm")
    func exhausting() {
        let n = 20_000
        for markdown in [
            String(repeating: ">", count: n) + "deep", String(repeating: "- ", count: 500) + "deep",
            String(repeating: "*a ", count: n),
            String(repeating: "[", count: n) + "x",
            "[a]: " + String(repeating: "u", count: n) + "\n\n" + String(repeating: "[a] ", count: n),
            String(repeating: "|a", count: n) + "\n" + String(repeating: "|---", count: n) + "\n"
                + String(repeating: "|b\n", count: n),
            "a " + String(repeating: "`", count: n), String(repeating: "<", count: n), String(repeating: "&", count: n),
            String(repeating: "\\", count: n), String(repeating: "[](x)\n", count: 10 * n),
            String(repeating: "> [x](y)\n", count: 5 * n),
        ] {
            #expect(!StyledText(markdown: markdown, width: 80).lines.isEmpty)
        }
        #expect(
            StyledText(markdown: String(repeating: ">", count: n) + "deep", width: 20).lines.last?.text.hasSuffix(
                "deep") == true)
    }

    @Test("A paragraph of many links, one on each line, keeps all")
    func manyLinks() {
        let text = StyledText(markdown: (1...5000).map { "[n\($0)](/\($0))\n" }.joined(), width: 80)
        #expect(text.links == (1...5000).map { "/\($0)" })
    }

    @Test("No line is wider than the width, and no word is lost, whatever the document", arguments: 0..<300)
    func invariants(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "word ", "longerwordthanmost", " ", "\n", "\n\n", "> ", "- ", "1. ", "*", "**", "日本語 ", "# ",
            "| a | b |\n|---|---|\n| c | d |\n", "[l](u)", "  ", "é",
            "~~", "<b>", "&lt;", "\\", "---\n", "👩\u{200D}👧 ",
        ]
        let markdown = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
        let width = Int.random(in: 20...60, using: &random)
        let text = StyledText(markdown: markdown, width: width)
        for line in text.lines {
            #expect(line.displayWidth <= width, "\(markdown)")
        }
        func words(_ text: String) -> Int { ink(text).filter { "wrgm日本語é".unicodeScalars.contains($0) }.count }
        #expect(words(text.lines.map(\.text).joined()) >= words(markdown.replacing("<b>", with: "")), "\(markdown)")
    }

    @Test(
        "Real articles are drawn within the width",
        .enabled(if: FileManager.default.fileExists(atPath: "../shared/data/swift-org-posts")))
    func realArticles() throws {
        let folder = "../shared/data/swift-org-posts"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        #expect(!files.isEmpty)
        for file in files.prefix(40) {
            let text = StyledText(markdown: try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8), width: 80)
            #expect(text.lines.count > 5)
            for line in text.lines {
                #expect(line.displayWidth <= 80, "\(file): \(line.text)")
            }
        }
    }

    @Test(
        "HTML articles become paragraphs of their text",
        arguments: [
            ("<h1>T</h1><p>a\n b <i>c</i></p><p>d</p>", "T\n═\n\na b c\n\nd\n"),
            ("<ul><li>a<li>b</ul>", "• a\n• b\n"),
            ("a<br>b<br/>c", "a\nb\nc\n"),
            ("<SCRIPT>alert('</p>')</SCRIPT x>b<style>p{}</style>", "b\n"),
            ("<script>never closed", ""),
            ("a < b &lt;c&gt; <!-- no --> d", "a < b <c> d\n"),
            ("<a title=\"x>y\">z</a>", "z\n"),
            ("<pre>a  b\n  c</pre>", "  a  b\n    c\n"),
            ("<p>&#27;[2J", "␛[2J\n"), ("<", "<\n"), ("<p", ""), ("", ""), ("<p>&nbsp</p>", ""),
        ])
    func htmlArticles(html: String, expected: String) {
        #expect(StyledText(MarkupDocument(html: html), width: 40).rendered(isColored: false) == expected)
    }

    @Test("Plain text keeps its lines and short indentation")
    func plain() {
        let text = StyledText(
            MarkupDocument(plain: "  a\n\n\u{1B}b " + String(repeating: "x ", count: 20) + "\n\n"), width: 20)
        #expect(text.lines.map(\.text) == ["  a", "", "␛b x x x x x x x x x", "x x x x x x x x x x", "x"])
    }
}
