import Arguments
import Terminal

/// All commands, in the order in which help lists them.
enum CommandTable {
    static let commands: [any Command.Type] = [
        MigrateCommand.self, SeedCommand.self, SourcesCommand.self,
        AddCommand.self, EditCommand.self, DeleteCommand.self,
        RegisterCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, PasswdCommand.self,
        SessionsCommand.self, TokensCommand.self, AccountCommand.self, UsersCommand.self, AuditCommand.self,
        ListCommand.self, SearchCommand.self, ShowCommand.self, OpenCommand.self, ReadCommand.self, ExportCommand.self,
        MarkCommand.self, StarCommand.self, UnstarCommand.self, TagCommand.self, NoteCommand.self,
        TagsCommand.self, AuthorsCommand.self, StatsCommand.self,
        BackupCommand.self, RestoreCommand.self, IndexCommand.self, DoctorCommand.self, RecoverCommand.self,
        ConfigCommand.self, FlowCommand.self, CompletionsCommand.self, ManCommand.self, HelpCommand.self,
        VersionCommand.self,
    ]

    /// Commands for other programs.
    private static let hidden: [any Command.Type] = [CompleteNamesCommand.self]

    static let root = CommandSpec(
        name: "articlesctl",
        summary: "keep and read a library of articles",
        discussion: """
            articlesctl keeps users, sessions and articles in one SQLite database. An operator creates it with \
            “migrate” and fills it with “seed”; readers register, log in, list and show. At a terminal, articlesctl \
            alone opens a full-screen session to read in.

            Every command that shows something goes through the same screens as any other front of the library: \
            without a session, list and show ask for the log-in first and then go on.
            """,
        options: [
            OptionSpec(
                name: "database", summary: "the database file", value: "PATH", values: .file),
            OptionSpec(name: "json", summary: "write JSON, for data and for errors"),
            OptionSpec(
                name: "color", summary: "when to use colours", value: "WHEN",
                values: .choices(ColorChoice.allCases.map(\.rawValue)), defaultValue: ColorChoice.auto.rawValue),
            OptionSpec(name: "no-input", summary: "never ask; fail when something is missing"),
            OptionSpec(
                name: "busy-timeout", summary: "how long to wait for another process that writes", value: "SECONDS",
                defaultValue: "30"),
        ],
        subcommands: (commands + hidden).map { $0.spec },
        needsSubcommand: true,
        worksAlone: true,
        examples: [
            Example(command: "articlesctl migrate", summary: "create the database"),
            Example(command: "articlesctl seed posts/", summary: "import a folder of Markdown"),
            Example(command: "articlesctl register ada --region SE", summary: "make an account"),
            Example(command: "articlesctl login ada", summary: "log in"),
            Example(command: "articlesctl list --tag swift", summary: "list articles with a tag"),
            Example(command: "articlesctl show welcome", summary: "read an article"),
            Example(command: "articlesctl", summary: "read in a full-screen session, at a terminal"),
        ],
        exitCodes: ExitCode.allCases.map { Definition(term: String($0.rawValue), summary: $0.meaning) },
        environment: [
            Definition(term: "ARTICLESCTL_DATABASE", summary: "The database file, when --database is not given"),
            Definition(
                term: "ARTICLESCTL_TOKEN",
                summary: "An API token, or the token of a session, used instead of the one that login keeps"),
            Definition(
                term: "ARTICLESCTL_CONFIG",
                summary: "The configuration, when it is not in its folder; /dev/null for none"),
            Definition(
                term: "ARTICLESCTL_PAGER, PAGER",
                summary:
                    "What shows long articles on a terminal; less -FRX when unset. What is configured wins over PAGER"
            ),
            Definition(
                term: "BROWSER",
                summary:
                    "What opens links to the web where nothing is configured; %s in it stands for the address. xdg-open on a desktop "
                    + "when unset"
            ),
            Definition(
                term: "VISUAL, EDITOR",
                summary: "What edit and add open; VISUAL only on a terminal that can show it, vi when unset"),
            Definition(term: "NO_COLOR, CLICOLOR_FORCE", summary: "No colours; colours even into a pipe"),
            Definition(term: "COLUMNS, LINES", summary: "The size of the terminal"),
            Definition(
                term: "TMPDIR",
                summary:
                    "Where seed keeps standard input until it ends, with --strict and --dry-run, and edit and add what is in "
                    + "the editor; /tmp when unset"),
            Definition(
                term: "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
                summary: "Where the configuration, the database and the session are kept"),
        ],
        files: [
            Definition(
                term: "$XDG_CONFIG_HOME/articlesctl/config",
                summary: "The configuration, where there is one (~/.config when the variable is unset)"),
            Definition(
                term: "$XDG_DATA_HOME/articlesctl/articles.db",
                summary: "The database (~/.local/share when the variable is unset). Beside it: -wal and -shm, the "
                    + "write-ahead log; -lock, which writers hold; .backup, from before a migration"),
            Definition(
                term: "$XDG_STATE_HOME/articlesctl/session-*",
                summary: "The token of the session, one file a database (~/.local/state when the variable is unset)"),
        ],
        seeAlso: ["articlesd(8)", "less(1)", "jq(1)", "sqlite3(1)", "xdg-open(1)", "sysexits(3)"],
        reporting: """
            Tell whoever you have the program from what you did, what came of it and what you expected, with what “articlesctl \
            version” and, of a library that behaves oddly, “articlesctl doctor” write. Please tell of a vulnerability in private; \
            CONTRIBUTING says how.
            """)

    /// Returns the command with this name.
    static func command(named name: String) -> (any Command.Type)? {
        (commands + hidden).first { $0.spec.name == name }
    }
}
