import Foundation
import Markup
import TestSupport
import Testing

private let rounds = UInt64(Fuzzing.rounds(usual: 1500, cost: 100))

@Suite("HTML of a tree")
struct HTMLWriterTests {
    private static let pieces = [
        "a", "b c", " ", "\n", "\n\n", "*", "**", "_", "~", "~~", "`", "``", "^", "[", "]", "(", ")", "[x](y)",
        "![p](q)",
        "[x](javascript:alert(1))", "[x](https:/y)", "<a href=http:y>", "[x](<java\tscript:a>)",
        "[x](data:text/html,a)", "![x](JaVaScRiPt:a)", "[^1]",
        "\n[^1]: ",
        "\n: ", "\n- ", "\n1. ", "\n> ", "\n# ", "\n    ", "\n```swift\n", "```", "\n|a|b|\n|-|-|\n|", "|", "<b>",
        "</b>", "<br>",
        "<div>", "</div>", "\n<div>\n", "<sub>", "</sub>", "<a href=\"z\">", "<a href=javascript:a>", "</a>", "<td>",
        "<table>",
        "</table>", "<tr>", "<li>", "<ul>", "</ul>", "<pre>", "</pre>", "<p>", "</p>", "<img src=i alt=j onerror=k>",
        "<img src='data:,'>", "&amp;", "&lt;script&gt;", "&nbsp;", "&#0;", "\\", "https://a.b/c_d", "www.a.de", "x@y.z",
        "\n---\n",
        "\n{: .c}\n", "{#id}", "é", "語", "\t", "- [ ] ", "\n[r]: /u\n", "[r]", "<h2 id=x>", "</h2>", "<dl>", "<dt>",
        "<dd>", "</dl>",
        "<blockquote>", "<code>", "</code>", "<i>", "</i>", "<sup>", "</sup>", "<del>", "<input type=checkbox>",
        "<video src=v title=t>", "<iframe src=//w srcdoc='<script>'>", "<details>", "<summary>", "</summary>", "<!--",
        "-->", "<hr>",
        "<ol start=3>", "</ol>", "<ol reversed type=i>", "<li value=4>", "<a name=n>", "<p id=o>", "<span id=\"p\">",
        "<noscript>", "</noscript>", "<msup>", "<Preview>", "<div style='white-space:pre'>", "[x](#N)", "<script>",
        "</script>", "<style>", "</style>", "<svg onload=a>", "<math>", "<title>",
        "<textarea>",
        "<q>", "\" onclick=\"a", "' style='a", "\u{1B}", "\u{10FFF3}", "\0", "<base href='https://e.org/f/'>",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...16, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test(
        "A character is escaped at each place of a text",
        arguments: [
            ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;"), ("\u{1}", "?"),
            ("\u{7F}", "?"),
            ("\t", "\t"), ("\n", "\n"), ("%", "%"), ("=", "="), ("é", "é"),
        ])
    func places(character: String, escaped: String) {
        for place in 0..<20 {
            for rest in ["", "~", "\n(%;=?\t    ~~~"] {
                let before = String(repeating: " ", count: place)
                var html: [UInt8] = []
                html.append(escaping: before + character + rest) { _ in "?" }
                #expect(String(decoding: html, as: UTF8.self) == before + escaped + rest)
            }
        }
    }

    @Test("HTML from hostile text has only allowed elements and addresses, with quoted attributes")
    func safety() throws {
        let tag = /<\/?([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>/
        for round in Fuzzing.firstSeed..<Fuzzing.firstSeed + rounds {
            var random = SeededGenerator(seed: round)
            let text = Self.text(&random)
            for document in [MarkupDocument(markdown: text), MarkupDocument(html: text)] {
                let html = try #require(document).html(HTMLOptions(highlightsCode: true))
                var rest = html[...]
                while let start = rest.firstIndex(of: "<") {
                    let match = try #require(rest[start...].prefixMatch(of: tag), "\(round): \(html)")
                    #expect(Self.elements.contains(String(match.1)), "\(round): \(match.0)")
                    for attribute in String(match.2).matches(of: /\ ([a-z]+)="([^"]*)"/) {
                        let isAddress = attribute.1 == "href" || attribute.1 == "src"
                        #expect(Self.attributes.contains(String(attribute.1)), "\(round): \(match.0)")
                        let isAllowed = ["http://", "https://", "mailto:", "#user-content-"].contains {
                            attribute.2.lowercased().hasPrefix($0)
                        }
                        #expect(!isAddress || isAllowed, "\(round): \(match.0)")
                    }
                    rest = rest[match.range.upperBound...]
                }
            }
        }
    }

    private static let elements: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "code", "span", "blockquote", "ul", "ol", "li", "input", "dl",
        "dt", "dd",
        "table", "thead", "tbody", "tr", "th", "td", "hr", "br", "em", "strong", "del", "sup", "sub", "a", "img", "div",
        "section",
    ]
    private static let attributes: Set = [
        "href", "rel", "src", "alt", "id", "class", "start", "value", "align", "type", "disabled", "checked",
    ]

