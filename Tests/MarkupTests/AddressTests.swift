import Markup
import Testing

@Suite("Addresses in a tree")
struct AddressTests {
    @Test(
        "Addresses are resolved as in RFC 3986, section 5.4",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "#s"),
            ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), ("", ""), (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), ("./../g", "http://a/b/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("mailto:a@b", "mailto:a@b"),
        ])
    func resolving(address: String, expected: String) {
        let document = MarkupDocument(
            blocks: [.quote([.paragraph([.strong([.link(destination: address, [.text("x")])])])])],
            footnotes: [[.paragraph([.image(source: address, alternative: "y")])]])
        let resolved = document.resolved(against: "http://a/b/c/d;p?q")
        #expect(resolved.blocks == [.quote([.paragraph([.strong([.link(destination: expected, [.text("x")])])])])])
        #expect(resolved.footnotes == [[.paragraph([.image(source: expected, alternative: "y")])]])
        #expect(document.resolved(against: "/b/c") == document)
    }

    @Test("Headings have the anchors of GitHub, each unique")
    func headings() throws {
        let document = try #require(
            MarkupDocument(
                markdown: "# Hello, World!\n\n> ## Hello World\n\n## `a_b` é 日本\n\n# x {#own}\n\n# own\n\n# !"))
        #expect(document.headings.map(\.id) == ["hello-world", "hello-world-1", "a_b-é-日本", "own", "own-1", "section"])
    }
}
