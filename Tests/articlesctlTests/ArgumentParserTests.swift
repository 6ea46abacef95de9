import Arguments
import TestSupport
import Testing
import Text

@testable import articlesctl

@Suite("Parsing a command line")
struct ArgumentParserTests {
    private func run(_ line: String) throws -> ParsedCommand {
        guard case .run(let command) = try exampleCommands.parse(line.split(separator: " ").map(String.init)) else {
            throw Unexpected()
        }
        return command
    }

    private struct Unexpected: Error {}

    private func problem(_ line: String) -> UsageError.Problem? {
        do {
            _ = try exampleCommands.parse(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return error.problem
        }
    }

    @Test(
        "An option's value is found in every form of writing it",
        arguments: [
            "list --author Ann", "list --author=Ann", "list -a Ann", "list -aAnn", "list -raAnn", "list -ra Ann",
            "--json list -ja Ann".replacing("-ja", with: "-a"), "ls --author Ann",
        ])
    func valueForms(line: String) throws {
        let command = try run(line)
        #expect(command.path == ["list"])
        #expect(command.value("author") == "Ann")
    }

    @Test(
        "Options of the root are accepted before and after the command",
        arguments: ["-d x --json list", "list --json -dx", "list -jd x"])
    func globalOptions(line: String) throws {
        let command = try run(line)
        #expect(command.flag("json"))
        #expect(command.value("database") == "x")
        #expect(!command.flag("reverse"))
    }

    @Test("A default applies if an option is left out, and an empty value is a value")
    func defaults() throws {
        #expect(try run("list").value("limit") == "50")
        #expect(try run("list").values("limit") == [])
        #expect(try run("list").value("author") == nil)
        #expect(try run("list --author=").value("author") == "")
        #expect(try run("list --author=a=b").value("author") == "a=b")
    }

    @Test("A repeatable option keeps all its values in order")
    func repeated() throws {
        #expect(try run("list -t b --tag a -tc").values("tag") == ["b", "a", "c"])
    }

    @Test("After -- everything is an argument, and - always is one")
    func terminator() throws {
        #expect(try run("seed - a -- --json --").arguments("PATH") == ["-", "a", "--json", "--"])
        #expect(try run("seed --json -").flag("json"))
        #expect(try run("show -- list").argument("ARTICLE") == "list")
    }

    @Test("A command with subcommands can also be run by itself")
    func nested() throws {
        #expect(try run("sessions").path == ["sessions"])
        let revoke = try run("sessions --json revoke 7")
        #expect(revoke.path == ["sessions", "revoke"])
        #expect(revoke.argument("SESSION") == "7")
    }

    @Test("Help and version are recognized in any place")
    func help() throws {
        #expect(try exampleCommands.parse(["--help"]) == .help(path: []))
        #expect(try exampleCommands.parse(["-h", "sessions", "revoke"]) == .help(path: ["sessions", "revoke"]))
        #expect(try exampleCommands.parse(["ls", "-jh"]) == .help(path: ["list"]))
        for line in [["--version"], ["-V"], ["-jV"], ["list", "--version"]] {
            guard case .version(let parsed) = try exampleCommands.parse(line) else { throw Unexpected() }
            #expect(parsed.flag("json") == line.contains("-jV"))
        }
        #expect(try exampleCommands.parse(["show", "--", "--help"]) != .help(path: ["show"]))
    }

    @Test(
        "Help wins over every mistake on the line, for the command as far as it is understood",
        arguments: [
            ("lsit --help", []), ("lsit list -h", []), ("--bogus list -h", ["list"]),
            ("list --author --help", ["list"]), ("list -n 1 -n 2 x --help", ["list"]),
            ("sessions revok -h", ["sessions"]),
            ("show -h", ["show"]), ("--version --help", []),
        ])
    func helpWins(line: String, path: [String]) throws {
        #expect(try exampleCommands.parse(line.split(separator: " ").map(String.init)) == .help(path: path))
    }

    @Test("A word of a hyphen and a digit is a value or an argument, because no option has that name")
    func negativeNumbers() throws {
        #expect(try run("list -n -1").value("limit") == "-1")
        #expect(try run("show -7").argument("ARTICLE") == "-7")
        #expect(problem("list --author -a") == .optionAsValue(of: "--author", value: "-a"))
    }

    @Test("An option with an optional value takes the next word only if that can be nothing else")
    func optionalValues() throws {
        var table = exampleCommands
        let wide = OptionSpec(name: "json", short: "j", summary: "x", value: "FIELDS", isValueOptional: true)
        for index in [0, 2] { table.subcommands[index].options.append(wide) }
        #expect(table.mistakes().isEmpty)
        func json(_ words: String...) throws -> [String]? {
            guard case .run(let parsed) = try table.parse(words) else { throw Unexpected() }
            return parsed.values("json")
        }
        #expect(try json("list", "--json", "a,b") == ["a,b"])
        #expect(try json("list", "--json=a") == ["a"])
        #expect(try json("list", "-ja") == ["a"])
        #expect(try json("list", "--json", "-r") == [""])
        #expect(try json("--json", "list") == [""])
        #expect(try json("show", "--json", "a") == [""])
        #expect(throws: UsageError.self) { try json("list", "--json=") }
        #expect(throws: UsageError.self) { try json("seed", "--json=a", "x") }
        guard case .run(let parsed) = try table.parse(["show", "-j", "--", "-it's"]) else { throw Unexpected() }
        #expect(parsed.line(with: "color", "never") == "shelf show --json --color never -- '-it'\\''s'")
    }

    @Test("A command that works alone runs with options and nothing else")
    func alone() throws {
        var table = exampleCommands
        table.worksAlone = true
        guard case .run(let parsed) = try table.parse(["--database", "x"]) else { throw Unexpected() }
        #expect(parsed.path.isEmpty && parsed.value("database") == "x")
        #expect(throws: UsageError.self) { try table.parse(["lsit"]) }
    }

    @Test(
        "Each wrong use has its own error",
        arguments: [
            ("", .missingCommand),
            ("lsit", .unknownCommand("lsit")),
            ("sessions revok", .unknownCommand("revok")),
            ("list --jsno", .unknownOption("--jsno")),
            ("list -x", .unknownOption("-x")),
            ("list -jx", .unknownOption("-x")),
            ("list ---", .unknownOption("---")),
            ("--author Ann list", .misplacedOption("--author", command: "list")),
            ("-a Ann list", .misplacedOption("-a", command: "list")),
            ("--json list -j", .repeatedOption("--json")),
            ("list -n 1 --limit=2", .repeatedOption("--limit")),
            ("list --author", .missingValue(of: "--author", name: "NAME")),
            ("list --author --json", .optionAsValue(of: "--author", value: "--json")),
            ("list -a", .missingValue(of: "--author", name: "NAME")),
            ("list --json=yes", .unexpectedValue(of: "--json")),
            ("list --help=yes", .unknownOption("--help")),
            ("list --color=red", .invalidValue(of: "--color", value: "red", expected: "one of auto, always, never")),
            ("list extra", .unexpectedArgument("extra")),
            ("show", .missingArguments(["ARTICLE"])),
            ("show a b", .unexpectedArgument("b")),
            ("seed", .missingArguments(["PATH"])),
            ("completions tcsh", .invalidValue(of: "SHELL", value: "tcsh", expected: "one of bash, zsh, fish")),
        ] as [(String, UsageError.Problem)])
    func wrongUse(line: String, expected: UsageError.Problem) {
        #expect(problem(line) == expected)
    }

    @Test("A number out of range and a word for a number are refused")
    func integers() throws {
        #expect(try run("list -n 7").integer("limit", in: 1...100) == 7)
        #expect(try run("list").integer("limit", in: 1...100) == 50)
        for text in ["0", "101", "x", "1.5", "99999999999999999999"] {
            #expect(throws: UsageError.self) { try run("list -n\(text)").integer("limit", in: 1...100) }
        }
    }

    @Test("An error suggests a similar name and a help page, without control characters")
    func messages() {
        #expect(throws: UsageError.self) { try exampleCommands.parse(["lits"]) }
        do {
            _ = try exampleCommands.parse(["list", "--auhtor\u{1B}[2J", "x"])
        } catch {
            #expect(error.description.contains("unknown option '--auhtor␛[2J'"))
        }
        do {
            _ = try exampleCommands.parse(["list", "--auhtor", "x"])
        } catch {
            #expect(
                error.description == """
                    shelf: unknown option '--auhtor'
                    Did you mean '--author'?
                    Run 'shelf list --help' for usage.
                    """)
        }
    }