    @Test("The written HTML reads back as the same tree, whatever its source")
    func roundTrip() throws {
        for round in Fuzzing.firstSeed..<Fuzzing.firstSeed + rounds {
            var random = SeededGenerator(seed: round &+ 1_000_000_000)
            let text = Self.text(&random)
            for document in [MarkupDocument(markdown: text), MarkupDocument(html: text)] {
                let document = try #require(document)
                let first = MarkupDocument(html: document.html(HTMLOptions(keepsRelativeAddresses: true)))
                // An address or a control character is lost once, not again.
                #expect(
                    MarkupDocument(html: first.html(HTMLOptions(keepsRelativeAddresses: true))) == first,
                    "\(round): \(text)")
                let isPlain =
                    !text.contains { $0 == "\u{1B}" || $0 == "\0" } && !text.lowercased().contains("script:")
                    && !text.contains("data:")
                if isPlain { #expect(first == document, "\(round): \(text)") }
            }
        }
    }

    @Test("IDs are prefixed, code is marked on request, and relative addresses need an option")
    func details() throws {
        let document = try #require(
            MarkupDocument(
                markdown:
                    "# A b\n\n[c](#a-b) [d](/e) [d](https:/e) ![f](g.png)[^1]\n\n```swift\nlet a = 1 // b\n```\n\n[^1]: h"
            ))
        #expect(
            document.html(HTMLOptions(highlightsCode: true)) == """
                <h1 id="user-content-a-b">A b</h1>
                <p><a href="#user-content-a-b" rel="nofollow noopener noreferrer">c</a> d d <img alt="f"><sup>\
                <a href="#user-content-fn-1" id="user-content-fnref-1">1</a></sup></p>
                <pre><code class="language-swift"><span class="k">let</span> a = <span class="n">1</span> \
                <span class="c">// b</span>
                </code></pre>
                <section class="footnotes">
                <ol>
                <li id="user-content-fn-1">
                <p>h</p>
                <a href="#user-content-fnref-1" class="footnote-back">↩</a>
                </li>
                </ol>
                </section>

                """)
        #expect(document.html(HTMLOptions(keepsRelativeAddresses: true)).contains("<a href=\"/e\""))
    }

    @Test(
        "A link to an address that could run a script is not written",
        arguments: ["javascript:a", "JavaScript:a", "javascript://a%0Ab", "data:text/html,a", "vbscript:a"],
        [true, false])
    func scripts(address: String, keepsRelativeAddresses: Bool) throws {
        let options = HTMLOptions(keepsRelativeAddresses: keepsRelativeAddresses)
        for text in ["[x](\(address))", "![x](\(address))", "<a href=\"\(address)\">x</a>"] {
            let html = try #require(MarkupDocument(markdown: text)).html(options)
            #expect(!html.contains("href") && !html.contains("src"), "\(html)")
        }
    }

    @Test(
        "Below a title, headings begin at the second level, and keep their order",
        arguments: [
            ("# A\n\n## B\n\n###### C", ["h2", "h3", "h6"]), ("## A\n\n### B", ["h2", "h3"]),
            ("> # A\n\nB[^1]\n\n[^1]: # C", ["h2", "h2"]),
        ])
    func beneathTitle(text: String, elements: [String]) throws {
        let html = try #require(MarkupDocument(markdown: text)).html(HTMLOptions(isBeneathTitle: true))
        #expect(html.matches(of: #/<(h\d)/#).map { String($0.1) } == elements)
    }

    @Test("Elements that scroll by keys have names for screen readers")
    func reached() throws {
        let document = try #require(MarkupDocument(markdown: "```\na\n```\n\n|a|\n|-|\n|b|\n"))
        let html = document.html(HTMLOptions(reachesScrolled: true))
        #expect(html.contains("<pre tabindex=\"0\" role=\"group\" aria-label=\"Code\">"))
        #expect(html.contains("<div class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">"))
    }
}
