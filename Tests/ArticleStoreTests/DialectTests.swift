import ArticleImporting
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Dialects of sources")
struct DialectTests {
    private let library: ImportFixture

    init() throws { library = try ImportFixture() }

    // MARK: Keys

    @Test(
        "The date has many names, and the first readable one counts",
        arguments: [
            "date", "published", "publishDate", "pubDate", "pubdate", "published_at", "publishedAt", "date-published",
            "created", "created_at", "date created", "added", "Posted",
        ])
    func published(key: String) async throws {
        let article = try await library.article("---\ntitle: A\nmodified: 2017-01-01\n\(key): Dec 3, 2015\n---\nText")
        #expect(article.publishedText == "2015-12-03T00:00:00Z")
        #expect(RFC3339.string(from: article.updated) == "2017-01-01T00:00:00Z")
        #expect(article.extra == "{}")
    }

    @Test("Of several dates the most specific publication date counts, and the next if it cannot be read")
    func precedence() async throws {
        let both = try await library.article("---\ncreated: 2014-01-01\npubDate: 2015-12-03\n---\nText")
        #expect(both.publishedText == "2015-12-03T00:00:00Z")
        #expect(both.extra == #"{"created":"2014-01-01"}"#)
        let second = try await library.article("---\ncreated: 2014-01-01\ndate: soon\n---\nText")
        #expect(second.publishedText == "2014-01-01T00:00:00Z")
        #expect(second.extra == #"{"date":"soon"}"#)
        let changed = try await library.article("---\nlastmod: 2016-05-06\n---\nText")
        #expect(changed.publishedText == "2016-05-06T00:00:00Z")
    }

    @Test(
        "The date of the last change has many names",
        arguments: ["updated", "updatedDate", "updated_at", "lastmod", "last_modified_at", "modified", "dateModified"])
    func updated(key: String) async throws {
        let article = try await library.article("---\ndate: 2015-12-03\n\(key): 2016-01-02\n---\nText")
        #expect(RFC3339.string(from: article.updated) == "2016-01-02T00:00:00Z")
    }

    @Test("Dates keep the written day and time, also in YAML's own form")
    func clocks() async throws {
        let evening = try await library.article("---\ndate: 2015-12-03 23:30:01 -0800\n---\nText")
        #expect(evening.publishedText == "2015-12-03T23:30:01-08:00")
        let yaml = try await library.article("---\ndate: 2001-12-14 21:59:43.10 -5\n---\nText")
        #expect(yaml.publishedText == "2001-12-14T21:59:43-05:00")
        let toml = try await library.article("+++\ndate = 2015-12-03T23:30:00+09:00\n+++\nText")
        #expect(toml.publishedText == "2015-12-03T23:30:00+09:00")
    }

    @Test("Zola's tags and categories in a table are read, and its other keys are kept")
    func zola() async throws {
        let article = try await library.article(
            """
            +++
            title = "Zola"
            path = "2025/06/26/Release-1.88.0"
            authors = ["The Team"]
            [taxonomies]
            tags = ["rust", "release"]
            categories = ["News"]
            series = ["One"]
            [extra]
            release = true
            +++
            Text.
            """)
        #expect(article.tags == ["rust", "release", "News"])
        #expect(article.authors == ["The Team"])
        #expect(article.publishedText == "2025-06-26T00:00:00Z")
        #expect(article.slug == "release-1-88-0")
        #expect(article.extra == #"{"release":true,"taxonomies":{"series":["One"]}}"#)
    }

