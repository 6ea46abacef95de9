import Arguments
import Terminal

/// All commands, in the order in which help lists them.
enum CommandTable {
    static let commands: [any Command.Type] = [
        MigrateCommand.self, SeedCommand.self, SubscribeCommand.self, UnsubscribeCommand.self, FetchCommand.self,
        SourcesCommand.self,
        AddCommand.self, EditCommand.self, DeleteCommand.self,
        RegisterCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, PasswdCommand.self,
        SessionsCommand.self, TokensCommand.self, AccountCommand.self, UsersCommand.self, AuditCommand.self,
        ListCommand.self, SearchCommand.self, SearchesCommand.self, RulesCommand.self, ShowCommand.self,
        OpenCommand.self,
        ReadCommand.self, ExportCommand.self,
        MarkCommand.self, StarCommand.self, UnstarCommand.self, TagCommand.self, NoteCommand.self,
        TagsCommand.self, AuthorsCommand.self, StatsCommand.self,
        BackupCommand.self, RestoreCommand.self, IndexCommand.self, DoctorCommand.self, RecoverCommand.self,
        ConfigCommand.self, FlowCommand.self, CompletionsCommand.self, ManCommand.self, HelpCommand.self,
        VersionCommand.self,
    ]

    /// Commands for other programs.
    private static let hidden: [any Command.Type] = [CompleteNamesCommand.self]

    private static let all = commands + hidden

    /// The specifications of all commands.
    static let root = root(of: all)

    /// Parses a command line.
    ///
    /// Only the commands whose names are in the line are specified: to specify all takes longer than a short command
    /// runs.
    ///
    /// - Throws: `UsageError` for the first mistake.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        let named = all.filter { command in
            arguments.contains { $0 == command.name || command.aliases.contains($0) }
        }
        if let invocation = try? root(of: named).parse(arguments) { return invocation }
        // The suggestions about a mistake are from all commands.
        return try root.parse(arguments)
    }

    private static func root(of commands: [any Command.Type]) -> CommandSpec {
        var root = program
        root.subcommands = commands.map { $0.spec }
        return root
    }

    /// The specification without commands.
    private static let program = CommandSpec(
        name: "articlesctl",
        summary: "manage and read a library of articles",
        discussion: """
            articlesctl stores users, sessions, and articles in one SQLite file, or in a \
            database on a PostgreSQL server. An operator creates it with \
            “migrate” and fills it with “seed” or “subscribe”; readers register, log in, list, and show articles. At a terminal, \
            articlesctl without a command opens the full-screen reader.

            Commands that show articles use the same screens as the reader and the server: without a session, list and \
            show ask for the login first and then continue.
            """,
        options: [
            OptionSpec(
                name: "database", summary: "the database: a file, or postgres://… for a PostgreSQL server",
                value: "PLACE", values: .file),
            OptionSpec(name: "json", summary: "write data and errors as JSON"),
            OptionSpec(
                name: "color", summary: "when to use colors", value: "WHEN",
                values: .choices(ColorChoice.allCases.map(\.rawValue)), defaultValue: ColorChoice.auto.rawValue),
            OptionSpec(name: "no-input", summary: "never prompt; fail if input is missing"),
            OptionSpec(
                name: "busy-timeout", summary: "how long to wait for another process that is writing", value: "SECONDS",
                defaultValue: "30"),
        ],
        needsSubcommand: true,
        worksAlone: true,
        examples: [
            Example(command: "articlesctl migrate", summary: "create the database"),
            Example(command: "articlesctl seed posts/", summary: "import a folder of Markdown"),
            Example(
                command: "articlesctl subscribe https://example.org/blog/", summary: "subscribe to the feed of a page"),
            Example(command: "articlesctl register ada --region SE", summary: "create an account"),
            Example(command: "articlesctl login ada", summary: "log in"),
            Example(command: "articlesctl list --tag swift", summary: "list articles with a tag"),
            Example(command: "articlesctl show welcome", summary: "read an article"),
            Example(command: "articlesctl", summary: "open the full-screen reader, at a terminal"),
        ],
        exitCodes: ExitCode.allCases.map { Definition(term: String($0.rawValue), summary: $0.meaning) },
        environment: [
            Definition(
                term: "ARTICLESCTL_DATABASE",
                summary: "The database if --database is not given. It overrides the configuration"),
            Definition(
                term: "ARTICLESCTL_TOKEN",
                summary: "An API token or the token of a session; used instead of the saved session"),
            Definition(
                term: "ARTICLESCTL_CONFIG",
                summary: "The configuration file instead of the default one; /dev/null for none"),
            Definition(
                term: "ARTICLESCTL_PAGER, PAGER",
                summary:
                    "The command that shows long articles on a terminal; less -FRX if unset. The configuration overrides PAGER"
            ),
            Definition(
                term: "BROWSER",
                summary:
                    "The command that opens web links unless the configuration sets one; %s is replaced by the address. "
                    + "xdg-open if unset, on a desktop"
            ),
            Definition(
                term: "VISUAL, EDITOR",
                summary: "The editor of edit and add; VISUAL only on a terminal that supports it; vi if unset"),
            Definition(term: "NO_COLOR, CLICOLOR_FORCE", summary: "Disable colors; use colors even in a pipe"),
            Definition(term: "COLUMNS, LINES", summary: "The size of the terminal"),
            Definition(
                term: "TMPDIR",
                summary:
                    "The folder for temporary files: standard input of seed --strict and --dry-run, and the text in the "
                    + "editor; /tmp if unset"),
            Definition(
                term: "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
                summary: "The folders of the configuration, the database, and the session"),
        ],
        files: [
            Definition(
                term: "$XDG_CONFIG_HOME/articlesctl/config",
                summary: "The configuration, if any (~/.config if the variable is unset)"),
            Definition(
                term: "$XDG_DATA_HOME/articlesctl/articles.db",
                summary: "The database (~/.local/share if the variable is unset). Beside it: -wal and -shm, the "
                    + "write-ahead log; -lock, held by writers; .backup, from before a migration"),
            Definition(
                term: "$XDG_STATE_HOME/articlesctl/session-*",
                summary: "The token of the session, one file per database (~/.local/state if the variable is unset)"),
        ],
        seeAlso: ["articlesd(8)", "less(1)", "jq(1)", "sqlite3(1)", "xdg-open(1)", "sysexits(3)"],
        reporting: """
            Report bugs to the source of your copy of the program. Describe what you did, what happened, and what you \
            expected, and add the output of “articlesctl version” and, if the library misbehaves, of “articlesctl \
            doctor”. Report vulnerabilities in private, as CONTRIBUTING describes.
            """)

    /// Returns the command with this name.
    static func command(named name: String) -> (any Command.Type)? {
        all.first { $0.name == name }
    }
}

/// A command, with its syntax and its work.
protocol Command: Sendable {
    /// The name.
    static var name: String { get }
    /// Other names.
    static var aliases: [String] { get }
    /// Its entry in the command table.
    static var spec: CommandSpec { get }

    /// Reads the parsed arguments.
    ///
    /// - Throws: `UsageError` for mistakes that the command table cannot detect.
    init(_ parsed: ParsedCommand) throws

    /// Runs the command.
    ///
    /// - Throws: any error that `CommandError` can explain.
    func run(in context: Context) async throws
}

extension Command {
    /// By default, the name is the only one.
    static var aliases: [String] { [] }
}
