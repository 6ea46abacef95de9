import Foundation
import Testing

@Suite("Exporting articles")
struct ExportTests {
    @Test("what show writes into a pipe, seed reads as the same article, and takes up what was changed in it")
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

    @Test("show writes what it is asked for, also into a pipe")
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

    @Test("a library goes through standard output and a folder into an empty one", arguments: ["jsonl", "markdown"])
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

    @Test("a feed of the library is one that seed reads", arguments: ["atom", "jsonfeed"])
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

    @Test("pages are a folder of files for a browser, and give way to the next with --force")
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

    @Test("standard output has the articles of a query, the sources first")
    func query() async throws {
        let home = try await Home.signedIn()
        let lines = try await home.run("export", "--language", "sv", "--sort", "oldest").lines
        #expect(lines.first?.hasPrefix(#"{"articlesctl":1,"sources":[{"id":""#) == true)
        #expect(lines.count == Library.articles.filter { $0.language == "sv" }.count + 1)
        #expect(lines.dropFirst().allSatisfy { $0.contains(#""language":"sv""#) })
    }

    @Test("what is there is left alone, and replaced with --force where an export has written it")
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

    @Test("a folder that would lose what no export has written is left as it is")
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

    @Test("a folder cannot go to standard output, and nobody exports without a session")
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
