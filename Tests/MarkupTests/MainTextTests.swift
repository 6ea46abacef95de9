import Markup
import Testing

@Suite("The main text of a page")
struct MainTextTests {
    /// A paragraph that is long enough to count.
    private func paragraph(_ number: Int) -> String {
        "<p>Paragraph \(number) tells a part of the story, with a few commas, some detail, and more than a hundred "
            + "characters, so that it looks like text that a person wrote.</p>"
    }

    private func paragraphs(_ numbers: ClosedRange<Int>) -> String { numbers.map(paragraph).joined() }

    private func read(_ body: String, title: String = "", findsByline: Bool = false) -> MainText? {
        MainText("<!doctype html><html><body>\(body)</body></html>", title: title, findsByline: findsByline)
    }

    private func html(_ body: String, title: String = "") throws -> String {
        try #require(read(body, title: title)).html
    }

    @Test("Menus, sidebars, comments, share buttons, and related links do not belong to the text")
    func parts() throws {
        let links = (1...8).map { "<li><a href='/\($0)'>Another story number \($0) of the site</a></li>" }.joined()
        let html = try html(
            """
            <nav class="menu"><ul>\(links)</ul></nav><div class="sidebar">\(paragraph(90))</div>
            <div class="story"><div class="share-tools"><p>Tell your friends</p><p>Print</p></div>\(paragraphs(1...4))
            <div class="related"><ul>\(links)</ul></div>\(paragraphs(5...6))<aside>\(paragraph(91))</aside>
            <form><input name="mail"><button>Subscribe</button></form><iframe src="https://ads.example/"></iframe></div>
            <div id="comments">\(paragraph(92))</div><footer class="footer">\(paragraph(93))</footer>
            """)
        for number in 1...6 { #expect(html.contains("Paragraph \(number) tells")) }
        for other in ["Another story", "friends", "Paragraph 9", "Subscribe", "iframe", "<input"] {
            #expect(!html.contains(other), "\(other)")
        }
    }

    @Test("Text in div elements and between line breaks becomes paragraphs")
    func divisions() throws {
        let text = "This is a sentence, which is long enough to count, and it stands alone without any paragraph."
        let divisions = try html("<div id=x>" + (1...8).map { "<div>\($0) \(text)</div>" }.joined() + "</div>")
        #expect(divisions.contains("<p>1 \(text)</p><p>2 \(text)</p>"))
        let breaks = try html("<div id=x>" + (1...8).map { "\($0) \(text)<br> <br>" }.joined() + "</div>")
        #expect(breaks.contains("<p>2 \(text)</p><p>3 \(text)</p>"))
        // A single line break stays.
        #expect(try html("<div>\(text)<br>\(text)</div>\(paragraphs(1...5))").contains("\(text)<br>\(text)"))
    }

    @Test("Siblings with text belong to the article, even if an element is between them")
    func siblings() throws {
        let html = try html(
            """
            <div class=page><p>An introduction, which is before the rest, and more than eighty characters long, stands here.</p>
            <div class=part>\(paragraphs(1...4))</div><div class="banner">An advertisement</div>
            <div class=part>\(paragraphs(5...8))</div></div>
            """)
        #expect(html.contains("An introduction"))
        #expect(html.contains("Paragraph 1 tells") && html.contains("Paragraph 8 tells"))
        #expect(!html.contains("advertisement"))
    }

    @Test("A short text is found with milder rules, and a page without text has none")
    func short() throws {
        #expect(try html("<div class=comment><p>Only a comment.</p></div>").contains("Only a comment."))
        for body in ["", "<div id=root></div><script>run()</script>", "<img src=a.png>", "<!-- nothing -->"] {
            #expect(read(body) == nil, "\(body)")
        }
    }

    @Test(
        "Hidden elements do not belong to the text",
        arguments: [
            "hidden", "style='display: none'", "style='color:red;visibility:hidden !important'", "aria-hidden=true",
            "role=dialog aria-modal=true",
        ])
    func hidden(attribute: String) throws {
        let html = try html("<div>\(paragraphs(1...5))<div \(attribute)><p>Accept our terms, please.</p></div></div>")
        #expect(!html.contains("Accept"))
        #expect(html.contains("Paragraph 5 tells"))
    }

    @Test("A heading that repeats the title is left out once, and other headings become smaller")
    func headings() throws {
        let body = "<article><h1>The Long  Walk</h1>\(paragraphs(1...3))<h1>A rest</h1>\(paragraphs(4...6))</article>"
        let html = try html(body, title: "The long walk")
        #expect(!html.contains("Walk"))
        #expect(html.contains("<h2>A rest</h2>"))
        #expect(try self.html(body, title: "Else").contains("<h2>The Long"))
    }

    @Test("The line with the author is returned instead of the text only if it is asked for")
    func byline() throws {
        let body = "<article><p class=byline>By Ada Lovelace</p>\(paragraphs(1...5))</article>"
        let found = try #require(read(body, findsByline: true))
        #expect(found.byline == "By Ada Lovelace")
        #expect(!found.html.contains("Ada"))
        #expect(try #require(read(body)).byline == nil)
        let named = "<div class=author>by <b itemprop=name>Ada</b> in London</div><div>\(paragraphs(1...5))</div>"
        #expect(read(named, findsByline: true)?.byline == "Ada")
    }

    @Test("Tables with data, code, formulas, and pictures keep their form, also pictures that a script loads")
    func forms() throws {
        let rows = (1...12).map { "<tr><td>\($0)</td><td>value</td></tr>" }.joined()
        let html = try html(
            """
            <article>\(paragraphs(1...3))<table><thead><tr><th>a</th></tr></thead><tbody>\(rows)</tbody></table>
            <pre class="language-swift">\n\nlet a = 1 &lt; 2</pre><math><mi>x</mi></math>
            <figure><img data-src="/one.jpg" alt="One" onclick="run()"><figcaption>A picture</figcaption></figure>
            <p><img class=lazy><noscript><img src="/two.png"></noscript></p>\(paragraphs(4...6))</article>
            """)
        #expect(html.contains("<td>12</td>"))
        #expect(html.contains("<pre class=\"language-swift\">\n\nlet a = 1 &lt; 2</pre>"))
        #expect(html.contains("<math><mi>x</mi></math>"))
        #expect(html.contains("<img data-src=\"/one.jpg\" alt=\"One\">"))
        #expect(html.contains("<noscript><img src=\"/two.png\"></noscript>"))
    }

    @Test("Videos of well-known sites stay, and other frames do not")
    func videos() throws {
        let html = try html(
            """
            <article>\(paragraphs(1...5))<iframe src="https://www.youtube.com/embed/1"></iframe>
            <iframe src="https://ads.example/youtube.html"></iframe></article>
            """)
        #expect(html.contains("youtube.com/embed/1"))
        #expect(!html.contains("ads.example"))
    }

    @Test("Pages that are built to be slow or large end with a text or with none", arguments: 0..<12)
    func hostile(index: Int) {
        func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        let text = "Some words, which look like text, are here. "
        let page =
            switch index {
            case 0: many("<div>", 100_000) + text
            case 1: many("<div>", 900) + many(paragraph(1), 2_000)
            case 2: "<p>" + many(text, 120_000)
            case 3: many("<a href=/x>link</a> ", 250_000)
            case 4: "<div>" + many("<div class=share><p>\(text)</p></div>", 30_000) + "</div>"
            case 5: many("a<br><br>", 100_000)
            case 6: many("<ins>", 900) + many("<br><br>a", 2_000)
            case 7: many("<table><tr><td>", 200) + many(paragraph(1), 2_000)
            case 8: many("<h1><div><h2><div>", 200) + many(text, 20_000)
            case 9: "<div class='\(many("share-byline-", 300_000))'>\(many(text, 20))</div>"
            case 10: many("<ul><li>", 400) + many("<img src=a.png><a href=b>\(text)</a>", 10_000)
            default: "<div style='\(many("display:;", 300_000))' itemprop=author>" + many("<b itemprop=x>", 900)
            }
        let found = read(page, title: many("word ", 1_000), findsByline: true)
        if index == 2 { #expect(found.map { $0.length > 5_000_000 } == true) }
        if index == 1 { #expect(found?.html.contains("Paragraph 1 tells") == true) }
    }

    // In quadratic time, each page would take minutes.
    @Test(
        "A page with deep parts is read",
        arguments: [
            "<table><tr><td>x", "<table summary=x><tr><td>x", "<div class=e-content>x", "<div><time datetime=1>x",
            "<svg><title>x",
        ])
    func deep(part: String) {
        let page = "<main>x</main>\(paragraphs(1...5))\(String(repeating: part, count: 6_000))"
        #expect(HTMLPage("<!doctype html><html><head><title>T</title></head><body>\(page)</body></html>")?.title == "T")
        _ = read(page)
    }
}
