import Database
import Text

/// `version`, and `--version`.
struct VersionCommand: Command {
    /// The version of this program, by <https://semver.org>.
    static let number = "1.0.0"

    /// The day of that version.
    static let date = "2026-11-21"

    static let spec = CommandSpec(name: "version", summary: "show the version")

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try context.report(
            "articlesctl \(Self.number) (SQLite \(Database.sqliteVersion))",
            json: ["version": .string(Self.number), "sqlite": .string(Database.sqliteVersion)])
    }
}
