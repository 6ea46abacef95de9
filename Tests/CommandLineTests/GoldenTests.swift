import Arguments
import Foundation
import TestSupport
import Testing

@testable import articlesctl
@testable import articlesd

@Suite("Golden files")
struct GoldenTests {
    /// A command line whose output is a golden file.
    struct Run: Sendable, CustomTestStringConvertible {
        let file: GoldenFile
        let program: String
        let arguments: [String]
        var testDescription: String { file.name }

        init(_ name: String, program: String = "articlesctl", _ arguments: String...) {
            self.init(GoldenFile(name), program: program, arguments)
        }

        init(_ file: GoldenFile, program: String, _ arguments: [String]) {
            (self.file, self.program, self.arguments) = (file, program, arguments)
        }
    }

    /// The help of each program and of each of its commands. A new command is in its table, and needs a file.
    static let helpPages: [Run] = [CommandTable.root, ServerTable.spec].flatMap { root in
        root.chains.map { chain in
            let names = chain.map(\.name)
            let file = GoldenFile("help/\(names.joined(separator: "-")).txt")
            return Run(file, program: root.name, names.dropFirst() + ["--help"])
        }
    }

    static let otherPages = [
        Run("manual/articlesctl.1", "man"), Run("manual/articlesd.8", program: "articlesd", "man"),
        Run("flow/mermaid.txt", "flow"), Run("flow/graphviz.txt", "flow", "--format", "graphviz"),
        Run("flow/flow.json", "flow", "--json"),
    ]

    /// Commands on the library of `Examples/articles`.
    static let libraryRuns = [
        Run("library/list.txt", "list"), Run("library/list.json", "list", "--limit", "3", "--json"),
        Run("library/list-one-author.txt", "list", "--author", "Mei Okafor", "--sort", "oldest"),
        Run("library/search.txt", "search", "write lock"), Run("library/search.json", "search", "write lock", "--json"),
        Run("library/show-markdown.txt", "show", "sessions"), Run("library/show.json", "show", "sessions", "--json"),
        Run("library/show.txt", "show", "sessions", "--format", "text", "--width", "80"),
        Run("library/show.html", "show", "sessions", "--format", "html"),
        Run("library/authors.txt", "authors"), Run("library/tags.txt", "tags"),
        Run("library/stats.json", "stats", "--json"),
    ]

    @Test("The help of every command equals its golden file", arguments: helpPages)
    func help(_ run: Run) async throws { try await check(run, in: Home()) }

    @Test("The manual pages and the graph of screens equal their golden files", arguments: otherPages)
    func page(_ run: Run) async throws { try await check(run, in: Home()) }

