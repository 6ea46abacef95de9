import Foundation
import Testing

@Suite("A database of an earlier version")
struct UpgradeTests {
    private static let password = "correct horse battery staple 42"

    private static func logIn(_ home: Home) async throws {
        try #require(try await home.run("login", "ada", "--password-stdin", input: password + "\n").status == 0)
    }

    @Test("An upgraded database keeps its accounts", arguments: 1...13)
    func accounts(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try #require(try await home.run("migrate").status == 0)
        try await Self.logIn(home)
        #expect(try await home.run("whoami", "--json").object().string("region") == "SE")
        #expect(try await home.sql("SELECT event FROM audit WHERE user_id = 1 ORDER BY id LIMIT 1") == "registered")
        #expect(try await home.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        let roles = version < 5 ? "operator" : version == 5 ? "operator\nreader" : "operator\neditor"
        #expect(try await home.sql("SELECT role FROM user ORDER BY id") == roles)
        #expect(try await home.run("audit", "verify").status == 0)
        if version >= 3 {
            #expect(try await home.sql("SELECT appearance FROM user_appearance") == "dark")
        }
    }

    @Test("An upgraded database keeps its articles, with all their properties", arguments: 2...13)
    func articles(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try #require(try await home.run("migrate").status == 0)
        try await Self.logIn(home)
        let welcome = try await home.run("show", "welcome", "--json").object()
        #expect(welcome.string("title") == "Welcome — “quoted”")
        #expect(welcome.strings("authors") == ["Ada Lindqvist", "Grace", "Naïve, Ünïcode"])
        #expect(welcome.strings("tags") == ["Swift", "news"])
        #expect(welcome.string("language") == "pt-BR")
        #expect(welcome.string("url") == "https://example.org/welcome")
        #expect(welcome.string("published") == "2015-12-03T00:00:00Z")
        // It is found immediately, by words of its body.
        let found = try await home.run("search", "emphasis", "--json").object()
        #expect(try found.objects("articles").compactMap { $0.string("slug") }.contains("welcome"))
        #expect(welcome.string("body") == "First paragraph with *emphasis* and 🏳️‍🌈.\n\nSecond paragraph.\n")
        #expect(welcome.string("source") == "earlier")
        #expect(try await home.run("show", "page", "--json").object().string("format") == "html")
        #expect(try await home.run("show", "c", "--json").object().string("body") == "sharp\0nul")
        for (filter, slugs) in [
            (["--tag", "NEWS"], ["c", "welcome"]), (["--author", "naïve, ünïcode"], ["welcome"]),
            (["--tag", "news", "--author", "grace", "--sort", "title"], ["welcome"]),
            (["--language", "pt-br"], ["welcome"]),
            (["--source", "earlier", "--sort", "title"], ["page", "c", "cpp", "welcome"]),
        ] {
            let list = try await home.run(["list", "--json"] + filter).object()
            #expect(try list.objects("articles").compactMap { $0.string("slug") } == slugs, "\(filter)")
        }
        // The words of old articles are found once the index has followed.
        try #require(try await home.run("index").status == 0)
        #expect(try await home.run("search", "PARAGRAPH", "title:welc*").output.contains("\twelcome\t"))
        #expect(try await home.run("list", "--author", "naive, unicode").output.contains("\twelcome\t"))
        if version >= 9 {
            // Tags that differ only in an accent become one.
            let tagged = try await home.run("list", "--tag", "RESUMÉ", "--sort", "title", "--json").object()
            #expect(try tagged.objects("articles").compactMap { $0.string("title") } == ["A heron", "A page"])
        }
    }

    @Test("An upgraded database never uses the numbers of its sources again", arguments: [4, 12])
    func sourceNumbers(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try #require(try await home.run("migrate").status == 0)
        try await Self.logIn(home)
        let last = try await home.sql("SELECT max(id) FROM source")
        let name = try await home.sql("SELECT name FROM source WHERE id = \(last)")
        try #require(try await home.run("sources", "remove", name, "--yes").status == 0)
        try #require(try await home.run("seed", home.write("a.md", "# A\n")).status == 0)
        #expect(try await home.sql("SELECT max(id) - 1 FROM source") == last)
    }

    @Test("An upgraded database keeps readers' marks, also for clients that follow the changes", arguments: [11, 12])
    func marks(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try #require(try await home.run("migrate").status == 0)
        try await Self.logIn(home)
        let heron = try await home.run("show", "heron", "--json").output
        #expect(heron.contains(#""tags":["weekend"],"note":"A note."}"#))
        #expect(try await home.run("list", "--starred", "--json").object().objects("articles").count == 1)
        #expect(try await home.sql("SELECT article_id FROM mark_change ORDER BY article_id") == "1\n2\n3\n5")
        #expect(try await home.sql("SELECT count(*), min(first_id) FROM arrival") == "1|1")
    }

    @Test("An upgraded database recognizes articles in a new import, and forgets unknown origins", arguments: [2, 3])
    func adopted(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try #require(try await home.run("migrate").status == 0)
        try home.write(
            "posts/2015-12-03-welcome.md",
            """
            ---
            title: Welcome — “quoted”
            authors: [Ada Lindqvist, Grace, "Naïve, Ünïcode"]
            tags: [Swift, news]
            lang: pt-BR
            url: https://example.org/welcome
            layout: post
            ---
            First paragraph with *emphasis* and 🏳️‍🌈.

            Second paragraph.

            """)
        try home.write("posts/page.html", "<title>A page</title><p>Text of a page.</p>\n")
        try home.write(
            "posts/records.jsonl",
            #"{"title":"C#","body":"sharp\u0000nul","date":1449144061,"tags":["news"],"score":1.0e3}"# + "\n"
                + #"{"title":"C++","body":"plus","slug":"cpp"}"# + "\n")
        let first = try await home.run("seed", "posts", "--json").object()
        #expect(first.integer("inserted") == 0)
        let numbers = try await home.sql("SELECT id FROM article ORDER BY id")
        #expect(numbers == "1\n2\n3\n4")
        let again = try await home.run("seed", "posts", "--json").object()
        #expect(again.integer("unchanged") == 4)
        #expect(try await home.sql("SELECT name, kind FROM source") == "posts|folder")
        #expect(try await home.sql("SELECT key FROM article WHERE slug = 'cpp'") == "records.jsonl#cpp")
    }
}
