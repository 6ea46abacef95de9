import Foundation
import Testing

@Suite("Exporting articles")
struct ExportTests {
    @Test("seed reads the piped output of show as the same article, and imports changes in it")
    func show() async throws {
        let home = try await Home.signedIn()
        let before = try await home.run("show", "article-7", "--json").object()
        let file = try await home.run("show", "article-7").output
        try home.write("a.md", file)
        #expect(try await home.run("seed", "a.md").output == "0 inserted, 0 updated, 1 unchanged, 0 rejected\n")
        let title = try #require(file.split(separator: "\n").first { $0.hasPrefix("title: ") })
        try home.write("a.md", file.replacing(title, with: "title: Another"))
        #expect(try await home.run("seed", "a.md").output == "0 inserted, 1 updated, 0 unchanged, 0 rejected\n")
        let after = try await home.run("show", "article-7", "--json").object()
        #expect(after.string("title") == "Another")
        #expect(after.integer("id") == before.integer("id"))
        #expect(after.string("body") == before.string("body"))
    }

    @Test("show writes the requested format, also into a pipe")
    func formats() async throws {
        let home = try await Home.signedIn()
        let json = try await home.run("show", "article-7", "--json").output
        #expect(try await home.run("show", "article-7", "--format", "json").output == json)
        let text = try await home.run("show", "article-7", "--format", "text", "--width", "40")
        #expect(text.lines.contains("Body of 7.") && text.lines.allSatisfy { $0.count <= 40 })
        #expect(!text.output.contains("\u{1B}"))
        #expect(try await home.run("show", "article-7", "--width", "40").output == text.output)
        #expect(try await home.run("show", "article-7", "--color", "always").output.hasPrefix("\u{1B}[1m"))
        let markdown = try await home.run("show", "article-7", "--format", "markdown", "--color", "always").output
        let plain = try await home.run("show", "article-7").output
        #expect(markdown == plain)
    }