    @Test("WordPress records have rendered texts, numeric names, and each time twice")
    func wordPress() async throws {
        try library.folder.write(
            "posts.json",
            """
            [{"id":7,"date":"2015-12-03T23:30:00","date_gmt":"2015-12-04T07:30:00","modified":"2016-01-01T00:00:00",
              "modified_gmt":"2016-01-01T08:00:00","slug":"hello","status":"publish","link":"https://example.org/hello/",
              "title":{"rendered":"It&#8217;s <em>here</em>"},"content":{"rendered":"<p>Hi</p>"},
              "excerpt":{"rendered":"<p>In <b>short</b> &hellip;</p>"},"author":3,"categories":[1],"tags":[]},
             {"id":8,"date":"2015-12-03T00:00:00","status":"pending","title":{"rendered":"No"},"content":{"rendered":"x"}}]
            """)
        let report = try await library.run("posts.json")
        #expect(report.inserted == 1 && report.skippedDrafts == 1)
        let article = try await library.article(keyed: "7")
        #expect(article.title == "It’s here" && article.body == "<p>Hi</p>" && article.format == .html)
        #expect(article.summary == "In short …" && article.sourceURL == "https://example.org/hello/")
        #expect(article.publishedText == "2015-12-03T23:30:00-08:00")
        #expect(article.authors == [] && article.tags == [])
        #expect(article.extra == #"{"author":3,"categories":[1]}"#)
    }

