import Foundation
import Testing

@Suite("Help and usage errors")
struct UsageTests {
    static let commands = [
        ["migrate"], ["migrate", "status"], ["seed"], ["register"], ["login"], ["logout"], ["whoami"], ["passwd"],
        ["sessions"], ["sessions", "list"], ["sessions", "revoke"], ["list"], ["show"], ["open"], ["flow"],
        ["completions"], ["man"], ["help"], ["version"],
    ]

    @Test("help, --help, and -h show the same page of a command, on standard output", arguments: commands)
    func help(_ command: [String]) async throws {
        let home = try Home()
        let pages = [
            try await home.run(["help"] + command), try await home.run(command + ["--help"]),
            try await home.run(command + ["-h"]),
            // Before the command too.
            try await home.run(["--help"] + command),
        ]
        for page in pages {
            #expect(page.status == 0)
            #expect(page.error.isEmpty)
            #expect(page.output == pages[0].output)
        }
        #expect(pages[0].output.contains("USAGE\n  articlesctl " + command.joined(separator: " ")))
        #expect(pages[0].output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("The help names every command, every exit code, and the files", arguments: [["help"], ["--help"], ["-h"]])
    func rootHelp(_ arguments: [String]) async throws {
        let page = try await Home().run(arguments)
        #expect(page.status == 0)
        for command in Self.commands where command.count == 1 { #expect(page.output.contains("  \(command[0])")) }
        for code in [0, 64, 65, 66, 69, 70, 73, 74, 75, 77, 130, 143] { #expect(page.output.contains("\n  \(code) ")) }
        for name in ["ARTICLESCTL_DATABASE", "ARTICLESCTL_TOKEN", "NO_COLOR", "XDG_STATE_HOME", "PAGER"] {
            #expect(page.output.contains(name))
        }
    }

    @Test("No help page mentions a way to give a password as an argument", arguments: commands)
    func noPasswordOption(_ command: [String]) async throws {
        let page = try await Home().run(command + ["--help"])
        #expect(!page.output.contains("--password "))
        #expect(!page.output.contains("--password="))
    }

    @Test("The version is one line, and an object with --json")
    func version() async throws {
        let home = try Home()
        #expect(try await home.run("version").output.hasPrefix("articlesctl "))
        let short = try await home.run("--version").output
        let object = try await home.run("version", "--json").object()
        #expect(object.keys == ["schema", "sqlite", "version"])
        #expect(object.string("version").map { $0 + "\n" } == short)
        #expect(try #require(object.integer("schema")) > 10)
        #expect(try await home.run("-V").output == short)
        #expect(
            try await home.run("--version", "--json").object().members as NSDictionary == object.members as NSDictionary
        )
    }

    @Test(
        "An option for help prints it, whatever else is wrong",
        arguments: [
            ["list", "--bogus", "--help"], ["--bogus", "list", "-h"], ["list", "--tag", "--help"],
            ["list", "-h", "--limit", "none", "surplus"], ["list", "--json", "--json", "-h"],
            ["list", "--database=", "-h"],
        ])
    func helpWins(_ arguments: [String]) async throws {
        let home = try Home()
        let page = try await home.run(arguments)
        #expect(page.status == 0)
        #expect(page.error.isEmpty)
        #expect(page.output == (try await home.run("help", "list").output))
    }

    @Test("Options without a command are those of the reader, which needs a terminal")
    func optionsAlone() async throws {
        let home = try Home()
        for arguments in [[], ["--database", "x.db"], ["--no-input"], ["--color=never"]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains("USAGE\n  articlesctl [OPTION]..."))
        }
        let failure = try await home.run("--json").failure()
        #expect(failure.integer("code") == 64)
    }

    /// Wrong command lines, as arguments for a shell. `Golden/errors.txt` has their messages.
    static let misuses = [
        "lst",
        "regsiter",
        "-",
        "''",
        "list --tga x",
        "list -x",
        "list --tag",
        "list --tag --limit 3",
        "list --tag a --tag b",
        "list surplus",
        "list --limit 0",
        "list --limit 1001",
        "list -n ten",
        "list -n -1",
        "list -n-1",
        "list --all --limit 3",
        "search --all --sort relevance x",
        "list --format '{titel}'",
        "list --format '{title'",
        #"list --format '\q'"#,
        "list --format ''",
        "list -1",
        "list --database ''",
        "list --tag=",
        "list --tag mine:",
        "list --search ' '",
        "export --source ''",
        "list --unread --read",
        "list --since 2026-02 --until 2026-01",
        "list --since 2026-02 --until 2026-02",
        "list --sort newst",
        "list --since yestrday",
        "audit --until '7 days'",
        "add --title x --date someday --body -",
        "list --since yesterday --until 3d",
        "list --until 2026-13-01",
        "list --cursor zzz",
        "--limit 3 list",
        "--busy-timeout soon list",
        "--busy-timeout=-1 list",
        "--color sometimes list",
        "show",
        "show one two",
        "seed",
        "seed --format jso x",
        "open",
        "open /nowhere",
        "open '/articles?color=red'",
        "sessions revok",
        "sessions revoke",
        "migrate stat",
        "completions",
        "completions tcsh",
        "flow -f png",
        "help nothing",
        "config",
        "search '-garden soil'",
        "help lsit",
        "help users rol",
        "help usres role",
        "login ada --password=swordfish",
        "register ada -- --region",
    ]

    @Test("A wrong command line is a usage error, which shows no value of an unknown option", arguments: misuses)
    func misuse(_ arguments: String) async throws {
        let outcome = try await Home().shell("articlesctl \(arguments)")
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.hasPrefix("articlesctl: "))
        #expect(!outcome.error.contains("swordfish"))
    }