    @Test("A library goes through standard output and a folder into an empty one", arguments: ["jsonl", "markdown"])
    func library(format: String) async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.run("export", "--format", format, "--output", "out", "--json").object()
        #expect(outcome.integer("articles") == Library.articles.count)
        #expect(try await home.run("seed", "out").output.contains("\(Library.articles.count) unchanged"))
        let other = home.path("other.db")
        try await #require(home.run("migrate", "--database", other).status == 0)
        let seeded = try await home.run("seed", "--database", other, "out").output
        #expect(seeded.hasPrefix("\(Library.articles.count) inserted, 0 updated, 0 unchanged, 0 rejected"))
        let columns = "key, slug, title, authors, tags, summary, language, published_at, updated_at, reading_minutes"
        let sql = "SELECT \(columns), body, extra FROM article JOIN article_body ON article_id = id ORDER BY slug"
        let (before, after) = (try await home.sql(sql), try await home.sql(sql, on: other))
        #expect(before == after)
        let sources = "SELECT uid, name, kind, location, home FROM source"
        let (old, new) = (try await home.sql(sources), try await home.sql(sources, on: other))
        #expect(old == new)
    }

    @Test("seed reads an exported feed of the library", arguments: ["atom", "jsonfeed"])
    func feed(format: String) async throws {
        let home = try await Home.signedIn()
        let feed = try await home.run(
            "export", "--format", format, "--title", "Mine", "--url", "https://example.org/feed")
        #expect(feed.status == 0 && feed.output.contains("https://example.org/feed"))
        try home.write("feed", feed.output)
        let other = home.path("other.db")
        try await #require(home.run("migrate", "--database", other).status == 0)
        let seeded = try await home.run("seed", "--database", other, "--source", "mine", "feed").output
        #expect(seeded.hasPrefix("\(Library.articles.count) inserted, 0 updated, 0 unchanged, 0 rejected"))
        let sql = "SELECT title, tags, language, published_at, updated_at FROM article ORDER BY title, published_at"
        let (before, after) = (try await home.sql(sql), try await home.sql(sql, on: other))
        #expect(before == after)
        let refused = try await home.run("export", "--format", format, "--url", "javascript:alert(1)")
        #expect(refused.status == 64)
    }

    @Test(
        "A list of feeds has their own addresses, else those of the list that they were read from")
    func feeds() async throws {
        let home = try await Home.signedIn()
        let item = "<item><guid>1</guid><title>T</title></item>"
        let link = #"<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://r.org/feed"/>"#
        try home.write("rss.xml", "<rss><channel><title>R</title>\(link)\(item)</channel></rss>")
        try home.write(
            "atom.xml",
            #"<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><link rel="self" href="https://a.org/?x=1&amp;y"/>"#
                + "<entry><id>1</id><title>T</title></entry></feed>")
        let json = #""version":"https://jsonfeed.org/version/1.1","title":"J","feed_url":"https://j.org/f""#
        try home.write("feed.json", "{\(json),\"items\":[{\"id\":\"1\",\"content_text\":\"x\"}]}")
        try home.write(
            "lists/plain.xml", "<rss><channel><title>P</title><link>https://p.org/</link>\(item)</channel></rss>")
        try home.write("lists/none.xml", "<rss><channel><title>N</title>\(item)</channel></rss>")
        try home.write(
            "lists/all.opml",
            #"<opml><body><outline xmlUrl="https://p.org/plain.xml"/><outline xmlUrl="none.xml"/></body></opml>"#)
        try await #require(home.run("seed", "rss.xml", "atom.xml", "feed.json", "lists/all.opml").status == 0)
        // A feed that is imported alone keeps the values of the list.
        try await #require(home.run("seed", "lists/plain.xml").status == 0)
        let stream = "<rss><channel><title>S</title>\(link.replacing("r.org", with: "s.org"))\(item)</channel></rss>"
        try await #require(home.run("seed", "--source", "named", "-", input: stream).status == 0)
        let outlines = try await home.run("export", "--format", "opml").lines.filter { $0.contains("<outline") }
        #expect(
            outlines.map { $0.trimmingCharacters(in: .whitespaces) } == [
                #"<outline text="R" title="R" type="rss" xmlUrl="https://r.org/feed"/>"#,
                #"<outline text="A" title="A" type="rss" xmlUrl="https://a.org/?x=1&amp;y"/>"#,
                #"<outline text="J" title="J" type="rss" xmlUrl="https://j.org/f"/>"#,
                #"<outline text="P" title="P" type="rss" xmlUrl="https://p.org/plain.xml" htmlUrl="https://p.org/"/>"#,
                #"<outline text="N" title="N"/>"#,
                #"<outline text="named" title="named" type="rss" xmlUrl="https://s.org/feed"/>"#,
            ])
        let file = try await home.run("export", "--format", "opml", "--output", "feeds.opml")
        #expect(file.output == "6 feeds in feeds.opml\n")
        #expect(try await home.run("sources", "show", "R").lines.contains("feed\thttps://r.org/feed"))
    }

    @Test("Exported files follow the umask, and are as private as the file that they replace")
    func modes() async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.shell(
            """
            umask 022
            articlesctl export --format html --output pages && articlesctl export --output a.jsonl
            chmod 640 a.jsonl && articlesctl export --output b.jsonl && articlesctl export --force --output a.jsonl
            umask 027
            articlesctl export --format markdown --output private
            stat -c %a pages pages/index.html pages/articles pages/articles/article-7.html a.jsonl b.jsonl private
            umask 000
            articlesctl seed --source x - <pages/index.html && articlesctl logout
            find data state -type f -perm /077
            """)
        #expect(outcome.lines.filter { Int($0) != nil } == ["755", "644", "755", "644", "640", "644", "750"])
        #expect(!outcome.output.contains("data/"))
    }

    @Test("Exported pages are a folder of files for a browser, and --force replaces them")
    func pages() async throws {
        let home = try await Home.signedIn()
        let arguments = ["export", "--format", "html", "--title", "Mine", "--output", "pages"]
        let outcome = try await home.run(arguments + ["--json"]).object()
        #expect(outcome.integer("articles") == Library.articles.count)
        let index = try String(contentsOfFile: home.path("pages/index.html"), encoding: .utf8)
        #expect(index.contains("<title>Mine</title>"))
        #expect(try await home.run("export", "--format", "html").status == 64)
        #expect(try await home.run(arguments).status == 73)
        #expect(try await home.run(arguments + ["--force", "--language", "sv"]).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: home.path("pages/articles"))
        #expect(files.count == Library.articles.filter { $0.language == "sv" }.count)
        let page = try await home.run("show", "article-7", "--format", "html").output
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("Body of 7."))
    }

    @Test("Standard output has the articles of a query, the sources first")
    func query() async throws {
        let home = try await Home.signedIn()
        let lines = try await home.run("export", "--language", "sv", "--sort", "oldest").lines
        #expect(lines.first?.hasPrefix(#"{"articlesctl":1,"sources":[{"id":""#) == true)
        #expect(lines.count == Library.articles.filter { $0.language == "sv" }.count + 1)
        #expect(lines.dropFirst().allSatisfy { $0.contains(#""language":"sv""#) })
    }

    @Test("Existing files are not changed, and --force replaces only those of an export")
    func force() async throws {
        let home = try await Home.signedIn()
        for (format, name) in [("jsonl", "file"), ("markdown", "folder")] {
            let arguments = ["export", "--format", format, "--output", name]
            try await #require(home.run(arguments).status == 0)
            let refused = try await home.run(arguments)
            #expect(refused.status == 73)
            #expect(refused.error.contains("--force"))
            try await home.run("delete", "--yes", "--language", "sv")
            #expect(try await home.run(arguments + ["--force"]).status == 0)
        }
        try home.write("mine/notes.txt", "notes")
        try home.write("mine/.git/config", "kept")
        #expect(try await home.run("export", "-f", "markdown", "-o", "mine").status == 73)
        #expect(try await home.run("export", "-f", "markdown", "-o", "mine", "--force").status == 0)
        #expect(try String(contentsOfFile: home.path("mine/notes.txt"), encoding: .utf8) == "notes")
        #expect(try await home.run("export", "-f", "markdown", "-o", "mine", "--force").status == 0)
        #expect(!FileManager.default.fileExists(atPath: home.path("mine/notes.txt")))
        #expect(try String(contentsOfFile: home.path("mine/.git/config"), encoding: .utf8) == "kept")
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(!names.contains { $0.hasPrefix(".articlesctl-") })
    }

    @Test("A folder with files that no export has written is not changed")
    func wouldReplace() async throws {
        let home = try await Home.signedIn()
        try home.write("mine/articlesctl-notes/x", "notes")
        let source = try await home.sql("SELECT name FROM source LIMIT 1")
        try home.write("mine/\(source)/y", "mine")
        let outcome = try await home.run("export", "-f", "markdown", "-o", "mine", "--force")
        #expect(outcome.status == 73)
        #expect(try String(contentsOfFile: home.path("mine/\(source)/y"), encoding: .utf8) == "mine")
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path("mine")).sorted()
        #expect(names == ["articlesctl-notes", source].sorted())
    }

    @Test("A folder format cannot go to standard output, and an export needs a session")
    func refused() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("export", "--format", "markdown").status == 64)
        #expect(try await home.run("export", "--output", "nowhere/a.jsonl").status == 73)
        try await home.run("logout")
        let outcome = try await home.run("export", "--output", "a.jsonl")
        #expect(outcome.status == 77)
        #expect(!FileManager.default.fileExists(atPath: home.path("a.jsonl")))
    }
}
