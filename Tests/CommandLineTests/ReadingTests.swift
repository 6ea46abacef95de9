import Foundation
import Testing

@Suite("Listing and showing articles")
struct ReadingTests {
    typealias Item = Library.Item

    static func newest(_ one: Item, _ other: Item) -> Bool {
        (one.day, one.number) > (other.day, other.number)
    }

    struct Query: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let isMatch: @Sendable (Item) -> Bool
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: [String], _ isMatch: @escaping @Sendable (Item) -> Bool) {
            (self.arguments, self.isMatch) = (arguments, isMatch)
        }
    }

    static let queries: [Query] = [
        Query([]) { _ in true },
        Query(["--author", "Ada Lindqvist"]) { $0.author == "Ada Lindqvist" },
        Query(["-a", "tomás herrera"]) { $0.author == "Tomás Herrera" },
        Query(["--tag", "swift"]) { $0.tags.contains("swift") },
        Query(["-t", "sqlite"]) { $0.tags.contains("SQLite") },
        Query(["--language", "sv"]) { $0.language == "sv" },
        Query(["--since", "2026-01-15"]) { $0.day >= "2026-01-15" },
        Query(["--until", "2026-01-15"]) { $0.day < "2026-01-15" },
        Query(["--since", "2026-01-05", "--until", "2026-01-06"]) { $0.day == "2026-01-05" },
        Query(["--tag", "swift", "--author", "Mei Okafor", "--since", "2026-01-04", "--language", "en"]) {
            $0.tags.contains("swift") && $0.author == "Mei Okafor" && $0.day >= "2026-01-04" && $0.language == "en"
        },
        Query(["--search", "TOMAS"]) { $0.author == "Tomás Herrera" },
        Query(["-a", "TOMAS HERRERA"]) { $0.author == "Tomás Herrera" },
        Query(["--search", "sqlite  lind*"]) { $0.tags.contains("SQLite") && $0.author == "Ada Lindqvist" },
        Query(["--search", "\"of 7\"", "--language", "en"]) { $0.title.hasSuffix("of 7") && $0.language == "en" },
        Query(["--search", "author:mei -sqlite tag:swift before:2026-01-20"]) {
            !$0.tags.contains("SQLite") && $0.author == "Mei Okafor" && $0.tags.contains("swift")
                && $0.day < "2026-01-20"
        },
        Query(["--search", "%"]) { _ in false },
        Query(["--author", "Mei Okafor", "--until", "2000"]) { _ in false },
    ]

    @Test("A story of several sources is one article, which lists them")
    func story() async throws {
        let home = try await Home.signedIn()
        let (one, two) = (String(repeating: "1", count: 32), String(repeating: "2", count: 32))
        try home.write(
            "story.jsonl",
            #"{"title":"A story","body":"Text.","source":"Feed one","sourceID":"\#(one)","key":"k","#
                + #""url":"https://example.org/1","sources":[{"id":"\#(one)","name":"Feed one"},"#
                + #"{"id":"\#(two)","name":"Feed two","key":"x","title":"Seen there","body":"Comment.","format":"plain"}]}"#
        )
        #expect(try await home.run("seed", "story.jsonl").status == 0)
        for source in ["feed one", "feed two"] {
            let list = try await home.run("list", "--source", source, "--json").object()
            #expect(try list.objects("articles").compactMap { $0.string("title") } == ["A story"])
            #expect(list.integer("total") == 1)
        }
        let counts = try await home.run("sources", "--json").object().objects("sources")
        #expect(counts.filter { $0.integer("articles") == 1 }.map { $0.string("name") } == ["Feed one", "Feed two"])
        let shown = try await home.run("show", "a-story")
        #expect(shown.output.contains("Feed one") && shown.output.contains("Feed two"))
        #expect(shown.output.contains("Seen there") && shown.output.contains("Comment."))
        let sources = try await home.run("show", "a-story", "--json").object().objects("sources")
        #expect(sources.map { $0.string("name") } == ["Feed one", "Feed two"])
        #expect(sources.map { $0.string("address") } == ["https://example.org/1", nil])
        #expect(sources.last?.string("title") == "Seen there")
        // Nothing is lost if its first source is removed.
        #expect(try await home.run("sources", "remove", "feed one", "--yes").status == 0)
        #expect(try await home.run("list", "--source", "feed two").lines.count == 1)
    }

    @Test("A list has exactly the articles that match its filters, newest first", arguments: queries)
    func filters(_ query: Query) async throws {
        let home = try await Home.signedIn()
        let expected = Library.articles.filter(query.isMatch).sorted(by: Self.newest)
        let list = try await home.run(["list", "--json", "--limit", "1000"] + query.arguments).object()
        let isSearch = query.arguments.contains { $0 == "--search" }
        #expect(list.keys == ["articles", "next"] + (isSearch ? ["search"] : []) + ["total"])
        #expect(try list.objects("articles").compactMap { $0.string("slug") } == expected.map(\.slug))
        #expect(list.integer("total") == expected.count)
        #expect(list.isNull("next"))
        let lines = try await home.run(["list", "--limit", "1000"] + query.arguments).lines
        #expect(lines.map { $0.split(separator: "\t")[1] } == expected.map { Substring($0.slug) })
    }

    @Test("A list without articles says so on standard error, and a search how it was understood")
    func nothing() async throws {
        let home = try await Home.signedIn()
        for arguments in [
            ["list", "--search", "nowhere"], ["search", "nowhere"], ["search", "nowhere", "--all"],
            ["search", "nowhere", "--format", "{id}"],
        ] {
            let outcome = try await home.run(arguments)
            #expect((outcome.status, outcome.output) == (0, ""))
            #expect(outcome.error.contains("“nowhere”") && outcome.error.split(separator: "\n").count == 2)
        }
        #expect(try await home.run("list", "--starred").error.split(separator: "\n").count == 1)
        let json = try await home.run("search", "nowhere", "--json")
        #expect(json.error == "")
        #expect(try json.object().objects("articles").isEmpty)
    }

    @Test("A piped list that is cut says so, unless its length was requested")
    func more() async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.run("list")
        #expect((outcome.status, outcome.lines.count) == (0, 50))
        let cursor = try #require(try await home.run("list", "--json").object().string("next"))
        #expect(
            outcome.error.hasPrefix("50 of 60 ") && outcome.error.contains("--all")
                && outcome.error.contains("--cursor \(cursor);")
        )
        let rest = try await home.run("list", "--cursor", cursor)
        #expect((rest.lines.count, rest.error) == (10, ""))
        #expect(try await home.run("list", "--limit", "50").error.isEmpty)
        #expect(try await home.run("list", "--search", "title").error.contains("--all"))
        #expect(try await home.run("search", "title").error.contains("--all"))
        try await #require(home.run("mark", "read", "1").status == 0)
        #expect(try await home.run("list", "--unread").error.hasPrefix("50 of 59 articles."))
        #expect(try await home.run("list", "--format", "{id}").error.hasPrefix("50 of 60 articles."))
        #expect(try await home.run("list", "--json=id").error.isEmpty)
    }

    @Test("--all prints all pages of a list, in every format", arguments: [[], ["--tag", "bulk"]])
    func all(_ filter: [String]) async throws {
        let home = try await Home.signedIn()
        try home.write("bulk.jsonl", Library.lines(0..<2100))
        try await home.run("seed", "bulk.jsonl")
        let count = filter.isEmpty ? 2160 : 2100
        let lines = try await home.run(["list", "--all"] + filter)
        #expect(lines.error.isEmpty)
        #expect((lines.lines.count, Set(lines.lines).count) == (count, count))
        let ids = lines.lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(try await home.run(["list", "--all", "--format", "{id}"] + filter).lines == ids)
        for fields in [[], ["id"]] {
            let list = try await home.run(["list", "--all"] + filter + ["--json"] + fields).object()
            #expect(list.integer("total") == count && list.isNull("next"))
            #expect(try list.objects("articles").compactMap { $0.integer("id") }.map(String.init) == ids)
        }
    }

    @Test("--all of a search is complete, the latest first, and a search without results is an empty list")
    func allOfSearch() async throws {
        let home = try await Home.signedIn()
        let slugs = try await home.run("search", "--all", "title", "--format", "{slug}").lines
        #expect(slugs == Library.articles.sorted(by: Self.newest).map(\.slug))
        let nothing = try await home.run("search", "--all", "xyzzyplugh", "--json").object()
        #expect(try nothing.objects("articles").isEmpty && nothing.integer("total") == 0)
    }

    @Test("--json with fields prints only these, in this order, also fields of whole articles")
    func fields() async throws {
        let home = try await Home.signedIn()
        let line = #"{"slug":"article-59","id":60,"body":"Body of 59.\n\nMore *text*.\n","url":null}"#
        for arguments in [["--json=slug,id,body,url"], ["--json", "slug,id, body,url,id"]] {
            let outcome = try await home.run(["list", "-n", "1"] + arguments)
            #expect(outcome.output.hasPrefix(#"{"articles":["# + line + #"],"next":""#))
            #expect(outcome.output.hasSuffix("\"total\":60}\n"))
        }
        let all = try await home.run("search", "title", "-n", "1", "--json").object().objects("articles")
        let asked = try await home.run("search", "title", "-n", "1", "--json=found,marks,source").object().objects(
            "articles")
        for name in ["found", "marks", "source"] {
            #expect(asked.first?.members[name] as? NSObject == all.first?.members[name] as? NSObject)
        }
        // A word of the search: the program may have been named by another.
        #expect(try await home.run("search", "--json", "id").object().keys.contains("search"))
    }

    @Test("Every key of a list or an article can be requested")
    func everyField() async throws {
        let home = try await Home.signedIn()
        let found = try #require(try await home.run("search", "title", "--json").object().objects("articles").first)
        let whole = try await home.run("show", "article-1", "--json").object()
        let names = Set(found.keys + whole.keys).sorted()
        let list = try await home.run("list", "-n", "1", "--json", names.joined(separator: ",")).object()
        #expect(try list.objects("articles").first?.keys == names)
    }

    @Test("--format writes each article by a template")
    func format() async throws {
        let home = try await Home.signedIn()
        func lines(_ template: String) async throws -> String {
            try await home.run("list", "-n", "2", "--sort", "oldest", "--format", template).output
        }
        #expect(
            try await lines("{published}\\t{tags}\\\\\\{{author}\\}{url}|")
                == "2026-01-01T00:00:00Z\tswift, SQLite, all\\{Ada Lindqvist}|\n2026-01-01T00:00:00Z\tall\\{Tomás Herrera}|\n"
        )
        #expect(try await lines("{slug}\\n") == "article-0\narticle-1\n")
        #expect(try await lines("{slug}\\0") == "article-0\0article-1\0")
        #expect(try await lines("{body}").hasPrefix("Body of 0.  More *text*. \n"))
    }

    @Test("The welcome screen of a signed-in user leads to the place of the session")
    func welcome() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("open", "/welcome").lines.count == 50)
        #expect(try await Home.prepared().run("open", "/welcome").status == 0)
    }

    @Test("An enclosure of an article opens with BROWSER, by its number")
    func enclosures() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "cast.jsonl",
            #"{"title":"Cast","slug":"cast","body":"Listen.","attachments":["#
                + #"{"url":"mailto:ada@a.example","mime_type":"audio/mpeg"},"#
                + #"{"url":"https://a.example/1.mp3?a=b&c","mime_type":"audio/mpeg","size_in_bytes":12000000},"#
                + #"{"url":"file:///etc/passwd"},{"url":"http://a.example/2.pdf","title":"Notes"}]}"# + "\n")
        try await #require(home.run("seed", "cast.jsonl").status == 0)
        try home.write("open.sh", "echo \"$1\" > opened\n")
        let browser = ["BROWSER": "sh open.sh"]
        func opened() throws -> String { try String(contentsOfFile: home.path("opened"), encoding: .utf8) }

        let first = try await home.run("open", "/articles/cast", "--enclosure", environment: browser)
        #expect(first.status == 0 && first.output == "Opened https://a.example/1.mp3?a=b&c.\n", "\(first.error)")
        #expect(try opened() == "https://a.example/1.mp3?a=b&c\n")
        let second = try await home.run("open", "cast", "--enclosure=2", "--json", environment: browser)
        #expect(try second.object().string("url") == "http://a.example/2.pdf")
        #expect(try opened() == "http://a.example/2.pdf\n")

        let third = try await home.run("open", "cast", "--enclosure=3", environment: browser)
        #expect(third.status == 66 && third.error.contains("“Cast” has no enclosure 3"))
        #expect(third.error.contains("1  1.mp3 (audio/mpeg, 12.0 MB)") && third.error.contains("2  Notes"))
        let none = try await home.run("open", "article-1", "--enclosure", environment: browser)
        #expect(none.status == 66 && none.error.contains("has no enclosures"))
        #expect(try await home.run("open", "nope", "--enclosure", environment: browser).status == 66)
        #expect(try await home.run("open", "/account", "--enclosure", environment: browser).status == 64)
        #expect(try await home.run("open", "cast", "--enclosure=0", environment: browser).status == 64)
        #expect(try opened() == "http://a.example/2.pdf\n")
        let failed = try await home.run("open", "cast", "--enclosure", environment: ["BROWSER": "false"])
        #expect(failed.status == 69 && failed.error.contains("false could not open https://a.example/1.mp3"))
        let unset = try await home.run("open", "cast", "--enclosure")
        #expect(unset.status == 69 && unset.error.contains("set BROWSER"))
    }

    @Test("A date may be relative to now")
    func relativeDates() async throws {
        let home = try await Home.signedIn()
        try home.write("new.md", "---\\ntitle: New\\nslug: new\\n---\\nNew.\\n".replacing("\\n", with: "\n"))
        try await home.run("seed", "new.md")
        try await home.sql("UPDATE article SET published_at = unixepoch('now', '-1 hour') WHERE slug = 'new'")
        for since in ["2 days ago", "yesterday", "last week", "26h"] {
            #expect(
                try await home.run("list", "--since", since, "--format", "{slug}").lines.contains("new"), "\(since)")
        }
        #expect(try await home.run("list", "--until", "yesterday", "--tag", "all", "--all").lines.count == 60)
    }

    @Test(
        "Page after page shows every article once, in every order", arguments: ["newest", "oldest", "title"],
        [1, 7, 60])
    func pages(_ sort: String, _ limit: Int) async throws {
        let home = try await Home.signedIn()
        let items = limit == 1 ? Library.articles.filter { $0.language == "sv" } : Library.articles
        let filter = limit == 1 ? ["--language", "sv"] : []
        var slugs: [String] = []
        var cursor: String?
        repeat {
            let list = try await home.run(
                ["list", "--json", "--sort", sort, "-n", "\(limit)"] + filter + (cursor.map { ["--cursor", $0] } ?? [])
            ).object()
            #expect(list.integer("total") == items.count)
            let page = try list.objects("articles").compactMap { $0.string("slug") }
            #expect(page.count <= limit && !page.isEmpty)
            slugs += page
            cursor = list.string("next")
        } while cursor != nil && slugs.count <= items.count
        let newest = items.sorted(by: Self.newest)
        let expected: [Item] =
            switch sort {
            case "newest": newest
            case "oldest": newest.reversed()
            default: items.sorted { $0.title < $1.title }
            }
        if sort == "title" {
            #expect(Set(slugs) == Set(expected.map(\.slug)) && slugs.count == expected.count)
        } else {
            #expect(slugs == expected.map(\.slug))
        }
    }

    @Test("A cursor of another list is refused")
    func foreignCursor() async throws {
        let home = try await Home.signedIn()
        let cursor = try #require(try await home.run("list", "--json", "-n", "3").object().string("next"))
        for other in [["--sort", "title"], ["--tag", "swift"], ["--search", "swift"]] {
            let outcome = try await home.run(["list", "--cursor", cursor] + other)
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains("list --json"))
        }
    }

    @Test("An article is shown by number and by slug, piped as its source, and complete with --json")
    func show() async throws {
        let home = try await Home.signedIn()
        let bySlug = try await home.run("show", "article-7")
        #expect(bySlug.status == 0)
        #expect(bySlug.output.hasPrefix("---\ntitle: "))
        #expect(bySlug.output.hasSuffix("\n---\n\nBody of 7.\n\nMore *text*.\n"))
        let article = try await home.run("show", "article-7", "--json").object()
        #expect(
            article.keys == [
                "author", "authors", "base", "body", "extra", "format", "id", "key", "language", "marks",
                "published", "readingMinutes", "slug", "source", "sourceID", "sources", "summary", "tags", "title",
                "updated",
                "url",
            ])
        #expect(article.string("body") == "Body of 7.\n\nMore *text*.\n")
        #expect(article.string("published") == "2026-01-03T00:00:00Z")
        let number = try #require(article.integer("id"))
        #expect(try await home.run("cat", "\(number)").output == bySlug.output)
        #expect(try await home.run("open", "/articles/article-7").output == bySlug.output)

        let listed = try #require(try await home.run("list", "--json", "-n", "1").object().objects("articles").first)
        #expect(
            listed.keys == [
                "author", "authors", "id", "language", "marks", "published", "readingMinutes", "slug", "source",
                "summary",
                "tags",
                "title",
                "updated",
            ])
    }

    @Test("seed reads the JSON of show as the same article")
    func roundTrip() async throws {
        let home = try await Home.signedIn()
        try home.write("a.json", try await home.run("show", "article-7", "--json").output)
        #expect(try await home.run("seed", "a.json").output == "0 inserted, 0 updated, 1 unchanged, 0 rejected\n")
    }

    @Test(
        "A missing article exits with 66 and names the command for the list",
        arguments: ["nope", "999", "-", "", "../etc"])
    func unknown(_ reference: String) async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.run("show", "--", reference)
        #expect(outcome.status == 66)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.error.contains("“\(reference)”") && outcome.error.hasSuffix(" articlesctl list\n"))
        #expect(try await home.run("show", "--json", "--", reference).failure().integer("code") == 66)
    }

    @Test("For an unknown slug, tag, or author, similar ones are suggested")
    func suggestions() async throws {
        let home = try await Home.signedIn()
        for (typed, meant) in [
            ("Article-7", "“article-7”?"), ("artcle-33", "“article-33”"), ("axticle-12", "“article-12”"),
        ] {
            let outcome = try await home.run("show", typed)
            #expect(outcome.status == 66)
            #expect(outcome.error.contains("“\(typed)”\nDid you mean \(meant)"))
        }
        let tag = try await home.run("list", "--tag", "Swfit")
        #expect((tag.status, tag.output) == (66, ""))
        #expect(tag.error.contains("“swift”"))
        let author = try await home.run("search", "title", "--author", "Tomas Herera")
        #expect(author.error.contains("“Tomás Herrera”"))
        #expect(try await home.run("list", "--tag", "swift", "--until", "2000").status == 0)
    }

    @Test("A pipe gets the exact characters of an article, and neither a terminal's pager nor text gets controls")
    func controls() async throws {
        let home = try await Home.signedIn()
        let body = "a\u{1B}[2Jb \u{202E}c\u{9B}1m\n"
        try home.write(
            "hostile.md", "---\ntitle: Hostile\nslug: hostile\n---\n" + body + String(repeating: "- line\n", count: 60))
        try await #require(home.run("seed", "hostile.md").status == 0)
        let isHarmless = { (text: String) in
            text.unicodeScalars.allSatisfy { !["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }
        }
        let piped = try await home.run("show", "hostile").output
        #expect(piped.contains("a\u{1B}[2Jb \u{202E}c\u{9B}1m"))
        #expect(try await home.run("seed", "-", input: piped).output.contains("1 unchanged"))
        #expect(isHarmless(try await home.run("show", "hostile", "--format", "text").output))
        guard Screen.isAvailable else { return }
        try await Screen.open(in: home) { screen in
            for options in ["", " --format markdown", " --format html", " --json"] {
                try await screen.type(
                    "clear; NO_COLOR=1 PAGER='cat >seen' articlesctl show hostile\(options); echo ended: $?")
                try await screen.wait(for: "ended: 0")
                let seen = try await home.shell("cat seen").output
                #expect(seen.contains("line") && isHarmless(seen), "\(options)")
            }
        }
    }

    @Test("An unknown source, tag, author, or language is the same error in every command that takes it")
    func unknownNames() async throws {
        let home = try await Home.signedIn()
        let commands = [
            ["list"], ["list", "--json"], ["list", "--all"], ["search", "title"], ["export"], ["mark", "read"],
            ["mark", "read", "--dry-run"], ["star"], ["delete", "--dry-run"], ["delete", "--yes"],
        ]
        for option in ["--source", "--source-tag", "--tag", "--author", "--language"] {
            for command in commands {
                let outcome = try await home.run(command + [option, "nosuch"])
                #expect((outcome.status, outcome.output) == (66, ""), "\(command) \(option)")
                #expect(outcome.error.contains("“nosuch”"), "\(outcome.error)")
            }
        }
        let own = try await home.run("list", "--tag", "mine:nosuch")
        #expect(own.error.contains("articlesctl tags --mine\n"))
        try home.write("a.md", "---\ntitle: A\nlanguage: pt-BR\n---\nText.\n")
        try await home.run("seed", "a.md")
        let language = try await home.run("list", "--language", "pt")
        #expect(language.error.contains("“pt-BR”"))
        #expect(try await home.run("list", "--language", "pt-br").lines.count == 1)
        // Known names without a common article give an empty list.
        #expect(try await home.run("list", "--language", "pt-BR", "--tag", "swift").status == 0)
    }

    @Test("Any place is opened by its path")
    func open() async throws {
        let home = try await Home.signedIn()
        /// Returns the output without times, because a minute may pass between two commands.
        func output(_ arguments: [String]) async throws -> String {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 0)
            return outcome.output.replacing(/\d\d:\d\d(?::\d\d)?Z/, with: "TIME")
        }
        for (path, command) in [
            ("/articles", ["list"]), ("/", ["list", "--unread"]), ("articles/", ["list"]),
            ("/articles?tag=swift&limit=3", ["list", "--tag", "swift", "-n", "3"]),
            ("/articles?sort=title", ["list", "--sort", "title"]),
            ("/account", ["whoami"]), ("/account/sessions", ["sessions"]),
        ] {
            for format in [[], ["--json"]] {
                let opened = try await output(["open", path] + format)
                #expect(try await output(command + format) == opened)
            }
        }
        for path in ["/login", "/signup", "/account/password"] {
            #expect(try await home.run("open", path).status == 0)
            let json = try await home.run("open", path, "--json")
            #expect(json.status == 64)
            #expect(json.output.isEmpty)
            #expect(try json.failure().string("hint")?.contains("--json") == true)
        }
        let themes = try await home.run("open", "/appearance", "--json").object()
        #expect(themes.keys == ["rows", "title"])
        #expect((themes.members["rows"] as? [[String]])?.first?.first == "default")
        #expect(try await home.run("open", "/articles/nope").status == 66)
    }

    @Test("If the reader of a pipe closes it early, the program ends without a message")
    func closedPipe() async throws {
        let home = try await Home.signedIn()
        try home.write("bulk.jsonl", Library.lines(0..<1000))
        try await home.run("seed", "bulk.jsonl")
        let outcome = try await home.shell("{ articlesctl list -n 1000; echo $? >&2; } | head -1")
        #expect(outcome.lines.count == 1)
        #expect(outcome.error == "0\n")
        let closed = try await home.shell("{ articlesctl list -n 1000 --json; echo $? >&2; } | true")
        #expect(closed.error == "0\n")
    }

    @Test(
        "Output that cannot be written is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: ["list", "help", "list --json", "man"])
    func fullDevice(_ command: String) async throws {
        let outcome = try await Home.signedIn().shell("articlesctl \(command) >/dev/full")
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("No space left on device"))
    }

    @Test("Control characters of an article reach a pipe unchanged, and a table of tabs stays a table")
    func controlCharacters() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "a.jsonl", #"{"title":"Tab\there\u001b[31m","slug":"odd","body":"red \u001b[31m\n","date":"2030-01-01"}"#)
        try await home.run("seed", "a.jsonl")
        let line = try #require(try await home.run("list", "-n", "1").lines.first)
        #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == 6)
        #expect(try await home.run("show", "odd").output.hasSuffix("\n---\n\nred \u{1B}[31m\n"))
        #expect(try await home.run("show", "odd", "--json").object().string("title") == "Tab\there\u{1B}[31m")
    }
}
