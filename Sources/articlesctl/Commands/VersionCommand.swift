import Arguments
import Database
import Migrations
import Terminal
import Text

/// `version`, and `--version`.
struct VersionCommand: Command {
    static let number = ProgramVersion.number
    static let date = ProgramVersion.date

    static let name = "version"
    static let spec = CommandSpec(
        name: name, summary: "show the version",
        discussion:
            "Also shows the versions of the database schema and of SQLite, for bug reports.",
        examples: [
            Example(command: "articlesctl version", summary: "show the version for a bug report"),
            Example(command: "articlesctl --version --json", summary: "print the version as JSON"),
        ])

    /// Whether to print only the number, as for `--version`.
    private let isShort: Bool

    init(_ parsed: ParsedCommand) { isShort = parsed.path.isEmpty }

    func run(in context: Context) async throws {
        let schema = Schema.articlesctl.version
        try context.report(
            isShort
                ? Self.number
                : "articlesctl \(Self.number) (schema \(schema), SQLite \(Database.sqliteVersion))",
            json: [
                "version": .string(Self.number), "schema": JSON(schema), "sqlite": .string(Database.sqliteVersion),
            ])
    }
}