    @Test("Commands print their golden files for the sample library")
    func library() async throws {
        let home = try await Home.migrated()
        let samples = URL(filePath: #filePath).appending(path: "../../../Examples/articles").standardizedFileURL
        try FileManager.default.copyItem(atPath: samples.path, toPath: home.path("articles"))
        for arguments in [["seed", "articles"], ["index"]] {
            try await #require(home.run(arguments).status == 0)
        }
        try await #require(home.register("ada").status == 0)
        try await #require(home.logIn("ada").status == 0)
        for run in Self.libraryRuns { try await check(run, in: home) }
    }

    /// Ordinary commands, in the order in which they run on the library of `Library.articles`.
    static let tour = [
        "star article-1 3", "star article-1", "unstar article-1", "mark read --tag swift", "mark later article-42",
        "mark not-later --all", "mark unread article-0", "tag 'For the talk' 1 2", "tag --remove 'For the talk' 1",
        "note article-1 Send it to Grace.", "note article-1", "note article-1 --remove", "star --tag swift --dry-run",
        "star --search is:starred --dry-run", "star --search nowhere", "star --all", "list --search NOTE --limit 2",
        "list --search nowhere", "list --starred --limit 2", "search title --limit 2", "search body NOT text --limit 1",
        "delete article-1 --dry-run", "delete --tag swift --dry-run", "delete article-1 --yes",
        "delete --search=-title --yes", "seed --source articles.jsonl articles.jsonl",
        "seed --source articles.jsonl --discard-edits articles.jsonl",
        "add --title New --date 2026-02-01 --body body.txt", "sources rename articles.jsonl Blog",
        "sources tag 'To read' Blog", "sources tag 'to read' Blog", "sources tag --remove none Blog",
        "sources rename Blog Blog", "sources remove Blog --dry-run", "sources remove Blog --yes", "sources",
        "config check", "migrate", "register bob --region SE --password-stdin --no-login <password",
        "users role bob editor", "users role bob editor", "users rename bob bobby", "users rename bobby bobby",
        "audit --event secondFactorAdded", "users sessions bobby", "users logout bobby",
        "users disable bobby", "users enable bobby", "users remove-second-factor bobby", "users registration closed",
        "register eve --region SE --password-stdin <password", "users registration invitation",
        "register eve --region SE --password-stdin <password", "users delete bobby --yes", "account second-factor",
        "account second-factor off --password-stdin <password", "backup copy.db", "backup copy.db",
        "backup copy.db --keep 2", "restore copy.db --dry-run", "restore copy.db", "recover copy.db new.db",
        "recover copy.db new.db", "login ada --password-stdin <password", "logout",
    ]

    /// Wrong uses of commands on the library of `Library.articles`.
    static let errors = [
        "list --tag Swfit", "list --tag nosuch", "list --tag mine:nosuch", "list --language english",
        "list --source nosuch", "list --source Artcles.jsonl", "search title --author 'Tomas Herera'",
        "list --author Herrera", "show nowhere", "show article-5x", "star Article-5", "star artikle-5 article-60x",
        "star 1,2", "star '#1'", "star", "star 1 --all", "note artcle-5 x", "note 1 ' '", "note 1 x --remove",
        "mark read", "mark starred 1", "tag 5 swift", "tag 5", "tag a,b 1", "search -sqlite",
        "search -a 'Mei Okafor'",
        "open '/articles?read=yes&unread=yes'", "open '/articles?author='", "open '/articles?unread=no'",
        "open /login --json", "delete nix", "delete -y a b c d e f g", "delete --source nix", "delete article-1",
        "delete --yes --starred", "edit artcle-5", "sources show nix", "sources rename nix x",
        "sources rename articles.jsonl ' '", "sources remove articles.jsonl", "sources remove --yes nosuch",
        "seed --source ' ' articles.jsonl", "seed nowhere.jsonl", "export --author Herrera",
        "sessions revoke 0123456789abcdef", "users disable eve", "users role ada reader", "restore nowhere.db",
        "--database nowhere.db list", "backup data/articlesctl/articles.db",
    ]

    @Test("Ordinary commands print the messages of their golden file")
    func ordinary() async throws {
        let library = try await Home.signedIn()
        try library.write("articles.jsonl", Library.lines(Library.articles))
        try library.write("body.txt", "Text.\n")
        try library.write("password", Home.password + "\n")
        try await GoldenFile("tour.txt").check(transcript(of: Self.tour, in: library))
    }

    @Test("Wrong uses print the messages of their golden file")
    func wrong() async throws {
        let misuses = try await transcript(of: UsageTests.misuses, in: Home())
        let library = try await Home.signedIn()
        try await GoldenFile("errors.txt").check(misuses + transcript(of: Self.errors, in: library))
    }

    /// Scripts that make a file or an input unusable, and then run a command on it. Each has its own library.
    static let failures: [String] = databaseFailures + fileFailures + editFailures

    private static let databaseFailures: [String] = WrongDatabaseTests.wrong.map {
        "\($0.script); articlesctl list --database x.db"
    }

    /// The last fault adds a line that this article has already.
    private static let editFailures: [String] = EditingTests.faults.dropLast().map {
        #"TMPDIR=. EDITOR="sed -i -e '\#($0.command)'" articlesctl edit article-1"#
    }

    private static let fileFailures: [String] = [
        "articlesctl list --database 'my own.db'", "articlesctl migrate --database no/where.db",
        "rm data/articlesctl/*; articlesctl doctor",
        "cd data/articlesctl; ln articles.db other.db; articlesctl list",
        "cd data/articlesctl; rm -f articles.db-wal; mkdir articles.db-wal; articlesctl seed ../../post.md",
        "cd data/articlesctl; truncate -s 0 articles.db; echo x >articles.db-wal; articlesctl list",
        "cd data/articlesctl; sqlite3 articles.db \"UPDATE user SET region = '??'\"; articlesctl whoami",
        "chmod 666 data/articlesctl/articles.db; articlesctl list --limit 1",
        "mkdir -p state/articlesctl; chmod 777 state/articlesctl; unset ARTICLESCTL_TOKEN; articlesctl whoami",
        "flock data/articlesctl/articles.db-lock articlesctl seed post.md --busy-timeout 0",
        "articlesctl restore none.db --yes", "articlesctl restore . --yes", "articlesctl restore post.md --yes",
        "articlesctl restore data/articlesctl/articles.db --yes", "articlesctl recover none.db new.db",
        "articlesctl recover post.md new.db",
        "sqlite3 data/articlesctl/articles.db \"UPDATE schema_migration SET checksum = '0' WHERE version = 1\"; articlesctl list",
        "sqlite3 data/articlesctl/articles.db 'PRAGMA user_version = 15; DELETE FROM schema_migration WHERE version = 16'; articlesctl list",
        "articlesctl doctor", "sqlite3 data/articlesctl/articles.db <faults.sql; articlesctl doctor --repair",
        "sqlite3 data/articlesctl/articles.db <wrong.sql; articlesctl doctor; articlesctl doctor --repair",
        "articlesctl sources tag new articles.jsonl >/dev/full",
        "printf '[1]\\n' >a.jsonl; articlesctl seed a.jsonl", "articlesctl seed post.md --encoding x-none",
        "printf '[1]\\n' >a.jsonl; articlesctl seed post.md a.jsonl --strict",
        "echo '<urlset/>' >map.xml; articlesctl seed map.xml", "printf '\\0' >a.md; articlesctl seed a.md",
        "printf '# T\\n\\n\\377' >a.md; articlesctl seed a.md", "echo '{}' | TMPDIR=no articlesctl seed - --strict",
        "printf -- '---\\ndraft: true\\n---\\nText.\\n' >a.md; articlesctl seed a.md",
        "articlesctl seed post.md --base-url example.org", "articlesctl seed --source a post.md post.md",
        "mkdir b; cp post.md b; articlesctl seed b; rm b/*; articlesctl seed b --mirror --yes",
        "mkdir -p a/b; cp post.md a/b; articlesctl seed a/b; articlesctl seed a --dry-run",
        "TMPDIR=. EDITOR=true articlesctl edit article-1", "TMPDIR=. EDITOR=false articlesctl edit article-1",
        "TMPDIR=. EDITOR=no/editor articlesctl edit article-1", "articlesctl edit article-1",
    ]

    @Test(
        "Failures of files and inputs print the messages of their golden file",
        .enabled(if: Program.find("sqlite3") != nil && Program.find("flock") != nil))
    func failing() async throws {
        var transcript = ""
        for script in Self.failures {
            let home = try await Home.signedIn()
            try home.write("post.md", "---\npublished: 2026-02-01\n---\n# Post\n")
            try home.write(
                "faults.sql",
                """
                UPDATE source_size SET articles = articles + 1;
                DELETE FROM label_by_title WHERE article_id = 8;
                UPDATE article_body SET checksum = NULL WHERE article_id = 9;
                INSERT INTO session VALUES ('ghost', zeroblob(32), 99, 'x', 1, 1, 1, '', 1);
                UPDATE article SET id = 1000 WHERE id = 10;
                """)
            try home.write(
                "wrong.sql",
                """
                DROP INDEX article_by_title;
                CREATE INDEX own ON article (updated_at);
                CREATE TRIGGER spy AFTER INSERT ON user BEGIN SELECT 1; END;
                INSERT INTO article_note SELECT id, 777, 'mine', 1 FROM user LIMIT 1;
                UPDATE article SET summary = 'other' WHERE id = 8;
                INSERT INTO audit (at, event, client) VALUES (4102444800, 'x', 'x');
                """)
            transcript += try await entry(script, in: home)
        }
        try GoldenFile("failures.txt").check(transcript)
    }

    /// Returns each command line with its output, its messages, and its exit code.
    private func transcript(of commands: [String], in home: Home) async throws -> String {
        var transcript = ""
        for command in commands { transcript += try await entry("articlesctl \(command)", in: home) }
        return transcript
    }

    /// Returns a script with its output, its messages, and its exit code.
    private func entry(_ script: String, in home: Home) async throws -> String {
        let outcome = try await home.shell("{ \(script); } 2>&1 </dev/null", environment: ["TZ": "UTC"])
        var output = outcome.output.replacingOccurrences(of: home.folder.path, with: "HOME")
        output.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, with: "TIME")
        output.replace(/--cursor [^\s;]+/, with: "--cursor CURSOR")
        output.replace(/[^ ]+\/articlesctl-\w+/, with: "TEMPORARY")
        output.replace(/[\d.]+ kB/, with: "SIZE kB")
        output.replace(/: \d+ rows?\n/, with: ": ROWS\n")
        output.replace(/\b[0-9a-f]{32}\b/, with: "SOURCE-ID")
        // A search has a time limit, which a busy machine can reach.
        output.replace(/The search stopped early: .*\n.*\n/, with: "")
        // The libraries of other machines have other faults.
        output.replace(/note: SQLite .*\n.*\n/, with: "")
        return "$ \(script)\n\(output)exit code \(outcome.status)\n\n"
    }

