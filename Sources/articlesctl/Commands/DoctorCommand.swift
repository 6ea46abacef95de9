import SQLiteStores
import Arguments
import ArticleStore
import Database
import Migrations
import Terminal
import Text

/// `doctor`: finds problems with the database and its environment.
struct DoctorCommand: Command {
    static let spec = CommandSpec(
        name: "doctor", summary: "look for what is wrong with the database, its files and what is around them",
        discussion: """
            It reads the whole database and changes nothing: who may read and write the files and the folder, what lies beside \
            them, the schema, every page and index, what rows refer to, whether each article is as it was written, what finds \
            articles, the log and who keeps it long, the locks of other programs, free space, the clock, and the file of the \
            session. It exits with 0 only when nothing is wrong.

            --repair mends what can be mended without losing anything: modes, leftovers of processes that were killed, indexes, \
            the numbers of articles that another program has changed, and rows that belong to nobody, unless somebody wrote \
            what is in them. What it cannot mend, “restore” or “recover” may.
            """,
        options: [OptionSpec(name: "repair", summary: "mend what can be mended")],
        examples: [
            Example(command: "articlesctl doctor", summary: "see whether all is well"),
            Example(command: "articlesctl doctor --repair", summary: "and mend what can be mended"),
        ])

    private let repairs: Bool

    init(_ parsed: ParsedCommand) { repairs = parsed.flag("repair") }

    func run(in context: Context) async throws {
        let locations = try context.locations
        let checkup = Checkup(locations: locations, context: context)
        var findings = try checkup.findings()
        var mended: [Finding] = []
        if repairs, !findings.isEmpty {
            try checkup.repair()
            let left = try checkup.findings()
            mended = findings.filter { !left.contains($0) }
            findings = left
        }
        let faults = findings.filter(\.isFault)
        try report(findings, mended, of: locations.database, in: context)
        guard !faults.isEmpty else { return }
        let isRepairable = !repairs && faults.contains(where: \.isRepairable)
        throw CommandError(
            "\(faults.count) \(faults.count == 1 ? "fault was" : "faults were") found",
            hint: isRepairable ? "mend what can be mended with: articlesctl doctor --repair" : nil, code: .badData)
    }

    private func report(_ findings: [Finding], _ mended: [Finding], of path: String, in context: Context) throws {
        if context.json {
            return try context.report(
                nil,
                json: [
                    "database": .string(path), "sqlite": .string(Database.sqliteVersion),
                    "ok": .bool(!findings.contains(where: \.isFault)),
                    "findings": .array(findings.map(Self.json)), "mended": .array(mended.map(Self.json)),
                ])
        }
        for finding in mended { try context.output.writeLine("mended: \(finding.message.sanitized())") }
        for finding in findings {
            try context.output.writeLine("\(finding.isFault ? "fault" : "note"): \(finding.message.sanitized())")
            if let advice = finding.advice { try context.output.writeLine("    \(advice.sanitized())") }
        }
        if !findings.contains(where: \.isFault) { try context.output.writeLine("\(path.sanitized()) is well.") }
    }

    private static func json(_ finding: Finding) -> JSON {
        [
            "kind": .string(finding.kind.name), "subject": .string(finding.subject),
            "message": .string(finding.message),
            "advice": JSON(finding.advice), "fault": .bool(finding.isFault), "mendable": .bool(finding.isRepairable),
        ]
    }
}

/// All checks of `doctor`.
private struct Checkup {
    let locations: Locations
    let context: Context

    /// - Throws: `CommandError` if the database does not exist.
    func findings() throws -> [Finding] {
        var found: [Finding] = []
        for check in outerChecks { found += try check.findings() }
        do {
            let database = try database()
            for check in innerChecks(of: database) { found += try check.findings() }
            guard found.allSatisfy({ $0.kind != .schema || !$0.isFault }) else { return found }
            found += try ArticleNumberCheck(database: database).findings()
            found += try LibraryCheck(database: database).findings()
            found += try MarkCheck(database: database).findings()
        } catch let error as DatabaseError {
            if case .missing = error { throw CommandError(opening: error, given: context.databaseOption) }
            found.append(finding(error))
        }
        return found
    }

    /// Repairs all problems that can be repaired. If one repair fails, those that do not depend on it still run.
    func repair() throws {
        for check in outerChecks { try check.repair() }
        do {
            let database = try database()
            // Repair article IDs first, so that data of those articles is not taken for orphaned. A database with
            // another schema does not contain them.
            do { try ArticleNumberCheck(database: database).repair() } catch is DatabaseError {}
            for check in innerChecks(of: database) { try check.repair() }
            try LibraryCheck(database: database).repair()
            try MarkCheck(database: database).repair()
        } catch is DatabaseError {
            // `findings()` reports the error again.
        }
    }

    private var outerChecks: [any Check] {
        let database = FileCheck(path: locations.database)
        // Without a home directory, a session cannot exist.
        guard let tokens = try? TokenFileCheck(path: locations.tokenFile, devices: locations.deviceFiles) else {
            return [database]
        }
        return [database, tokens]
    }

    private func innerChecks(of database: Database) -> [any Check] {
        [
            UseCheck(database: database),
            ContentCheck(
                database: database, schema: .articlesctl,
                timestamps: [
                    .init(table: "audit", column: "at"), .init(table: "session", column: "created_at"),
                    .init(table: "source", column: "imported_at"),
                ], written: ["article_body", "article_note"], clock: context.clock),
        ]
    }

    private func database() throws -> Database {
        try Database(
            path: locations.database, applicationID: Schema.articlesctl.applicationID,
            configuration: context.databaseConfiguration)
    }

    private func finding(_ error: DatabaseError) -> Finding {
        let isForeign = if case .foreign = error { true } else { false }
        return Finding(
            .database, on: locations.database, error.description,
            advice: isForeign
                ? "choose another file with --database"
                : "put a backup in its place with “restore”, or save what can be read with “recover”")
    }
}
