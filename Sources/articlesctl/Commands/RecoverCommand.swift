import SQLiteStores
import Arguments
import ArticleStore
import AuthService
import Database
import Migrations
import Terminal
import Text

/// `recover`: copies the readable data of a damaged database.
struct RecoverCommand: Command {
    static let spec = CommandSpec(
        name: "recover", summary: "take what can be read of a damaged database over into a new one",
        discussion: """
            FILE is read row by row, around the pages that cannot be read, and left as it is; NEW is a whole database of the \
            schema of this program. What is said is how many rows of each table came over, and which could not be read. \
            Articles that are not as they were written, or came without their text, are brought again by the next “seed” of \
            their source. If anything did not come over, the exit code is 65.

            A backup is better than this, where there is one: see “restore”.
            """,
        arguments: [
            ArgumentSpec(name: "FILE", summary: "the damaged database", values: .file),
            ArgumentSpec(name: "NEW", summary: "a new file", values: .file),
        ],
        examples: [
            Example(command: "articlesctl recover articles.db new.db", summary: "save what can be read"),
            Example(command: "articlesctl restore new.db", summary: "and go on with it"),
        ])

    private let path: String
    private let destination: String

    init(_ parsed: ParsedCommand) {
        path = parsed.argument("FILE") ?? ""
        destination = parsed.argument("NEW") ?? ""
    }

    func run(in context: Context) async throws {
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
                "not everything came over",
                hint: "what did is in \(destination); to use it: articlesctl restore \(destination.shellQuoted)",
                code: .badData)
        }
    }

    private func report(_ outcome: Recoverer.Outcome<LibrarySalvage>, in context: Context) throws {
        if context.json { return try context.report(nil, json: json(outcome)) }
        for table in outcome.tables { try context.output.writeLine(Self.line(table)) }
        for (count, words) in [
            (outcome.completion.withoutText, "articles came without their text"),
            (outcome.completion.altered, "articles are not as they were written"),
            (outcome.completion.sources, "sources came without their names"),
            (outcome.orphans, "rows were left out that belong to what did not come over"),
            (outcome.unreadBytes, "bytes could not be read from the disk"),
        ] where count > 0 {
            try context.output.writeLine("\(count) \(words)")
        }
        try context.output.writeLine(
            "\(destination.sanitized()) is whole. "
                + (outcome.isWhole ? "Everything came over." : "Not everything came over."))
    }

    private static func line(_ table: Recoverer.Table) -> String {
        var line = "\(table.name): \(table.rows) \(table.rows == 1 ? "row" : "rows")"
        if table.rejected > 0 { line += ", \(table.rejected) that cannot be in it left out" }
        guard !table.isComplete else { return line }
        let ranges = table.unread.prefix(10).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
        let rest = table.unread.count > 10 ? " and \(table.unread.count - 10) more ranges" : ""
        return line + ", not all of it could be read"
            + (ranges.isEmpty ? "" : ": not the numbers \(ranges.joined(separator: ", "))\(rest)")
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
