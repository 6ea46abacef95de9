import Foundation
import Testing

@Suite("Marks on the command line")
struct MarkTests {
    private func slugs(_ home: Home, _ options: String...) async throws -> [String] {
        let list = try await home.run(["list", "--json"] + options)
        try #require(list.status == 0, "\(list.error)")
        return try list.object().objects("articles").compactMap { $0.string("slug") }
    }

    private func marks(_ home: Home, _ slug: String) async throws -> JSONObject {
        try await home.run("show", slug, "--json").object().object("marks")
    }

    @Test("Articles are marked by number, slug, and the options of list, and found by their marks")
    func marking() async throws {
        let home = try await Home.signedIn()
        let starred = try await home.run("star", "article-1", "3")
        #expect(starred.status == 0)
        #expect(try await slugs(home, "--starred", "--sort", "oldest") == ["article-1", "article-2"])
        #expect(try await home.run("unstar", "--starred", "--tag", "swift", "--json").object().integer("changed") == 1)
        #expect(try await slugs(home, "--starred") == ["article-1"])
        #expect(try await home.run("star", "article-1", "--json").object().integer("changed") == 0)

        let read = try await home.run("mark", "read", "--tag", "swift", "--json")
        #expect(try read.object().integer("changed") == 30)
        #expect(try await home.run("list", "--unread", "--json").object().integer("total") == 30)
        #expect(try await home.run("list", "--unread", "--tag", "SQLite", "--json").object().integer("total") == 6)
        #expect(try await home.run("mark", "unread", "article-0").status == 0)
        #expect(try await slugs(home, "--unread", "--tag", "swift") == ["article-0"])
        #expect(try await home.run("mark", "read", "--all", "--json").object().integer("changed") == 31)
        #expect(try await slugs(home, "--unread").isEmpty)
        try home.write("more.jsonl", Library.lines(0..<1))
        try #require(try await home.run("seed", "more.jsonl").status == 0)
        #expect(try await slugs(home, "--unread") == ["bulk-0"])

        #expect(
            try await home.shell("echo article-42 | articlesctl mark later -").status == 0)
        #expect(try await slugs(home, "--later") == ["article-42"])
        #expect(try await home.run("mark", "not-later", "--all", "--json").object().integer("changed") == 1)
        #expect(try await slugs(home, "--later").isEmpty)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("Searches are saved, listed, used by other commands, renamed, and removed")
    func savedSearches() async throws {
        let home = try await Home.signedIn()
        let empty = try await home.run("searches")
        #expect(empty.status == 0 && empty.output.isEmpty && empty.error.contains("searches save NAME"))
        let saved = try await home.run("searches", "save", "Swift, old", "--tag", "swift", "--sort", "oldest")
        #expect(saved.status == 64 && saved.error.contains("without commas"))
        #expect(try await home.run("searches", "save", "Everything").status == 64)
        #expect(
            try await home.run("searches", "save", "Old Swift", "--tag", "swift", "--sort", "oldest").output
                == "Saved “Old Swift”. List its articles with: articlesctl list --saved 'Old Swift'\n")
        #expect(try await home.run("searches", "save", "Recent", "--search", "body after:7d", "--unread").status == 0)
        let lines = try await home.run("searches").lines
        #expect(lines.first == "Old Swift\t30\ttagged swift, oldest first")
        #expect(lines.last?.hasPrefix("Recent\t0\tmatching “body”, since 20") == true)
        let listed = try await home.run("searches", "list", "--json").object().objects("searches")
        #expect(listed.compactMap { $0.string("name") } == ["Old Swift", "Recent"])
        #expect(try listed[1].object("filters").string("search") == "body after:7d")
        #expect(try await slugs(home, "--saved", "old swift") == slugs(home, "--tag", "swift", "--sort", "oldest"))
        #expect(try await slugs(home, "--saved", "Old Swift", "--sort", "newest") == slugs(home, "--tag", "swift"))
        #expect(try await slugs(home, "--saved", "Recent").isEmpty)
        #expect(try await home.run("star", "--saved", "Old Swift", "--json").object().integer("changed") == 30)
        #expect(try await home.run("export", "--saved", "Old Swift").lines.count == 31)
        let unknown = try await home.run("list", "--saved", "None")
        #expect(unknown.status == 66 && unknown.error.contains("articlesctl searches"))
        #expect(try await home.run("searches", "rename", "recent", "old swift").status != 0)
        #expect(try await home.run("searches", "rename", "recent", "This week").status == 0)
        let completed = try await home.run("complete-names", "saved-search", "th")
        #expect(completed.lines == ["This week"])
        let account = try await home.run("account", "export").object().objects("savedSearches")
        #expect(account.compactMap { $0.string("name") } == ["Old Swift", "This week"])
        #expect(try await home.run("searches", "remove", "old swift", "none").status == 66)
        #expect(try await home.run("searches", "rm", "old swift", "This week").status == 0)
        #expect(try await home.run("searches").output.isEmpty)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("Rules are tried, saved, listed, applied to new articles, and removed")
    func rules() async throws {
        let home = try await Home.signedIn()
        let empty = try await home.run("rules")
        #expect(empty.status == 0 && empty.output.isEmpty && empty.error.contains("rules save NAME"))
        let trial = try await home.run("rules", "try", "--search", "tag:swift", "--last", "7")
        #expect(trial.status == 0 && trial.error.contains("of the last 7 articles"))
        let tagged = try await slugs(home, "--tag", "swift", "--limit", "7")
        #expect(Set(trial.lines.map { String($0.prefix { $0 != "\t" }) }).isSubset(of: tagged))
        #expect(
            try await home.run("rules", "try", "--last", "5", "--json", "--pattern", "title:.").object().integer("met")
                == 5)
        for wrong in [
            ["save", "Ads"], ["save", "Ads", "--hide"], ["save", "Ads", "--search", "ad"], ["try"],
            ["try", "Ads", "--search", "ad"], ["save", "a,b", "--search", "ad", "--hide"],
            ["try", "--last", "0", "--search", "ad"],
        ] { #expect(try await home.run(["rules"] + wrong).status != 0, "\(wrong)") }
        let invalid = try await home.run("rules", "save", "Ads", "--pattern", "title:(ad", "--hide")
        #expect(invalid.status == 65 && invalid.error.contains("missing closing parenthesis"))
        let line = ["save", "Ads", "--pattern", "title:^ad\\b", "--address", "example.org", "--hide", "--tag", "ads"]
        #expect(try await home.run(["rules"] + line).status == 0)
        #expect(
            try await home.run("rules").lines == [
                "Ads\thide, tag:ads\twith “example.org” in the address, with the pattern title:^ad\\b"
            ])
        let name = try await home.run("rules", "try", "Ads", "--json").object()
        #expect(name.integer("met") == 0)
        #expect(try await home.run("complete-names", "rule", "a").lines == ["Ads"])
        #expect(
            try await home.run("account", "export").object().objects("rules").compactMap { $0.string("name") } == [
                "Ads"
            ])

        // The import of articles applies the rules.
        let new = try home.write(
            "new.json",
            #"[{"title": "Ad: buy", "body": "B.", "url": "https://Example.org/1"}, {"title": "Add", "body": "B.", "url": "https://example.org/2"}]"#
        )
        #expect(try await home.run("seed", new).status == 0)
        #expect(try await slugs(home, "--hidden") == ["ad-buy"])
        #expect(try await slugs(home, "--search", "title:ad OR title:add") == ["add"])
        #expect(try await home.run("show", "ad-buy", "--json").object().object("marks").bool("read") == true)
        #expect(try await slugs(home, "--tag", "mine:ads").isEmpty)
        #expect(try await slugs(home, "--tag", "mine:ads", "--search", "is:hidden") == ["ad-buy"])
        #expect(try await home.run("mark", "not-hidden", "ad-buy").status == 0)
        #expect(try await slugs(home, "--tag", "mine:ads") == ["ad-buy"])
        #expect(try await home.run("rules", "remove", "ads", "none").status == 66)
        #expect(try await home.run("rules", "rm", "ads").status == 0)
        #expect(try await home.run("rules").output.isEmpty)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("Searches and exports use the marks of the signed-in user, and delete ignores marks")
    func choosing() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("star", "article-1", "3").status == 0)
        #expect(try await slugs(home, "--search", "is:starred", "--sort", "oldest") == ["article-1", "article-2"])
        #expect(try await slugs(home, "--search", "is:unread -is:starred", "--tag", "sqlite").count == 12)
        let found = try await home.run("search", "--starred", "--json", "--", "body", "-is:starred")
        #expect(try found.object().objects("articles").isEmpty)
        #expect(try await home.run("star", "--search", "is:read", "--json").object().integer("changed") == 0)
        for options in [["--starred"], ["--search", "is:starred"]] {
            let export = try await home.run(["export"] + options)
            #expect(export.lines.count == 3, "\(options)")
        }
        for options in [["--search", "is:unread"], ["--tag", "mine:x"], ["--starred"]] {
            let refused = try await home.run(["delete", "--yes"] + options)
            #expect(refused.status == 64, "\(options)")
        }
        #expect(try await home.run("list", "--json").object().integer("total") == 60)
    }

    @Test("Tags and notes are private, and stay until they are removed")
    func words() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("tag", "For the talk", "1", "2").status == 0)
        #expect(try await slugs(home, "--tag", "mine:for the TALK", "--sort", "oldest") == ["article-0", "article-1"])
        let shared = try await home.run("list", "--tag", "for the talk")
        #expect((shared.status, shared.error.contains("“mine:For the talk”")) == (66, true))
        #expect(try await home.run("note", "article-1", "Send it – to Grace.").status == 0)
        #expect(try await home.run("note", "article-1").output == "Send it – to Grace.\n")
        #expect(try await slugs(home, "--noted") == ["article-1"])
        let marks = try await marks(home, "article-1")
        #expect(marks.strings("tags") == ["For the talk"])
        #expect(marks.string("note") == "Send it – to Grace.")
        #expect(marks.bool("read") == false)
        let file = try await home.run("show", "article-1").output
        #expect(!file.contains("Grace."), "what seed reads is the article alone")
        #expect(try await home.run("note", "article-1", "-", input: "One\nTwo\n").status == 0)
        #expect(try await home.run("note", "article-1", "--json").object().string("note") == "One\nTwo")
        let long = try await home.run("note", "article-1", "-", input: String(repeating: "a", count: 16 << 20 | 1))
        #expect(long.status == 65 && long.error.contains("16 MiB"))
        #expect(try await home.run("note", "article-1", "--remove", "--json").object().integer("changed") == 1)
        let none = try await home.run("note", "article-1")
        #expect((none.output, none.status) == ("", 0))
        #expect(
            try await home.run("tag", "--remove", "for the talk", "--all", "--json").object().integer("changed") == 2)
        #expect(try await home.run("list", "--tag", "mine:for the talk").status == 66)
    }

    @Test("A dry run counts the articles and changes nothing, and a script is not asked")
    func dryRun() async throws {
        let home = try await Home.signedIn()
        let dry = try await home.run("star", "--tag", "swift", "--dry-run")
        #expect(dry.lines.count == 7)
        #expect(dry.lines.last?.contains("30") == true)
        let named = try await home.run("mark", "read", "1", "2", "--dry-run", "--json").object()
        #expect((named.integer("matching"), named.integer("changed"), named.bool("dryRun")) == (2, 0, true))
        #expect(try await home.run("star", "--search", "is:starred", "--dry-run").lines.count == 1)
        #expect(try await home.sql("SELECT count(*) FROM article_mark") == "0")
        try home.write("more.jsonl", Library.lines(0..<60))
        try #require(try await home.run("seed", "more.jsonl").status == 0)
        #expect(try await home.run("star", "--all", "--json").object().integer("changed") == 120)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl unstar --all; echo ended: $?")
            try await screen.wait(for: "Change 120 articles? [y/N]")
            try await screen.type("n")
            try await screen.wait(for: "nothing was changed")
            try await screen.type("articlesctl unstar --all --yes; echo ended: $?")
            try await screen.wait(for: "Removed the star from 120 articles.")
        }
    }

    @Test("A similar name is suggested")
    func hints() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("tag", "work", "1").status == 0)
        // The name that the message must contain. `Golden/errors.txt` has the messages.
        let cases: [(arguments: [String], status: Int32, name: String)] = [
            (["star", "Article-5"], 66, "“article-5”"), (["star", "artikle-5", "article-60x"], 66, "“article-5”"),
            (["note", "artcle-5", "x"], 66, "“article-5”"), (["delete", "-y", "artcle-5"], 66, "“article-5”"),
            (["edit", "artcle-5"], 66, "“article-5”"), (["star", "1,2"], 66, "1 2 3"), (["star", "#1"], 66, "1 2 3"),
            (["mark", "starred", "1"], 64, "'articlesctl star'"), (["tag", "5", "swift"], 66, "tag TAG ARTICLE"),
            (["tag", "5", "7"], 0, "--remove"), (["list", "-a", "Herrera"], 66, "“Tomás Herrera”"),
            (["list", "-t", "Work"], 66, "“mine:work”"), (["list", "-t", "zzz"], 66, "articlesctl tags"),
            (["star", "-a", "Herrera"], 66, "“Tomás Herrera”"), (["export", "-a", "Herrera"], 66, "“Tomás Herrera”"),
            (["search", "-a", "Mei Okafor"], 64, "list"), (["search", "body", "NOT", "text"], 0, "-word"),
            (["open", "/articles?read=yes&unread=yes"], 64, "unread"), (["open", "/articles?author="], 64, "author"),
            (["open", "/articles?unread=no"], 64, "unread=yes"), (["open", "/articles?limit=0"], 64, "limit=0"),
        ]
        for (arguments, status, name) in cases {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == status, "\(arguments)")
            #expect(outcome.error.contains(name), "\(arguments): \(outcome.error)")
        }
    }

    @Test("Lines of list name the articles, and a note needs no quotation marks")
    func lines() async throws {
        let home = try await Home.signedIn()
        let piped = try await home.shell("articlesctl list --tag sqlite | articlesctl star -")
        #expect(piped.status == 0)
        #expect(try await slugs(home, "--starred").count == 12)
        #expect(try await home.run("note", "1", "Send", "it", "to", "Grace.").status == 0)
        #expect(try await home.run("note", "1").output == "Send it to Grace.\n")
    }

    @Test("A search accepts relative dates")
    func relativeDates() async throws {
        let home = try await Home.signedIn()
        let day = try await home.shell("date -u -d '40 days ago' +%F").lines[0]
        try home.write(
            "more.jsonl", #"{"title":"New","slug":"new","date":"\#(day)","body":"B"}"# + "\n")
        try #require(try await home.run("seed", "more.jsonl").status == 0)
        #expect(try await home.run("search", "after:41 days ago").lines.count == 1)
        #expect(try await slugs(home, "--search", "new after:last week").isEmpty)
        #expect(try await slugs(home, "--search", "before:39d after:'7 weeks ago'") == ["new"])
    }

    private static let mistakes: [(command: [String], status: Int32)] = [
        (["mark", "read"], 64), (["mark", "wrong", "--all"], 64), (["star", "1", "--all"], 64),
        (["star", "1", "--tag", "swift"], 64), (["star", "--unread", "--all"], 64), (["tag", "a,b", "1"], 64),
        (["star", "1", "none"], 66), (["star", "--source", "none"], 66), (["note", "none", "x"], 66),
        (["note", "1", " "], 65), (["list", "--read", "--unread"], 64), (["note", "1", "x", "--remove"], 64),
    ]

    @Test("Impossible marks are reported, and nothing is marked", arguments: mistakes)
    func refused(command: [String], status: Int32) async throws {
        let home = try await Home.signedIn()
        let refused = try await home.run(command)
        #expect(refused.status == status)
        #expect(refused.output.isEmpty)
        #expect(try await home.sql("SELECT count(*) FROM article_mark") == "0")
    }

    @Test("Without a login there are no marks, and a read token changes none")
    func access() async throws {
        let home = try await Home.signedIn()
        let reading = try #require(try await home.run("tokens", "create", "r").lines.first)
        let writing = try #require(try await home.run("tokens", "create", "w", "--scope", "write").lines.first)
        let refused = try await home.shell("ARTICLESCTL_TOKEN=\(reading) articlesctl star 1 --no-input")
        #expect(refused.status == 77)
        #expect(try await home.shell("ARTICLESCTL_TOKEN=\(writing) articlesctl star 1").status == 0)
        #expect(try await home.shell("ARTICLESCTL_TOKEN=\(reading) articlesctl list --starred").lines.count == 1)
        #expect(try await home.shell("ARTICLESCTL_TOKEN= articlesctl star 1 --no-input").status == 77)
        // Another user does not see the marks.
        try #require(try await home.register("eve").status == 0)
        try #require(
            try await home.run(
                "login", "eve", "--password-stdin", input: Home.password + "\n", environment: ["ARTICLESCTL_TOKEN": ""]
            ).status == 0)
        let starred = try await home.shell("ARTICLESCTL_TOKEN= articlesctl list --starred")
        #expect((starred.output, starred.status) == ("", 0))
    }

    @Test("Marks stay after an import, an edit, and a rename, and are in the export of the account")
    func survival() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("star", "article-1").status == 0)
        try #require(try await home.run("tag", "kept", "article-1").status == 0)
        try #require(try await home.run("mark", "read", "article-1").status == 0)
        try home.write("articles.jsonl", Library.lines(Library.articles).replacingOccurrences(of: "Body", with: "Text"))
        try #require(try await home.run("seed", "articles.jsonl").status == 0)
        try #require(try await home.shell("EDITOR='sed -i s/Text/Words/' articlesctl edit article-1").status == 0)
        let source = try #require(
            try await home.run("sources", "--json").object().objects("sources").first?.string("name"))
        try #require(try await home.run("sources", "rename", source, "blog").status == 0)
        let marks = try await marks(home, "article-1")
        #expect(marks.bool("starred") == true && marks.bool("read") == true && marks.strings("tags") == ["kept"])
        try #require(
            try await home.run(
                "login", "ada", "--password-stdin", input: Home.password + "\n", environment: ["ARTICLESCTL_TOKEN": ""]
            ).status == 0)
        let export = try await home.shell("ARTICLESCTL_TOKEN= articlesctl account export").object()
        let marked = try export.objects("marks")
        #expect(marked.map { $0.string("slug") } == ["article-1"])
        #expect(try marked.first?.object("starred").bool("value") == true)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("Marks are in an export if requested, and seed imports them if requested", arguments: ["jsonl", "markdown"])
    func travel(format: String) async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("star", "article-1").status == 0)
        try #require(try await home.run("tag", "For the talk", "article-1").status == 0)
        try #require(try await home.run("note", "article-2", "Send it:\n– to Grace.").status == 0)
        try #require(try await home.run("mark", "later", "article-2").status == 0)
        try #require(try await home.run("mark", "read", "--tag", "sqlite").status == 0)
        #expect(try await home.run("export", "--format", format, "--output", "plain").status == 0)
        #expect(try await home.run("export", "--format", format, "--output", "marked", "--marks").status == 0)
        #expect(try await home.shell("grep -rl Grace plain").output == "")
        #expect(try await home.run("seed", "marked").output == "0 inserted, 0 updated, 60 unchanged, 0 rejected\n")

        let other = try await Home.migrated()
        let there = try await home.shell("cp -R marked \(other.path("marked"))")
        try #require(there.status == 0)
        #expect(try await other.run("seed", "--marks", "--no-input", "marked").status == 77)
        try #require(try await other.run("seed", "marked").status == 0)
        #expect(try await other.sql("SELECT count(*) FROM article_body WHERE extra <> '{}'") == "0")
        #expect(try await other.sql("SELECT count(*) FROM article_mark") == "0")
        try #require(try await other.register("eve").status == 0)
        try #require(try await other.logIn("eve").status == 0)
        #expect(
            try await other.run("seed", "--marks", "marked").output
                == "0 inserted, 0 updated, 60 unchanged, 0 rejected; marked 14 articles\n")
        for slug in ["article-0", "article-1", "article-2", "article-3"] {
            let shown = [try await home.run("show", slug, "--json"), try await other.run("show", slug, "--json")]
            let marks = shown.map { $0.output.components(separatedBy: #""marks":"#).last }
            #expect(marks[0] == marks[1], "\(slug)")
        }
        #expect(try await other.run("seed", "--marks", "--json", "marked").object().integer("marked") == 0)
        // The later change stays.
        try #require(try await other.run("unstar", "article-1").status == 0)
        #expect(try await other.run("seed", "--marks", "--json", "marked").object().integer("marked") == 0)
        #expect(try await slugs(other, "--starred").isEmpty)
        #expect(try await other.run("doctor").status == 0)
        #expect(try await home.run("export", "--marks", "--format", "atom").status == 64)
    }

    @Test("Invalid marks in an export are counted, and a note does not command the terminal")
    func wrongMarks() async throws {
        let home = try await Home.signedIn()
        let tags = (0...100).map { "\"tag \($0)\"" }.joined(separator: ",")
        try home.write(
            "marks.jsonl",
            #"""
            {"sourceID": "0123456789abcdef0123456789abcdef", "source": "s", "key": "x", "slug": "x", "title": "X", "body": "x", \#
            "published": "2026-01-01", "marks": {"starred": "yes", "read": 1, "place": 7, \#
            "note": "a\u001b[2Jb\tc\nd", "tags": [\#(tags)]}}

            """#)
        let seed = try await home.run("seed", "--marks", "marks.jsonl")
        #expect(seed.status == 0)
        #expect(seed.error.split(separator: "\n").map { $0.prefix(2) } == ["2 ", "1 "])
        #expect(try await home.run("note", "x").output == "a␛[2Jb\tc\nd\n")
        #expect(try await home.run("note", "x", "--json").object().string("note") == "a\u{1B}[2Jb\tc\nd")
        let tag = try await home.run("tag", "another", "x")
        #expect(tag.status == 65)
        #expect(tag.error.contains("100"))
        #expect(try await home.run("seed", "--marks", "--json", "marks.jsonl").object().integer("marksLeftOut") == 3)
    }

    @Test("A tag over the limit is refused, and nothing is marked")
    func ownTagBound() async throws {
        let home = try await Home.signedIn()
        let lines = (0...10).map { number in
            let tags = number < 10 ? (0..<100).map { "\"tag \(number) \($0)\"" }.joined(separator: ",") : ""
            return #"""
                {"sourceID": "0123456789abcdef0123456789abcdef", "source": "s", "key": "x\#(number)", "slug": "x\#(number)", \#
                "title": "X", "body": "x", "published": "2026-01-01", "marks": {"tags": [\#(tags)]}}

                """#
        }
        try home.write("marks.jsonl", lines.joined())
        try #require(try await home.run("seed", "--marks", "marks.jsonl").status == 0)
        let tag = try await home.run("tag", "another", "x10")
        #expect(tag.status == 65)
        #expect(tag.error.contains("1000"))
        #expect(try await home.run("tag", "tag 0 0", "x10").status == 0)
    }

    @Test("stats prints the size of the library and the reading, at a terminal with bars")
    func statistics() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("mark", "read", "--tag", "sqlite").status == 0)
        let stats = try await home.run("stats").object()
        #expect((stats.integer("articles"), stats.integer("unread")) == (60, 48))
        #expect(try stats.objects("months").map { $0.string("month") } == ["2026-01"])
        #expect(try stats.objects("authors").map { $0.integer("articles") } == [30, 15, 15])
        let weeks = try stats.objects("weeks")
        #expect(weeks.map { $0.integer("read") } == [12])
        #expect(try await home.shell("date -d \(weeks[0].string("monday") ?? "") +%u").output == "1\n")
        let drawn = try await home.run("sources", "--json").object().objects("sources")
        #expect(drawn.map { $0.integer("unread") } == [48])
        let nobody = try await home.shell("ARTICLESCTL_TOKEN= articlesctl sources --json").object().objects("sources")
        #expect(nobody.first?.isNull("unread") == true)
        #expect(try await home.shell("ARTICLESCTL_TOKEN= articlesctl stats --no-input").status == 77)
    }

    @Test("Tags and authors are listed with their numbers of articles and of unread ones")
    func labels() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("mark", "read", "--tag", "sqlite").status == 0)
        #expect(try await home.run("tags").output == "all\t60\t48\nSQLite\t12\t0\nswift\t30\t24\n")
        let authors = try await home.run("authors", "--json").object().objects("authors")
        #expect(authors.map { $0.string("name") } == ["Ada Lindqvist", "Mei Okafor", "Tomás Herrera"])
        #expect(authors.map { $0.integer("articles") } == [30, 15, 15])
        #expect(authors.compactMap { $0.integer("unread") }.reduce(0, +) == 48)
        #expect(try await home.run("tags", "--mine").output == "")
        try #require(try await home.run("tag", "Z", "1", "2").status == 0)
        try #require(try await home.run("tag", "a", "1").status == 0)
        #expect(try await home.run("tags", "--mine").output == "a\t1\nZ\t2\n")
        #expect(try await home.shell("ARTICLESCTL_TOKEN= articlesctl tags --no-input").status == 77)
    }
}
