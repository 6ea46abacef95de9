import Foundation
import Testing

@Suite("Importing articles")
struct SeedTests {
    @Test("Every format is imported, from files, folders of any depth, and standard input")
    func formats() async throws {
        let home = try await Home.migrated()
        try home.write("in/array.json", #"[{"title":"A1","body":"a"},{"title":"A2","body":"a"}]"#)
        try home.write("in/object.json", #"{"title":"O1","body":"a"}"#)
        try home.write("in/lines.jsonl", #"{"title":"L1","body":"a"}"# + "\n\n" + #"{"title":"L2","body":"b"}"# + "\n")
        try home.write("in/deep/er/yaml.md", "---\ntitle: Y1\ntags: [a, b]\ndate: 2016-2-9 9:05:00\n---\nBody.\n")
        try home.write("in/deep/toml.md", "+++\ntitle = \"T1\"\ndate = 2020-05-06\n+++\nBody.\n")
        try home.write("in/2015-12-03-plain.md", "# P1\n\nBody.\n")
        try home.write("in/page.html", "<h1>H1</h1><p>Body.</p>")
        try home.write("in/.hidden.md", "# Hidden\n")
        try home.write("in/picture.png", "no article")
        let report = try await home.run("seed", "in", "--json").object()
        #expect(
            report.keys == [
                "assumedDates", "drafts", "dryRun", "failure", "inserted", "interrupted", "joined", "kept", "leftOut",
                "notRead",
                "passedOver",
                "refused", "rejected", "removed", "renamed", "skipped", "sources", "subscribed", "unchanged", "updated",
                "waiting",
            ])
        #expect(report.integer("passedOver") == 2)
        #expect(report.integer("inserted") == 9)
        #expect(try report.objects("rejected").isEmpty)

        let input = #"{"title":"Stdin","body":"x"}"#
        #expect(try await home.seed("-", input: input) == [1, 0, 0, 0])
        #expect(try await home.run("seed", "-", "--format", "markdown", input: "# Text one\n\nBody.\n").status == 0)
        let titles = try await home.sql("SELECT title FROM article ORDER BY title").split(separator: "\n")
        #expect(titles.prefix(10) == ["A1", "A2", "H1", "L1", "L2", "O1", "P1", "Stdin", "T1", "Text one"])
        let dates = try await home.sql(
            "SELECT datetime(published_at, 'unixepoch') FROM article WHERE title IN ('Y1', 'T1', 'P1') ORDER BY title")
        #expect(dates == "2015-12-03 00:00:00\n2020-05-06 00:00:00\n2016-02-09 09:05:00")
    }

    @Test("The same again changes nothing, and a changed article is updated and keeps its number")
    func idempotence() async throws {
        let home = try await Home.migrated()
        let lines = Library.lines(Array(Library.articles.prefix(10)))
        try home.write("a.jsonl", lines)
        #expect(try await home.seed("a.jsonl") == [10, 0, 0, 0])
        let before = try await home.sql("SELECT id, slug FROM article")
        #expect(try await home.seed("a.jsonl") == [0, 0, 10, 0])
        try home.write("a.jsonl", lines.replacingOccurrences(of: "Body of 3.", with: "Another body."))
        #expect(try await home.seed("a.jsonl") == [0, 1, 9, 0])
        #expect(try await home.sql("SELECT id, slug FROM article") == before)
    }

    @Test("A dry run says what would happen and changes nothing")
    func dryRun() async throws {
        let home = try await Home.migrated()
        try home.write("a.jsonl", Library.lines(Library.articles))
        #expect(try await home.run("seed", "a.jsonl", "--dry-run").output.contains("60"))
        #expect(try await home.seed("a.jsonl", "--dry-run") == [60, 0, 0, 0])
        #expect(try await home.run("seed", "a.jsonl", "--dry-run", "--json").object().bool("dryRun") == true)
        #expect(try await home.sql("SELECT count(*) FROM article") == "0")
    }

    @Test("Drafts are skipped unless they are requested")
    func drafts() async throws {
        let home = try await Home.migrated()
        try home.write("a.md", "---\ntitle: Draft\ndraft: true\n---\nBody\n")
        let skipped = try await home.run("seed", "a.md", "--json").object()
        #expect((skipped.integer("inserted"), skipped.integer("skipped")) == (0, 1))
        #expect(try await home.seed("a.md", "--drafts") == [1, 0, 0, 0])
    }

    @Test("--author names the author of articles without one")
    func author() async throws {
        let home = try await Home.migrated()
        let lines = #"{"title":"One","body":"x"}"# + "\n" + #"{"title":"Two","body":"x","author":"Own"}"#
        try await home.run("seed", "-", "--author", "Given Name", input: lines)
        #expect(
            try await home.sql("SELECT authors FROM article ORDER BY title") == #"["Given Name"]"# + "\n" + #"["Own"]"#)
    }

    @Test("An invalid record is reported with its line, and the rest is imported")
    func rejection() async throws {
        let home = try await Home.migrated()
        let lines = #"{"title":"One","body":"x"}"# + "\n{\"title\": \n" + #"{"title":"Two","body":"x"}"# + "\n[1]\n"
        try home.write("a.jsonl", lines)
        let outcome = try await home.run("seed", "a.jsonl")
        #expect(outcome.status == 65)
        let errors = outcome.error.split(separator: "\n")
        #expect(errors.filter { $0.hasPrefix("a.jsonl:") }.count == 2)
        #expect(errors[0].hasPrefix("a.jsonl:2: "))
        #expect(errors[1].hasPrefix("a.jsonl:4: "))

        let json = try await home.run("seed", "a.jsonl", "--json")
        #expect(json.status == 65)
        #expect(try await home.sql("SELECT count(*) FROM article") == "2")
        #expect(try json.failure().integer("code") == 65)
        let rejected = try json.object().objects("rejected")
        #expect(rejected.map(\.keys) == [["line", "reason", "source"], ["line", "reason", "source"]])
        #expect(rejected.map { $0.integer("line") } == [2, 4])
        #expect(rejected.allSatisfy { $0.string("source") == "a.jsonl" })
    }

    @Test("Of many invalid records a person sees the first 20 and the number of others, and a program all")
    func manyRejections() async throws {
        let home = try await Home.migrated()
        try home.write("a.jsonl", String(repeating: "[]\n", count: 515))
        let outcome = try await home.run("seed", "a.jsonl")
        let errors = outcome.error.split(separator: "\n")
        #expect(errors.prefix(20).allSatisfy { $0.hasPrefix("a.jsonl:") })
        #expect(errors[20].contains("495") && errors[20].contains("--json"))
        #expect(try await home.run("seed", "a.jsonl", "--json").object().objects("rejected").count == 515)
    }

    @Test(
        "A feed with any name is imported, other XML is refused, and other files in a folder are counted")
    func otherKinds() async throws {
        let home = try await Home.migrated()
        func feed(_ title: String) -> String {
            "<rss version=\"2.0\"><channel><item><title>\(title)</title></item></channel></rss>"
        }
        for name in ["feed.xml", "feed", "notes.txt"] {
            try home.write("in/\(name)", feed(name))
            #expect(try await home.seed("in/\(name)") == [1, 0, 0, 0])
        }
        #expect(try await home.seed("-", input: feed("-")) == [1, 0, 0, 0])
        try home.write("in/map.xml", "<?xml version='1.0'?><urlset/>")
        let outcome = try await home.run("seed", "in/map.xml")
        #expect(outcome.status == 65)
        #expect(outcome.error.hasPrefix("in/map.xml:1: "))
        let latin = try await home.run("seed", "in/feed.xml", "--encoding", "x-none")
        #expect(latin.status == 64)
        #expect(latin.error.contains("x-none"))
        let folder = try await home.run("seed", "in", "--json", "--dry-run").object()
        #expect(folder.integer("passedOver") == 3)
    }

    @Test("--strict imports all or nothing")
    func strict() async throws {
        let home = try await Home.migrated()
        try home.write("good.jsonl", Library.lines(Library.articles))
        try home.write("wrong.jsonl", "{\n")
        let outcome = try await home.run("seed", "good.jsonl", "wrong.jsonl", "--strict")
        #expect(outcome.status == 65)
        #expect(outcome.error.hasPrefix("wrong.jsonl:1: "))
        #expect(outcome.error.contains("--strict"))
        let json = try await home.run("seed", "good.jsonl", "wrong.jsonl", "--strict", "--json")
        #expect(json.status == 65)
        #expect(try json.failure().integer("code") == 65)
        #expect(try json.object().integer("inserted") == 0)
        #expect(try await home.sql("SELECT count(*) FROM article") == "0")
        #expect(try await home.seed("good.jsonl", "--strict") == [60, 0, 0, 0])
    }

    @Test("With the option, each changed article is named, also by a dry run")
    func named() async throws {
        let home = try await Home.migrated()
        for name in ["a", "b", "c", "d", "e", "f"] { try home.write("blog/\(name).md", "# \(name)\n\nOf \(name).\n") }
        let first = try await home.run("seed", "blog", "-v")
        let inserted = first.error.split(separator: "\n").filter { $0.hasPrefix("inserted") }
        #expect(inserted.map { $0.suffix(4) } == ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"])
        #expect(inserted.first == "inserted  a  blog/a.md")
        try home.write("blog/a.md", "# New\n")
        try FileManager.default.moveItem(atPath: home.path("blog/b.md"), toPath: home.path("blog/x.md"))
        try await #require(home.shell("EDITOR='sed -i s/Of/By/' articlesctl edit c").status == 0)
        try home.write("blog/c.md", "# Theirs\n")
        try await #require(home.run("delete", "--yes", "d").status == 0)
        try FileManager.default.removeItem(atPath: home.path("blog/e.md"))
        try home.write("more.jsonl", #"{"title":"M","body":"x","date":"2020-01-01"}"#)
        let expected = [
            "updated  a  blog/a.md", "kept  c  blog/c.md", "left out  d  blog/d.md", "renamed  b  blog/x.md",
            "inserted  m  more.jsonl:1", "removed  e  blog: e.md",
        ]
        let dry = try await home.run("seed", "blog", "more.jsonl", "--mirror", "--dry-run", "--verbose")
        #expect(dry.error.split(separator: "\n").map { String($0) }.filter { expected.contains($0) } == expected)
        let run = try await home.run("seed", "blog", "more.jsonl", "--mirror", "--yes", "--verbose", "--json")
        let objects = try run.lines.dropLast().map(JSONObject.init)
        let described = objects.map { object in
            ["outcome", "article", "place"].map { object.string($0) ?? "" }.joined(separator: "  ")
        }
        #expect(described == expected.map { $0.replacing(".jsonl:1", with: ".jsonl") })
        #expect(objects.map { $0.integer("line") } == [nil, nil, nil, nil, 1, nil])
        #expect(try JSONObject(try #require(run.lines.last)).integer("renamed") == 1)
        #expect(try await home.run("seed", "blog", "--json").lines.count == 1)
    }

    @Test("A missing file is named before anything is read")
    func noInput() async throws {
        let home = try await Home.migrated()
        try home.write("a.md", "# A")
        let outcome = try await home.run("seed", "a.md", "b.md")
        #expect(outcome.status == 66)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("b.md"))
        #expect(try await home.run("seed", "b.md", "--json").failure().integer("code") == 66)
        #expect(try await home.sql("SELECT count(*) FROM article") == "0")
    }

    @Test(
        "Input that is not an article is refused with its reason",
        arguments: [
            ("a.md", Data([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]), "a.md:"),
            ("a.md", Data("# T\n\nhi \u{FF}".utf8.dropLast() + [0xFF, 0xFE]), "a.md:3: "),
            ("a.jsonl", Data(#"{"title":"A","body":"x""#.utf8), "a.jsonl:1: "),
            ("a.json", Data(#"[{"title":"A","body":"x"}"#.utf8), "a.json:"),
            ("a.md", Data("---\ntitle: [\n---\nBody".utf8), "a.md:"),
        ])
    func noArticle(_ name: String, _ content: Data, _ place: String) async throws {
        let home = try await Home.migrated()
        try home.write(name, content)
        let outcome = try await home.run("seed", name)
        #expect(outcome.status == 65)
        #expect(outcome.error.hasPrefix(place))
        // A truncated array yields the records before its end.
        #expect(try await home.sql("SELECT count(*) FROM article") == (name == "a.json" ? "1" : "0"))
        #expect(!outcome.error.contains("\0"))
    }

    @Test("A line of 50 MB is refused without being held in memory", .enabled(if: Program.find("time") != nil))
    func longLine() async throws {
        let home = try await Home.migrated()
        try await home.shell(
            """
            { printf '{"title":"Long","body":"'; head -c 50000000 /dev/zero | tr '\\0' x; printf '"}\\n'
            printf '{"title":"After","body":"y"}\\n'; } >long.jsonl
            """)
        let outcome = try await home.shell("env time -f '%M KB' articlesctl seed long.jsonl; rm long.jsonl")
        #expect(try await home.sql("SELECT title FROM article") == "After")
        let errors = outcome.error.split(separator: "\n")
        #expect(errors.first?.hasPrefix("long.jsonl:1: ") == true)
        let kilobytes = try #require(errors.last.flatMap { Int($0.dropLast(3)) })
        #expect(kilobytes < 120_000)
    }

    @Test(
        "A strict import or a dry run that waits for its input does not delay others",
        arguments: ["--strict", "--dry-run"])
    func slowInput(option: String) async throws {
        let home = try await Home.migrated()
        // More than a pipe holds: when it is written, most of it has been read.
        try home.write("bulk.jsonl", Library.lines(0..<3000))
        try home.write("other.md", "---\ndate: 2020-01-01\n---\n# Other\n")
        let outcome = try await home.shell(
            """
            mkfifo feed; mkdir tmp
            TMPDIR=$PWD/tmp articlesctl seed - $1 <feed >report & pid=$!
            exec 3>feed
            cat bulk.jsonl >&3
            articlesctl seed other.md --busy-timeout 0 || exit
            echo '{"title":"Last","body":"x","date":"2020-01-01"}' >&3
            exec 3>&-
            wait $pid && cat report && ls -A tmp
            """, option)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.lines.count == 2 && outcome.lines[1].contains("3001"))
        #expect(
            try await home.sql("SELECT count(*) FROM article") == (option == "--strict" ? "3002" : "1"))
    }

    @Test("Ctrl-C ends a strict import that waits for its input, and nothing is imported")
    func interruptWaiting() async throws {
        let home = try await Home.migrated()
        try home.write("bulk.jsonl", Library.lines(0..<3000))
        let outcome = try await home.shell(
            """
            mkfifo feed
            env --default-signal=INT articlesctl seed - --strict --json <feed & pid=$!
            exec 3>feed
            cat bulk.jsonl >&3
            kill -INT $pid
            wait $pid
            """)
        #expect(outcome.status == 130)
        #expect(try outcome.object().integer("inserted") == 0)
        #expect(try outcome.failure().integer("code") == 130)
        #expect(try await home.sql("SELECT count(*) FROM article") == "0")
    }

    @Test("An import that is interrupted before it inserts anything changes nothing")
    func interruptEmpty() async throws {
        let home = try await Home.migrated()
        // More than a pipe holds.
        try home.write("wrong.jsonl", String(repeating: "[]\n", count: 100_000))
        let outcome = try await home.shell(
            """
            mkfifo feed
            env --default-signal=INT articlesctl seed - --format jsonl --json <feed & pid=$!
            exec 3>feed
            cat wrong.jsonl >&3
            kill -INT $pid
            wait $pid
            """)
        #expect(outcome.status == 130)
        #expect(try outcome.failure().integer("code") == 130)
        #expect(try await home.sql("SELECT count(*) FROM source") == "0")
    }

    @Test("If a strict import cannot store its input until its end, it says where and what to do")
    func noTemporaryFolder() async throws {
        let home = try await Home.migrated()
        let outcome = try await home.shell("echo '# A' | TMPDIR=nowhere articlesctl seed - --strict")
        #expect(outcome.status == 73)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("nowhere") && outcome.error.contains("TMPDIR"))
        // A file need not be stored.
        #expect(try await home.shell("echo '# A' >a; TMPDIR=nowhere articlesctl seed - --strict <a").status == 0)
    }

    @Test(
        "Ctrl-C and SIGTERM keep the imported articles, say how many, and exit with 130 and 143",
        arguments: [("INT", 130), ("TERM", 143)])
    func interrupt(signal: String, code: Int) async throws {
        let home = try await Home.migrated()
        try home.write("bulk.jsonl", Library.lines(0..<Library.batch + 500))
        // The signal arrives while the program waits for more. A shell lets programs that are started with & ignore
        // SIGINT.
        let outcome = try await home.shell(
            """
            mkfifo feed
            env --default-signal=INT articlesctl seed - --json <feed & pid=$!
            exec 3>feed
            cat bulk.jsonl >&3
            while [ "$(sqlite3 "file:$1?mode=ro" 'SELECT count(*) FROM article')" -lt $2 ]; do sleep 0.02; done
            kill -$3 $pid
            wait $pid
            """, home.database, "\(Library.batch)", signal)
        #expect(outcome.status == Int32(code))
        let report = try outcome.object()
        #expect(report.bool("interrupted") == true)
        let inserted = try #require(report.integer("inserted"))
        #expect((Library.batch...Library.batch + 500).contains(inserted))
        #expect(try await home.sql("SELECT count(*) FROM article") == "\(inserted)")
        let failure = try outcome.failure()
        #expect(failure.integer("code") == code)
        #expect(failure.string("message")?.contains(" \(inserted) ") == true)
        #expect(failure.string("hint") != nil)
    }
}