    @Test("Every golden file has a test")
    func stale() throws {
        let runs = (Self.helpPages + Self.otherPages + Self.libraryRuns).map(\.file)
        try GoldenFile.checkNoOthers(
            than: Set(runs + ["errors.txt", "failures.txt", "screens.txt", "tour.txt"].map(GoldenFile.init(_:))))
    }

    @Test("A difference shows the changed lines with two lines of context")
    func difference() {
        let expected = (1...20).map(String.init)
        var actual = expected
        actual[3] = "four"
        actual.insert("new", at: 12)
        #expect(
            lineDifference(expected: expected.joined(separator: "\n"), actual: actual.joined(separator: "\n")) == """
                  …
                  2
                  3
                - 4
                + four
                  5
                  6
                  …
                  11
                  12
                + new
                  13
                  14
                """)
    }

    private func check(_ run: Run, in home: Home) async throws {
        let outcome = try await home.run(program: run.program, run.arguments, environment: ["TZ": "UTC"])
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
        var output = outcome.output
        // A source gets a random ID, and the manual pages name the version.
        output.replace(/"[0-9a-f]{32}"/, with: "\"SOURCE-ID\"")
        output.replace(ProgramVersion.number, with: "VERSION")
        output.replace(ProgramVersion.date, with: "DATE")
        if run.file.name.hasSuffix(".json") {
            var layout = JSONLayout()
            output = layout.add(output) + "\n"
        }
        try run.file.check(output)
    }
}