    @Test(
        "The text has many names, each of which determines its format",
        arguments: [
            ("body", Article.Format.markdown), ("body_markdown", .markdown), ("content_html", .html), ("html", .html),
            ("content_text", .plain), ("text", .plain), ("plaintext", .plain),
        ])
    func bodies(key: String, format: Article.Format) async throws {
        try library.folder.write("a.jsonl", #"{"id":"1","title":"A","\#(key)":"Text","content":""}"#)
        #expect(try await library.run("a.jsonl").rejections == [])
        let article = try await library.article(keyed: "1")
        #expect(article.body == "Text" && article.format == format)
    }

    @Test("Records name the original, the canonical address first")
    func addresses() async throws {
        let both = try await library.article(
            "---\nurl: https://dev.example/a\ncanonical_url: https://example.org/a\n---\nText")
        #expect(both.sourceURL == "https://example.org/a")
        #expect(both.extra == #"{"url":"https://dev.example/a"}"#)
        let permalink = try await library.article(
            "---\npermalink: https://example.org/2015/12/03/some-post/?a=b\n---\nText")
        #expect(permalink.sourceURL == "https://example.org/2015/12/03/some-post/?a=b")
        #expect(permalink.slug == "some-post" && permalink.publishedText == "2015-12-03T00:00:00Z")
        let path = try await library.article("---\nurl: /commands/hugo_mod_tidy/\n---\nText")
        #expect(path.slug == "hugo-mod-tidy" && path.sourceURL == nil)
        let pattern = try await library.article("---\npermalink: /:year/:title/\n---\nText", named: "the-name.md")
        #expect(pattern.slug == "the-name" && pattern.extra == #"{"permalink":"/:year/:title/"}"#)
        let template = try await library.article(
            "---\npermalink: \"{{ page.x }}/y\"\n---\nText", named: "other-name.md")
        #expect(template.slug == "other-name")
    }

    @Test("A slug that is too long or cannot be a name is replaced by the file's name")
    func strangeSlugs() async throws {
        #expect(try await library.article("---\nslug: /\n---\nText", named: "first.md").slug == "first")
        let long = String(repeating: "x", count: 2000)
        #expect(try await library.article("---\nslug: \(long)\n---\nText", named: "second.md").slug == "second")
    }

    // MARK: Names

    @Test(
        "Tags may be a list, one text, nested, or objects, with empty ones among them",
        arguments: [
            ("tags: [a, b]", ["a", "b"]), ("tags: a, b", ["a", "b"]), ("tags: Machine learning", ["Machine learning"]),
            ("tags:\n  - a\n  -\n  - b", ["a", "b"]), ("tags: [\"a, b\", c]", ["a, b", "c"]),
            ("categories:\n  - [Sports, Baseball]\n  - News", ["Sports", "Baseball", "News"]),
            ("categories:\n  - name: A\n  - slug: b", ["A", "b"]),
            ("tags: [2015, 1.10, true]", ["2015", "1.10", "true"]),
            ("tag_list: a, b\ncategory: Community News", ["a", "b", "Community News"]), ("tags: 2015", ["2015"]),
            ("tags: ''", []), ("tags: null", []),
        ])
    func tags(text: String, expected: [String]) async throws {
        let article = try await library.article("---\n\(text)\n---\nText")
        #expect(article.tags == expected)
        #expect(article.extra == "{}")
    }

    @Test("Jekyll splits a text of tags at its spaces, but not a category")
    func jekyll() async throws {
        let post = "---\ntags: ruby on-rails\ncategories: Community News\ncategory: Two words\n---\nText"
        let article = try await library.article(post, named: "_posts/2015-12-03-a-name.md")
        #expect(article.tags == ["ruby", "on-rails", "Community", "News", "Two words"])
        #expect(article.slug == "a-name")
        let commas = try await library.article("---\ntags: a b, c\n---\nText", named: "_posts/2015-12-03-b.md")
        #expect(commas.tags == ["a b", "c"])
    }

    @Test("Authors may be a text, a list, or objects, but not numbers")
    func authors() async throws {
        for (text, expected) in [
            ("author: A and B", ["A and B"]), ("author: Doe, Jane", ["Doe, Jane"]),
            ("authors: [{name: Ada, url: /a}, Bob]", ["Ada", "Bob"]), ("author:\n  display_name: Ada", ["Ada"]),
            ("authors: [Ada]\nauthor: Bob", ["Ada", "Bob"]), ("byline: Ada", ["Ada"]), ("author: 12", []),
        ] {
            #expect(try await library.article("---\n\(text)\n---\nText").authors == expected, "\(text)")
        }
        #expect(try await library.article("---\nauthors: [{id: 1}]\n---\nText").extra == #"{"authors":[{"id":1}]}"#)
    }

    // MARK: YAML

    @Test("YAML mappings can merge others, and their own and the first keys win")
    func merges() async throws {
        let article = try await library.article(
            """
            ---
            base: &base {author: Base, tags: [x], lang: de, description: D}
            other: &other {author: Other, slug: other-slug}
            <<: [*other, *base]
            tags: [y]
            nested:
              a: 1
              <<: {a: 2, b: 3}
              "<<": text
            ---
            Text
            """)
        #expect(article.authors == ["Other"] && article.tags == ["y"] && article.language == "de")
        #expect(article.slug == "other-slug" && article.summary == "D")
        #expect(
            article.extra.hasSuffix(
                #""nested":{"<<":"text","a":1,"b":3},"other":{"author":"Other","slug":"other-slug"}}"#))
    }

    @Test("YAML cannot expand beyond memory, not even with merges")
    func mergeBombs() async throws {
        var text = "---\na0: &a0 {\((0..<300).map { "k\($0): x" }.joined(separator: ", "))}\n"
        for level in 1...4 {
            let many = Array(repeating: "*a\(level - 1)", count: 100).joined(separator: ", ")
            text += "a\(level): &a\(level)\n  <<: [\(many)]\n"
        }
        try library.folder.write("bomb.md", text + "---\nText")
        let report = try await library.run("bomb.md")
        #expect(report.rejections.count == 1)
    }

    @Test(
        "Titles in YAML keep the text as it was written",
        arguments: [
            ("1984", "1984"), ("true", "true"), ("True", "True"), ("1.10", "1.10"), ("2015-12-03", "2015-12-03"),
            (">\n  Folded\n  title.", "Folded title."), ("|-\n  One", "One"), ("'  Spaces '", "  Spaces "),
            ("No", "No"),
            ("&t Named", "Named"),
        ])
    func titles(text: String, expected: String) async throws {
        #expect(try await library.article("---\ntitle: \(text)\n---\n# Another\n\nText").title == expected)
    }

    @Test(
        "A record without a title takes it from the beginning of the text",
        arguments: ["title: ~", "title: ''", "a: b"])
    func noTitle(text: String) async throws {
        #expect(try await library.article("---\n\(text)\n---\n# Heading\n\nText").title == "Heading")
    }

    @Test("The first line of front matter may name its format")
    func notations() async throws {
        let json = try await library.article("---json\n{\"title\": \"J\", \"tags\": [\"a\"]}\n---\nText")
        #expect(json.title == "J" && json.tags == ["a"] && json.body == "Text")
        #expect(try await library.article("--- toml\ntitle = \"T\"\n---\nText").title == "T")
        #expect(try await library.article("---yaml\ntitle: Y\n---\nText").title == "Y")
        #expect(try await library.article("---elsewhere\nText", named: "plain.md").body == "---elsewhere\nText")
    }

    // MARK: MDX

    @Test("Code at the beginning of MDX is not part of the text")
    func mdx() async throws {
        let text = """
            import A from './a'
            import {
              B,
            } from 'b'

            export const meta = {
              x: 1,
            }

            # The title

            The first words.
            """
        let article = try await library.article(text, named: "page.mdx")
        #expect(article.title == "The title")
        #expect(article.summary == "The first words.")
        #expect(article.body == "The first words.")
        #expect(try await library.article("import A from './a'\n\nText.", named: "a.md").body == "Text.")
        let prose = try await library.article("import duties rose.\n\nMore.", named: "prose.md")
        #expect(prose.summary == "import duties rose." && prose.title == "Prose")
    }

    @Test(
        "MDX keeps the text between its tags, without imports, exports, and comments",
        arguments: [
            ("import X from '~/a.astro';\nimport Y from '~/b.astro';\n\nReal text.", "Real text."),
            ("\nimport X from '../a';\n\nReal text.", "Real text."),
            ("a\n\nexport const b = {\n\n  c: 1,\n}\n\nd", "a\n\nd"),
            ("export const a = {\n\nb", "b"),
            ("important\n\nexports rose", "important\n\nexports rose"),
            ("a {/* b */}c\n{/*\nd\n*/}\n\ne `{/* f */}`", "a c\n\ne `{/* f */}`"),
            ("a{\" \"}b {'*'} {c.d}", "a b \\* {c.d}"),
            ("# A {#b}", "# A {#b}"),
            ("<Box>\n  - one\n  - two\n</Box>\n\n## Heading", "- one\n- two\n\n## Heading"),
            (
                "<Tabs>\n<Fragment slot=\"a\">\n```sh\n# x\n```\n</Fragment>\n</Tabs>\n\n## Heading",
                "```sh\n# x\n```\n\n## Heading"
            ),
            (
                "1. one\n\n    <Tabs>\n      <Fragment slot=\"a\">\n      ```sh\n      npm x\n        y\n      ```\n      </Fragment>\n    </Tabs>\n\n2. two",
                "1. one\n\n    ```sh\n    npm x\n      y\n    ```\n\n2. two"
            ),
            ("<Aside>\n    Text\n\n    - a\n      - b\n</Aside>", "Text\n\n- a\n  - b"),
            (
                "<div className=\"a\">\n  *b*\n</div>\nc",
                "<div className=\"a\">\n\n*b*\n\n</div>\n\nc"
            ),
            ("<div>*a*</div>", "<div>\n\n*a*</div>"),
            ("<Foo\n  a={{ b: '}' }}\n  c=\"d\"\n/>\nText", "Text"),
            ("See <Link to=\"/a\">the *page*</Link> <Badge text=\"b\" />!", "See <a href=\"/a\">the *page*</a> b!"),
            ("<Callout type=\"info\" title=\"A *b* &amp; c\">\n  Text\n</Callout>", "**A \\*b\\* &amp; c**\n\nText"),
            ("<Callout title={'A & b'}>Text</Callout>\nmore", "**A & b**\n\nText\nmore"),
            ("<Card href=\"/a\" title=\"A\" description=\"B\n c\" />\n\nd", "**A** B c\n\nd"),
            ("<Tabs>\n  <Tab label=\"A\">\n    b\n  </Tab>\n</Tabs>", "**A**\n\nb"),
            ("a\n<Tooltip text=\"b\">word</Tooltip> and c.", "a\nword and c."),
            ("<SEO title=\"a\" description=\"b\" />\n\nText", "Text"),
            ("A <Tooltip title=\"b\">word</Tooltip> <Badge text={`n`} />", "A word n"),
            ("<Image src=\"/a.png\" alt=\"A\" width={1} />\n\nb", "<img src=\"/a.png\" alt=\"A\">\n\nb"),
            ("<>\n  a\n</>", "a"), ("1 < 2 <b>c</b> <https://d.e>", "1 < 2 <b>c</b> <https://d.e>"),
            (
                "```jsx\nimport A from 'a'\n\n<Foo>{/* b */}</Foo>\n```",
                "```jsx\nimport A from 'a'\n\n<Foo>{/* b */}</Foo>\n```"
            ),
            ("<style>\n  .a {\n\n  }\n</style>\nb", "<style>\n  .a {\n\n  }\n</style>\nb"),
            ("a\r\n\r\n<Box>\r\nb\r\n</Box>\r\n", "a\r\n\nb\r\n"),
        ])
    func mdxText(text: String, body: String) async throws {
        let article = try await library.article("---\ntitle: T\n---\n" + text, named: "a.mdx")
        #expect(article.body.trimmingCharacters(in: .newlines) == body.trimmingCharacters(in: .newlines))
    }

    @Test("MDX keeps an edited and exported text unchanged")
    func mdxAgain() async throws {
        let body = "import A from 'a'\n\n<Box>{/* b */}"
        #expect(try WrittenArticle("---\ntitle: T\n---\n\n" + body).draft().body == body)
    }

    @Test("MDX with unclosed parts is read in bounded time")
    func hostileMDX() async throws {
        for piece in [
            "<a {", "<a b='", "{/*", "{/*{/* */", "<pre>\n", "export const a = {\n\n", "<Foo>\n", "`{<", "<a\n",
        ] {
            _ = try await library.article(
                "---\ntitle: T\n---\nx " + String(repeating: piece, count: 200_000 / piece.utf8.count), named: "a.mdx")
        }
    }

    // MARK: Front matter in JSON

    @Test("Front matter may be a JSON object, or its members between lines of semicolons")
    func json() async throws {
        let line = try await library.article("{\"title\": \"On one line\", \"tags\": [\"x\"]}\nbody", named: "a.md")
        #expect(line.title == "On one line" && line.tags == ["x"] && line.body == "body")
        let lines = try await library.article(
            "{\n  \"title\": \"a } \\\" b\",\n  \"x\": {}\n}\t\n\nbody {x}", named: "b.md")
        #expect(lines.title == "a } \" b" && lines.body == "body {x}")
        let hexo = try await library.article(";;;\n\"title\": \"H\"\n;;;\nbody", named: "c.md")
        #expect(hexo.title == "H" && hexo.body == "body")
        let tab = try await library.article("---\t\ntitle: T\n--- \t\nbody", named: "d.md")
        #expect(tab.title == "T" && tab.body == "body")
        for text in ["{: .lead}\nText", "{{ a }}\nText", "{\"a\": 1} is JSON\nText", "{\"a\": 1}", "{\"a\": 1,}\nText"]
        {
            #expect(try await library.article(text, named: "e.md").body == text)
        }
    }

    // MARK: Drafts

    @Test(
        "Many words mark an article as a draft",
        arguments: [
            ("draft: true", true), ("draft: yes", true), ("published: false", true), ("publish: false", true),
            ("status: draft", true), ("status: Private", true), ("status: trash", true), ("visibility: private", true),
            ("draft: false", false), ("published: true", false), ("published: 2015-12-03", false),
            ("status: publish", false), ("status: accepted", false), ("visibility: members", false),
        ])
    func drafts(text: String, isDraft: Bool) async throws {
        try library.folder.write("a.md", "---\n\(text)\n---\nText")
        #expect(try await library.run("a.md").skippedDrafts == (isDraft ? 1 : 0))
    }

    @Test("Files in a folder of drafts are drafts")
    func draftFolder() async throws {
        try library.folder.write("blog/_drafts/a.md", "# A\n\nText")
        #expect(try await library.run("blog").skippedDrafts == 1)
        #expect(try await library.run("blog/_drafts/a.md").skippedDrafts == 1)
        #expect(try await library.run("blog", ImportOptions(includesDrafts: true)).inserted == 1)
    }
}
