import SQLiteStores
import Arguments
import LibraryStores
import ArticleStore
import AuthService
import Database
import Migrations
import Terminal
import Text

/// `recover`: copies the readable data of a damaged database.
struct RecoverCommand: Command {
    static let name = "recover"
    static let spec = CommandSpec(
        name: name, summary: "copy the readable data of a damaged database into a new one",
        discussion: """
            Reads FILE row by row, skips pages that cannot be read, and does not change it. NEW becomes a valid \
            database with the schema of this program. The command reports how many rows of each table it copied, and \
            which it could not read. The next “seed” of a source imports its articles again that are changed or have \
            lost their text. If anything was not copied, the exit code is 65.

            If you have a backup, prefer “restore”.
            """,
        arguments: [
            ArgumentSpec(name: "FILE", summary: "the damaged database", values: .file),
            ArgumentSpec(name: "NEW", summary: "a new file", values: .file),
        ],
        examples: [
            Example(command: "articlesctl recover articles.db new.db", summary: "copy the readable data"),
            Example(command: "articlesctl restore new.db", summary: "use the new database"),
        ])

    private let path: String
    private let destination: String

    init(_ parsed: ParsedCommand) {
        path = parsed.argument("FILE") ?? ""
        destination = parsed.argument("NEW") ?? ""
    }

    func run(in context: Context) async throws {
        let path = try StorePlace(path).file(
            for: "recover", onServer: "restore a backup with pg_restore or pgBackRest")
        let recoverer = Recoverer(path: path, schema: .articlesctl, configuration: context.databaseConfiguration)
        let outcome: Recoverer.Outcome<LibrarySalvage>
        do {
            let watch = InterruptWatch()
            outcome = try withExtendedLifetime(watch) {
                try recoverer.recover(to: destination) { transaction in
                    try transaction.renewAuditChain()
                    let salvage = try LibrarySalvage(completing: transaction)
                    try MarkCheck.recount(transaction)
                    return salvage
                }
            }
        } catch let error as DatabaseError {
            throw CommandError(reading: error, at: path, kind: "database")
        }
        try report(outcome, in: context)
        guard outcome.isWhole else {
            throw CommandError(
                "not everything was copied",
                hint: "the copied data is in \(destination); to use it: articlesctl restore \(destination.shellQuoted)",
                code: .badData)
        }
    }

    private func report(_ outcome: Recoverer.Outcome<LibrarySalvage>, in context: Context) throws {
        if context.json { return try context.report(nil, json: json(outcome)) }
        for table in outcome.tables { try context.output.writeLine(Self.line(table)) }
        for (count, one, several) in [
            (outcome.completion.withoutText, "article has lost its text", "articles have lost their text"),
            (outcome.completion.altered, "article does not match its checksum", "articles do not match their checksum"),
            (outcome.completion.sources, "source has lost its name", "sources have lost their names"),
            (
                outcome.orphans, "row was skipped because it refers to a row that was not copied",
                "rows were skipped because they refer to rows that were not copied"
            ),
            (outcome.unreadBytes, "byte could not be read from the disk", "bytes could not be read from the disk"),
        ] where count > 0 {
            try context.output.writeLine(count.quantity(of: one, several))
        }
        try context.output.writeLine(
            "\(destination.sanitized()) is a valid database. "
                + (outcome.isWhole ? "Everything was copied." : "Not everything was copied."))
    }

    private static func line(_ table: Recoverer.Table) -> String {
        var line = "\(table.name): " + table.rows.quantity(of: "row")
        if table.rejected > 0 { line += ", " + table.rejected.quantity(of: "invalid row") + " skipped" }
        guard !table.isComplete else { return line }
        let ranges = table.unread.prefix(10).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
        let more = table.unread.count - ranges.count
        let rest = more > 0 ? " and " + more.quantity(of: "more range") : ""
        return line + ", some could not be read"
            + (ranges.isEmpty ? "" : ": numbers \(ranges.joined(separator: ", "))\(rest)")
    }

    private func json(_ outcome: Recoverer.Outcome<LibrarySalvage>) -> JSON {
        [
            "path": .string(destination),
            "tables": .array(
                outcome.tables.map { table in
                    [
                        "name": .string(table.name), "rows": JSON(table.rows), "rejected": JSON(table.rejected),
                        "complete": .bool(table.isComplete),
                        "unread": .array(
                            table.unread.map { ["first": JSON($0.lowerBound), "last": JSON($0.upperBound)] }),
                    ]
                }),
            "withoutText": JSON(outcome.completion.withoutText), "altered": JSON(outcome.completion.altered),
            "sources": JSON(outcome.completion.sources), "leftOut": JSON(outcome.orphans),
            "unreadBytes": JSON(outcome.unreadBytes), "whole": .bool(outcome.isWhole),
        ]
    }
}

extension Recoverer.Outcome<LibrarySalvage> {
    /// Whether all data was recovered.
    fileprivate var isWhole: Bool {
        tables.allSatisfy { $0.isComplete && $0.rejected == 0 } && orphans == 0 && unreadBytes == 0
            && completion == LibrarySalvage.nothing
    }
}
