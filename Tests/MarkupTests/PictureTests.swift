import Markup
import Testing

@Suite("Images of a page")
struct PictureTests {
    @Test(
        "An image has the address that a browser or a script would use, once",
        arguments: [
            (
                "<img srcset='https://a.example/s.png 360w, https://a.example/l.png 720w' alt=A>",
                ["https://a.example/l.png"]
            ),
            ("<img srcset='s.png 360w,m.png 1600w,l.png 4000w'>", ["m.png"]),
            ("<img srcset='a,b.png 1x, c.png 2x, d.png 4x'>", ["c.png"]),
            ("<img srcset='a.png, '>", ["a.png"]),
            ("<img src=data:image/gif;base64,R0 srcset='c.jpg 2x'>", ["c.jpg"]),
            ("<img src=a.png srcset='b.png 2x'>", ["a.png"]),
            ("<img src=blank.gif data-src=a.png>", ["a.png"]),
            ("<img src=data:image/svg+xml,x data-srcset='b.png 360w'>", ["b.png"]),
            ("<img data-lazy-srcset='d.jpg 1x'>", ["d.jpg"]),
            ("<img src=a.png data-src='{{ src }}'>", ["a.png"]),
            ("<picture><source srcset='a.webp 1x, b.webp 2x'><img alt=A></picture>", ["b.webp"]),
            ("<picture><source srcset=a.webp><img src=a.png></picture>", ["a.png"]),
            ("<figure><noscript><img src=a.png></noscript></figure>", ["a.png"]),
            ("<img src=data:image/gif;base64,R0 class=lazy><noscript><img src=a.png></noscript>", ["a.png"]),
            ("<img data-src=a.png><noscript><img src=b.png></noscript>", ["a.png"]),
            ("<noscript><img src=a.png></noscript><img data-src=a.png>", ["a.png"]),
            ("<img src=a.png aria-hidden=true alt=A>", ["a.png"]),
            ("<img src=a.png aria-hidden=true>", []),
            ("<noscript><img src=a.png width=1 height=1></noscript>", []),
        ])
    func address(html: String, sources: [String]) {
        var found: [String] = []
        for block in MarkupDocument(html: "<p>x " + html).blocks {
            guard case .paragraph(let inlines) = block else { continue }
            for case .image(let source, _) in inlines { found.append(source) }
        }
        #expect(found == sources)
    }

    @Test("An image or a formula at the beginning of a fragment is read")
    func first() {
        let html = "<noscript><img src=a.png alt=A></noscript><script type='math/tex'>x^2</script><p>b"
        #expect(
            MarkupDocument(html: html).blocks == [
                .paragraph([.image(source: "a.png", alternative: "A"), .text("x^2")]), .paragraph([.text("b")]),
            ])
    }

    @Test("An image hides nothing after a noscript that is open or has open elements")
    func unclosed() {
        let pages = [
            "<article><noscript><p>Enable</noscript><p>the article",
            "<noscript><div><img src=https://t.example/p.gif></noscript><p>the article",
            "<noscript/><p>the article", "<noscript><ul><li>Enable</noscript><p>the article",
            "<noscript><blockquote></noscript><p>the article", "<noscript><p>the article",
            "<NOSCRIPT><table><tr></NoScript ><p>the article", "<noscript><noscript>x</noscript><p>the article",
            "<html><head><title>T</title><noscript><style>x</noscript></head><body><p>the article",
        ]
        for page in pages { #expect(MarkupDocument(html: page).blocks.text.contains("the article"), "\(page)") }
        let hidden = MarkupDocument(html: "a<noscript>Enable</noscript>b <img alt='<noscript>'> <!-- <noscript> -->c")
            .blocks
        #expect(hidden.text == "ab <noscript> c")
    }
}
