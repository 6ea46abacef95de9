import Foundation
import Testing

@Suite("Sources")
struct SourcesTests {
    /// Returns a home with a folder of three posts and a broken file, and two articles of a stream called notes.
    private func imported() async throws -> Home {
        let home = try await Home.migrated()
        for name in ["a", "b", "c"] { try home.write("blog/\(name).md", "# Post \(name)\n\nBody.\n") }
        try home.write("blog/broken.json", "{")
        #expect(try await home.run("seed", "blog").status == 65)
        let lines = #"{"title":"N1","body":"x"}"# + "\n" + #"{"title":"N2","body":"x"}"#
        #expect(try await home.run("seed", "--source", "notes", "-", input: lines).status == 0)
        return home
    }

    @Test("Sources are listed by name with the result of their last import, without a log-in")
    func list() async throws {
        let home = try await imported()
        let outcome = try await home.run("sources")
        let rows = outcome.lines.map { $0.components(separatedBy: "\t") }
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(
            rows.map { [$0[0], $0[1], $0[2], $0[4], $0[5]] } == [
                ["blog", "folder", "3", "1", home.path("blog")], ["notes", "stream", "2", "0", ""],
            ])
        #expect(rows.allSatisfy { $0[3].wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil })
        #expect(try await home.run("sources", "list").output == outcome.output)
        let sources = try await home.run("sources", "--json").object().objects("sources")
        #expect(
            sources.map(\.keys)
                == Array(
                    repeating: [
                        "articles", "baseURL", "feedURL", "icon", "id", "kind", "lastImport", "location", "name",
                        "problemCount", "problems", "subscription", "tags", "unread",
                    ], count: 2))
        #expect(sources.map { $0.integer("articles") } == [3, 2])
        #expect(sources[1].isNull("location"))
        let empty = try await Home.migrated().run("sources")
        #expect((empty.status, empty.output) == (0, ""))
        #expect(!empty.error.isEmpty)
    }

    @Test("A source shows the hub that announces its articles, and no output contains the secrets")
    func hub() async throws {
        let home = try await imported()
        _ = try await home.sql(
            """
            INSERT INTO subscription (source_id, address, state, next_fetch_at, failures, skipped_hours, skipped_days,
                latest, hub_address, hub_topic)
            SELECT id, 'https://example.org/feed', 'active', 2000000000, 0, 0, 0, '[]', 'https://hub.example/hub',
                'https://example.org/feed'
            FROM source WHERE name = 'blog';
            INSERT INTO hub_subscription (token, source_id, hub, topic, secret, state, lease_end_at, next_attempt_at,
                attempts, problem)
            SELECT 'secret-token', source_id, hub_address, hub_topic, 'secret-key', 'asking', 1900000000, 0, 1, 'slow'
            FROM subscription;
            """)
        let shown = try await home.run("sources", "show", "blog")
        #expect(shown.lines.contains("announced by\thub.example until 2030-03-17T17:46:40Z (slow)"))
        let subscription = try await home.run("sources", "show", "blog", "--json").object().object("subscription")
        let push = try subscription.object("push")
        #expect(push.string("hub") == "hub.example" && push.string("until") == "2030-03-17T17:46:40Z")
        #expect(push.string("problem") == "slow" && push.keys == ["hub", "problem", "until"])
        for arguments in [
            ["sources", "show", "blog"], ["sources", "--json"], ["export", "--format", "opml"],
            ["export", "--format", "jsonl"],
        ] {
            #expect(try await !home.run(arguments).output.contains("secret"), "\(arguments)")
        }
    }

    @Test("A source shows the problems of its last import")
    func show() async throws {
        let home = try await imported()
        let outcome = try await home.run("sources", "show", "BLOG")
        #expect(
            outcome.lines.filter { !$0.hasPrefix("last import\t") } == [
                "name\tblog", "kind\tfolder", "articles\t3", "place\t\(home.path("blog"))", "problems\t1",
                outcome.lines.last ?? "",
            ])
        #expect(outcome.lines.last?.hasPrefix("problem\tblog/broken.json:1: ") == true)
        let object = try await home.run("sources", "show", "blog", "--json").object()
        #expect(object.strings("problems")?.count == 1)
        let missing = try await home.run("sources", "show", "nix")
        #expect((missing.status, missing.output) == (66, ""))
        #expect(missing.error.contains("“nix”"))
    }

    @Test("A list can be limited to a source, and an unknown source is an error")
    func listed() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("list", "--source", "ARTICLES.jsonl", "--limit", "3").lines.count == 3)
        let missing = try await home.run("list", "--source", "nix")
        #expect((missing.status, missing.output) == (66, ""))
        #expect(
            missing.error.contains("“nix”") && missing.error.contains("articlesctl sources\n"))
        let none = try await home.run("list", "--source", "articles.jsonl", "--tag", "nix")
        #expect((none.status, none.output) == (66, ""))
        #expect(
            none.error.contains("“nix”") && none.error.contains("articlesctl tags\n"))
        let path = try await home.run("open", "/articles?source=articles.jsonl&limit=2", "--json").object()
        #expect(try path.objects("articles").map { $0.string("source") } == ["articles.jsonl", "articles.jsonl"])
    }

    @Test(
        "A misspelled source is an error that suggests a similar name",
        arguments: [
            ["list", "--source"], ["export", "--source"], ["delete", "--dry-run", "--source"], ["sources", "show"],
            ["sources", "remove", "--dry-run"],
        ])
    func misspelled(command: [String]) async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.run(command + ["Artcles.jsonl"])
        #expect((outcome.status, outcome.output) == (66, ""))
        #expect(outcome.error.contains("“articles.jsonl”"))
        let control = try await home.run("seed", "--source", "\u{1B}[31mx", "nix.md")
        #expect(control.status == 64)
        #expect(!control.error.contains("\u{1B}"))
    }

    @Test("A source keeps the base address of links until it is removed")
    func baseURL() async throws {
        let home = try await imported()
        try FileManager.default.removeItem(atPath: home.path("blog/broken.json"))
        try await #require(home.run("seed", "--base-url", "https://x.example/", "blog").status == 0)
        #expect(try await home.run("seed", "blog").status == 0)
        #expect(try await home.run("sources", "show", "blog").lines.contains("base url\thttps://x.example/"))
        try await #require(home.run("seed", "--base-url", "", "blog").status == 0)
        #expect(try await home.run("sources", "show", "blog", "--json").object().isNull("baseURL"))
    }

    @Test("A renamed source stays the same when its folder is imported again")
    func rename() async throws {
        let home = try await imported()
        #expect(try await home.run("sources", "rename", "blog", "News").status == 0)
        #expect(try await home.run("seed", "blog", "--json").object().strings("sources") == ["News"])
        #expect(try await home.run("sources", "--json").object().objects("sources").count == 2)
        let taken = try await home.run("sources", "rename", "notes", "NEWS", "--json")
        #expect(taken.status == 65)
        #expect(try taken.failure().string("message")?.contains("“News”") == true)
        #expect(try await home.run("sources", "rename", "nix", "x").status == 66)
        #expect(try await home.run("sources", "rename", "notes", " ").status == 65)
    }

    @Test("Sources are tagged, listed by a tag, and exported with their tags")
    func tags() async throws {
        let home = try await imported()
        let tagged = try await home.run("sources", "tag", "To read", "blog", "NOTES")
        #expect(tagged.status == 0)
        #expect(try await home.run("sources", "tag", "Notes", "notes").status == 0)
        #expect(try await home.run("sources", "show", "notes").lines.contains("tags\tNotes, To read"))
        #expect(try await home.run("sources", "show", "blog", "--json").object().strings("tags") == ["To read"])
        _ = try await home.run("seed", "blog")
        try await home.register("ada")
        try await home.logIn("ada")
        func count(_ tag: String) async throws -> Int {
            try await home.run("list", "--source-tag", tag, "--json").object().objects("articles").count
        }
        let (all, notes) = (try await count("to read"), try await count("notes"))
        #expect(all > notes && notes > 0)
        #expect(try await home.run("list", "--source-tag", "none").status == 66)
        let taken = try await home.run("sources", "tag", "--remove", "to READ", "notes", "--json").object()
        #expect(try taken.objects("sources").map { $0.strings("tags") } == [["Notes"]])
        #expect(try await count("to read") == all - notes)
        for (arguments, status) in [(["x", "blog", "nix"], Int32(66)), (["a,b", "blog"], 64), (["x"], 64)] {
            #expect(try await home.run(["sources", "tag"] + arguments).status == status)
        }
        #expect(try await home.run("sources", "show", "blog", "--json").object().strings("tags") == ["To read"])

        try await #require(home.run("export", "--format", "jsonl", "--output", "library.jsonl").status == 0)
        let other = try Home()
        try await #require(other.run("migrate").status == 0)
        let library = try String(contentsOfFile: home.path("library.jsonl"), encoding: .utf8)
        try await #require(other.run("seed", other.write("library.jsonl", library)).status == 0)
        #expect(try await other.run("sources", "show", "notes", "--json").object().strings("tags") == ["Notes"])
    }

    @Test("A change of a source that changes nothing is not recorded")
    func unchanged() async throws {
        let home = try await imported()
        func recorded() async throws -> Int {
            try await home.run("audit", "--event", "libraryChanged", "--json").object().objects("events").count
        }
        #expect(try await home.run("sources", "tag", "News", "blog").status == 0)
        let before = try await recorded()
        #expect(before > 0)
        for arguments in [["tag", "News", "blog"], ["tag", "--remove", "none", "blog"], ["rename", "blog", "blog"]] {
            let outcome = try await home.run(["sources"] + arguments)
            #expect(outcome.status == 0 && !outcome.output.contains("Added") && !outcome.output.contains("Removed"))
        }
        #expect(try await recorded() == before)
        // Of two sources, one changes.
        #expect(try await home.run("sources", "tag", "News", "blog", "notes").output.contains("“blog”") == false)
        #expect(try await recorded() == before + 1)
        // Another spelling is a change.
        #expect(try await home.run("sources", "rename", "blog", "Blog").status == 0)
        #expect(try await recorded() == before + 2)
    }

    @Test(
        "A source that changes during its import keeps the changes",
        arguments: [("sources tag Mid pipe", "pipe\tMid"), ("sources rename pipe piped", "piped\t")])
    func meanwhile(change: String, outcome: String) async throws {
        let home = try await Home.migrated()
        try await home.run("seed", "--source", "other", "-", input: #"{"key":"o","title":"O","body":"x"}"#)
        // The first batch is written before the rest arrives.
        let script = #"""
            (
                text=$(printf '%0400d' 0)
                seq 1 3000 | sed "s/.*/{\"key\":\"&\",\"title\":\"T &\",\"body\":\"$text\"}/"
                n=0; until articlesctl sources | grep -q ^pipe || [ $n = 500 ]; do n=$((n + 1)); done
                { articlesctl \#(change); } >&2 || echo failed >&2
                echo '{"key":"last","title":"Last","body":"x"}'
            ) | articlesctl seed --source pipe -
            echo "status $?"
            """#
        let seeded = try await home.shell(script)
        #expect(seeded.lines.contains("status 0") && !seeded.error.contains("failed"), "\(seeded.error)")
        let told = try await home.run("sources", "--json").object().objects("sources")
        let sources = told.map { "\($0.string("name") ?? "")\t\(($0.strings("tags") ?? []).joined(separator: ","))" }
        #expect(sources == ["other\t", outcome])
    }

    @Test("Sources are removed with their articles after a yes, all named sources or none")
    func remove() async throws {
        let home = try await imported()
        let dry = try await home.run("sources", "remove", "blog", "notes", "--dry-run")
        #expect(dry.status == 0)
        #expect(dry.output.contains("“blog”") && dry.output.contains("“notes”") && dry.output.contains("5"))
        let unasked = try await home.run("sources", "remove", "blog")
        #expect(unasked.status == 64)
        #expect(unasked.error.contains("--yes"))
        let unknown = try await home.run("sources", "remove", "nosuch")
        #expect(unknown.status == 66 && unknown.error.contains("“nosuch”"))
        #expect(try await home.run("sources", "remove", "--yes", "blog", "nix").status == 66)
        #expect(try await home.sql("SELECT count(*) FROM article") == "5")
        let object = try await home.run("sources", "rm", "-y", "Blog", "blog", "--json").object()
        #expect(try object.objects("removed").map { $0.integer("articles") } == [3])
        #expect(try await home.sql("SELECT count(*) FROM article") == "2")
        #expect(try await home.run("seed", "blog").output.hasPrefix("3 inserted"))
    }
}
