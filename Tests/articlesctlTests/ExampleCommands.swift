import Arguments
@testable import articlesctl

/// A table with every feature of a table.
let exampleCommands = CommandSpec(
    name: "shelf",
    summary: "Keep a shelf of articles",
    discussion:
        "The first paragraph.\n\n.A second one that begins with a dot, has a back\\slash, 'quotes' and naïve ünïcode.",
    options: [
        OptionSpec(name: "database", short: "d", summary: "Use this file", value: "PATH", values: .file),
        OptionSpec(name: "json", short: "j", summary: "Print JSON"),
        OptionSpec(
            name: "color", summary: "Colour the output", value: "WHEN", values: .choices(["auto", "always", "never"]),
            defaultValue: "auto"),
    ],
    subcommands: [
        CommandSpec(
            name: "list", aliases: ["ls"], summary: "List articles, [newest]: it's first",
            options: [
                OptionSpec(name: "author", short: "a", summary: "Only by this author", value: "NAME"),
                OptionSpec(name: "limit", short: "n", summary: "At most so many", value: "N", defaultValue: "50"),
                OptionSpec(name: "tag", short: "t", summary: "Only with this tag", value: "TAG", isRepeating: true),
                OptionSpec(name: "reverse", short: "r", summary: "Oldest first"),
            ],
            examples: [Example(command: "shelf list --author 'J. O\\'Neil'", summary: "List what one author wrote")]
        ),
        CommandSpec(
            name: "seed", summary: "Take articles in",
            arguments: [ArgumentSpec(name: "PATH", summary: "A file, a folder or -", isRepeating: true, values: .file)],
            options: [
                OptionSpec(
                    name: "format", summary: "The format of the input", value: "FORMAT",
                    values: .choices(["json", "jsonl", "markdown"]))
            ]
        ),
        CommandSpec(
            name: "show", summary: "Show an article",
            arguments: [
                ArgumentSpec(name: "ARTICLE", summary: "Its id or slug", values: .names(.article))
            ],
            options: [
                OptionSpec(
                    name: "fields", summary: "Print these", value: "FIELDS", isValueOptional: true,
                    values: .names(.fields)),
                OptionSpec(name: "label", short: "l", summary: "A tag", value: "TAG", values: .names(.tag)),
            ]),
        CommandSpec(
            name: "sessions", summary: "Show and end sessions",
            subcommands: [
                CommandSpec(name: "list", summary: "List sessions"),
                CommandSpec(
                    name: "revoke", summary: "End a session",
                    arguments: [ArgumentSpec(name: "SESSION", summary: "Its number")]),
            ]
        ),
        CommandSpec(
            name: "completions", summary: "Print a completion script",
            arguments: [
                ArgumentSpec(name: "SHELL", summary: "The shell", values: .choices(Shell.allCases.map(\.rawValue)))
            ]
        ),
        CommandSpec(
            name: "help", summary: "Explain a command",
            arguments: [
                ArgumentSpec(
                    name: "COMMAND", summary: "Which", isRequired: false, isRepeating: true,
                    values: .suggestions(["list", "seed", "show", "sessions"]))
            ]),
    ],
    needsSubcommand: true,
    examples: [Example(command: "shelf list | head", summary: "List the newest ones")],
    exitCodes: [
        Definition(term: "0", summary: "Success"), Definition(term: "64", summary: "A usage error, as in sysexits"),
    ],
    environment: [Definition(term: "SHELF_DATABASE", summary: "The database, unless --database is given")],
    files: [Definition(term: "~/.local/share/shelf", summary: "Where it is otherwise")]
)
