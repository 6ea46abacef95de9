import Markup
import Testing

@Suite("Anchors")
struct AnchorTests {
    @Test(
        "An anchor stays before the text that it names",
        arguments: [
            ("<p>a <a name=x></a>b", [.paragraph([.text("a "), .anchor(name: "x"), .text("b")])]),
            ("<p id=x>a", [.paragraph([.anchor(name: "x"), .text("a")])]),
            (
                "<div id=x><p>a<em id=y>b</em>",
                [
                    .paragraph([.anchor(name: "x"), .text("a"), .anchor(name: "y"), .emphasis([.text("b")])])
                ]
            ),
            ("<p>a<a id=x></a></p>b", [.paragraph([.text("a"), .anchor(name: "x")]), .paragraph([.text("b")])]),
            ("<a id=x></a><pre>a</pre>", [.paragraph([.anchor(name: "x")]), .code(language: nil, "a")]),
            ("a<hr id=x>", [.paragraph([.text("a"), .anchor(name: "x")]), .thematicBreak]),
            (
                "<ul><li id=x>a</ul>",
                [
                    .list(
                        start: nil, isTight: true,
                        items: [.init(blocks: [.paragraph([.anchor(name: "x"), .text("a")])])])
                ]
            ),
            ("<p>a</p><a name=end></a>", [.paragraph([.text("a")]), .paragraph([.anchor(name: "end")])]),
            // A heading has the name itself, and each name is unique.
            ("<section id=x><h2>a</h2></section>", [.heading(level: 2, id: "x", [.text("a")])]),
            ("<a name=install></a><h2>Install</h2>", [.heading(level: 2, [.text("Install")])]),
            ("<h2 id=y><a name=x></a>a</h2>", [.heading(level: 2, id: "y", [.anchor(name: "x"), .text("a")])]),
            ("<p id=x>a<b id=x>b</b>", [.paragraph([.anchor(name: "x"), .text("a"), .strong([.text("b")])])]),
            ("<p id='x y'>a", [.paragraph([.text("a")])]),
        ] as [(String, [MarkupBlock])])
    func places(html: String, blocks: [MarkupBlock]) {
        let document = MarkupDocument(html: html)
        #expect(document.blocks == blocks)
        #expect(MarkupDocument(html: document.html()) == document)
    }

    @Test(
        "A link finds an anchor in any case, with or without percent signs",
        arguments: [
            ("[a](#N1)\n\n<a name=\"n1\"></a>b", "n1"), ("[a](#caf%C3%A9)\n\n<p id='café'>b</p>", "café"),
            ("[a](#Some-Heading)\n\n## Some heading", "some-heading"), ("[a](#none)", "none"),
        ])
    func links(markdown: String, name: String) throws {
        let html = try #require(MarkupDocument(markdown: markdown)).html()
        #expect(html.contains("<a href=\"#user-content-\(name)\""))
        #expect(name == "none" || html.contains("id=\"user-content-\(name)\""))
    }

    @Test("An anchor never names an element of the page around the text, nor a footnote")
    func clobbering() throws {
        let markdown =
            "<p id='fn-1'>a[^1]</p>\n\n<a name=\"user-content-menu\"></a>b[^1]\n\n<a id='\"><script>'></a>c\n\n[^1]: d"
        let html = try #require(MarkupDocument(markdown: markdown)).html()
        let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
        #expect(ids.allSatisfy { $0.hasPrefix("user-content-") } && Set(ids).count == ids.count)
        #expect(ids.contains("user-content-menu") && !html.contains("<script"))
    }
}