    @Test(
        "With --json a usage error is one object on standard error",
        arguments: [
            ["lst", "--json"], ["--json", "list", "--tga"], ["show", "--json"], ["list", "--json", "--json"],
            ["whoami", "--json=yes"], ["list", "--json=yes"], ["list", "--json", "id,"], ["list", "--json="],
            ["list", "--json", "--format", "{id}"],
        ])
    func jsonMisuse(_ arguments: [String]) async throws {
        let outcome = try await Home().run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        let failure = try outcome.failure()
        #expect(failure.integer("code") == 64)
        #expect(failure.string("hint")?.contains("--help") == true)
    }

    @Test("A control sequence in an argument does not reach the terminal")
    func controlSequence() async throws {
        let outcome = try await Home().run("\u{1B}[31mred\u{202E}")
        #expect(outcome.status == 64)
        #expect(!outcome.error.contains("\u{1B}"))
        #expect(!outcome.error.contains("\u{202E}"))
    }

    @Test("Without a home folder a hint names what to set")
    func noHome() async throws {
        let outcome = try await Home().run(
            "list", environment: ["HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "relative"])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("XDG_DATA_HOME"))
    }

    @Test("Options are accepted before and after the command, also as aliases and short forms")
    func optionPlaces() async throws {
        let home = try await Home.signedIn()
        let expected = try await home.run("list", "--json", "--limit", "2").output
        for arguments in [
            ["--json", "list", "--limit", "2"], ["ls", "-n2", "--json"], ["list", "-n", "2", "--json", "--"],
            ["--database", home.database, "list", "--limit=2", "--json"],
        ] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.output == expected)
        }
    }

    @Test("The graph is drawn as Mermaid and as Graphviz, with every place in it")
    func flow() async throws {
        let home = try Home()
        let mermaid = try await home.run("flow")
        #expect(mermaid.status == 0)
        #expect(mermaid.output.hasPrefix("flowchart "))
        #expect(try await home.run("flow", "--format", "mermaid").output == mermaid.output)
        let graphviz = try await home.run("flow", "-f", "graphviz")
        #expect(graphviz.output.hasPrefix("digraph"))
        for place in ["/welcome", "/login", "/signup/region", "/articles", "/account/sessions"] {
            #expect(mermaid.output.contains(place))
            #expect(graphviz.output.contains(place))
        }
    }

    @Test("With --json the graph is data, whatever the format")
    func flowJSON() async throws {
        let home = try Home()
        let outcome = try await home.run("flow", "--json")
        let graph = try outcome.object()
        #expect(graph.keys == ["screens", "ways"])
        let screens = try graph.objects("screens")
        let login = screens.first { $0.string("name") == "/login" }
        #expect(login?.string("flow") == "login")
        let places = Set(screens.compactMap { $0.string("name") })
        let ways = try graph.objects("ways")
        #expect(ways.allSatisfy { $0.keys == ["event", "from", "to"] })
        #expect(
            !ways.isEmpty
                && places.isSuperset(of: ways.flatMap { [$0.string("from"), $0.string("to")] }.compactMap(\.self)))
        #expect(try await home.run("flow", "--json", "-f", "graphviz").output == outcome.output)
    }

    @Test("The completions are scripts that the shell accepts", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let home = try Home()
        let script = try await home.run("completions", shell)
        #expect(script.status == 0)
        for command in ["migrate", "seed", "sessions", "revoke"] { #expect(script.output.contains(command)) }
        guard Program.find(shell) != nil else { return }
        try home.write("script", script.output)
        let check = try await home.shell("\(shell) -n script")
        #expect(check.status == 0)
        #expect(check.error.isEmpty)
    }

    @Test("The manual page names every command")
    func manual() async throws {
        let page = try await Home().run("man")
        #expect(page.status == 0)
        #expect(page.output.hasPrefix(".TH \"ARTICLESCTL\" \"1\""))
        for command in Self.commands where command.count == 1 { #expect(page.output.contains(command[0])) }
    }
}