    @Test(
        "Suggestions are the names within a few edits, nearest first",
        arguments: [
            ("lsit", ["list"]), ("lis", ["list"]), ("shwo", ["show"]), ("xyzzy", []), ("", []),
            (String(repeating: "l", count: 100_000), []), ("sho", ["show"]),
        ].map { (LongText($0), $1) })
    func suggestions(typed: LongText, expected: [String]) {
        #expect(["list", "show", "sessions", "register"].suggestions(for: typed.text) == expected)
    }

    @Test(
        "A swap of neighbors is one edit",
        arguments: [("ab", "ba", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ca", "abc", 3)])
    func distance(first: String, second: String, expected: Int) {
        for (word, other) in [(first, second), (second, first)] {
            var distance = EditDistance(from: word)
            #expect(distance.distance(to: other, atMost: 99) == expected)
            #expect(distance.distance(to: other, atMost: expected) == expected)
            #expect(distance.distance(to: other, atMost: expected - 1) == nil)
        }
    }

    @Test("The tables have no mistakes, and one full of them is detected")
    func mistakes() {
        #expect(CommandTable.root.mistakes() == [])
        #expect(exampleCommands.mistakes() == [])
        let broken = CommandSpec(
            name: "Broken", summary: "Ends with a stop.",
            arguments: [
                ArgumentSpec(name: "A", summary: "x", isRequired: false, isRepeating: true),
                ArgumentSpec(name: "A", summary: ""),
            ],
            options: [
                OptionSpec(name: "json", short: "j", summary: "x"),
                OptionSpec(name: "help", summary: "x"),
                OptionSpec(name: "flag", summary: "x", values: .file, defaultValue: "1"),
                OptionSpec(name: "pick", summary: "x", value: "P", values: .choices(["a"]), defaultValue: "b"),
            ],
            subcommands: [
                CommandSpec(name: "one", summary: "x", options: [OptionSpec(name: "json", summary: "x")]),
                CommandSpec(name: "two", aliases: ["one"], summary: "x", needsSubcommand: true),
            ]
        )
        let found = broken.mistakes().joined(separator: "\n")
        for mistake in [
            "'Broken' is not made of", "without a full stop", "A has no summary", "Broken: A is there twice",
            "--help is built in", "--flag is a flag with values", "--flag is a flag with a default",
            "default of --pick", "--json is there twice", "one is there twice", "needs a subcommand",
            "only the last argument", "a required argument follows",
        ] {
            #expect(found.contains(mistake), "\(mistake)")
        }
    }
}
