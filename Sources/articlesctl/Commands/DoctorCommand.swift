import SQLiteStores
import Arguments
import ArticleStore
import AuthService
import Database
import LibraryStores
import Migrations
import Terminal
import Text

/// `doctor`: finds problems with the database and its environment.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let spec = CommandSpec(
        name: name, summary: "check the database, its files, and their environment for faults",
        discussion: """
            Reads the whole database and changes nothing. It checks the permissions of the files and the folder, other \
            files beside them, the schema, all pages and indexes, references between rows, the checksum of each \
            article, the search index, the stored numbers of articles, the log and processes that keep it long, locks of other programs, free space, \
            the clock, and the session file. It exits with 0 only if it finds no fault.

            --repair fixes faults that it can fix without losing data: permissions, leftovers of killed processes, \
            indexes, the stored numbers of articles, and rows without an owner, unless a \
            user wrote their content. For other faults, use “restore” or “recover”.

            On a PostgreSQL server, it looks for missing or changed tables, columns, indexes, constraints, triggers, \
            and functions, and checks the audit log and the session file. The server checks its pages itself, with \
            pg_amcheck.
            """,
        options: [OptionSpec(name: "repair", summary: "fix the faults that can be fixed")],
        examples: [
            Example(command: "articlesctl doctor", summary: "check for faults"),
            Example(
                command: "articlesctl doctor --repair", summary: "check for faults, and fix those that can be fixed"),
        ])

    private let repairs: Bool

    init(_ parsed: ParsedCommand) { repairs = parsed.flag("repair") }

    func run(in context: Context) async throws {
        let locations = try context.locations
        let tokens = try? TokenFileCheck(path: locations.tokenFile, devices: locations.deviceFiles)
        var findings: [Finding]
        var mended: [Finding] = []
        func repairing(_ check: () throws -> [Finding], _ repair: () throws -> Void) throws -> [Finding] {
            let found = try check()
            guard repairs, !found.isEmpty else { return found }
            try repair()
            let left = try check()
            mended = found.filter { !left.contains($0) }
            return left
        }
        switch locations.place {
        case .file(let path):
            let checkup = Checkup(path: path, tokens: tokens, context: context)
            findings = try repairing(checkup.findings, checkup.repair)
        case .server(let url):
            findings = try repairing({ tokens?.findings() ?? [] }, { try tokens?.repair() })
            findings += try await Self.serverFindings(url, in: context)
        }
        let faults = findings.filter(\.isFault)
        try report(findings, mended, of: locations.place, in: context)
        guard !faults.isEmpty else { return }
        let isRepairable = !repairs && faults.contains(where: \.isRepairable)
        throw CommandError(
            faults.count.quantity(of: "fault was", "faults were") + " found",
            hint: isRepairable ? "fix what can be fixed with: articlesctl doctor --repair" : nil, code: .badData)
    }

    private func report(_ findings: [Finding], _ mended: [Finding], of place: StorePlace, in context: Context) throws {
        let path = place.description
        if context.json {
            return try context.report(
                nil,
                json: [
                    "database": .string(path), "sqlite": .string(Database.sqliteVersion),
                    "ok": .bool(!findings.contains(where: \.isFault)),
                    "findings": .array(findings.map(Self.json)), "mended": .array(mended.map(Self.json)),
                ])
        }
        for finding in mended { try context.output.writeLine("repaired: \(finding.message.sanitized())") }
        for finding in findings {
            try context.output.writeLine("\(finding.isFault ? "fault" : "note"): \(finding.message.sanitized())")
            if let advice = finding.advice { try context.output.writeLine("    \(advice.sanitized())") }
        }
        if !findings.contains(where: \.isFault) { try context.output.writeLine("\(path.sanitized()) has no faults.") }
    }

    /// Checks a library on a server.
    private static func serverFindings(_ url: String, in context: Context) async throws -> [Finding] {
        // Opening it checks the version of the schema.
        let accounts = try await context.accounts()
        var findings = try await Stores.schemaFindings(atServer: url, options: context.storeOptions)
        // Without its tables, the log cannot be read.
        guard findings.allSatisfy({ !$0.isFault }) else { return findings }
        if let fault = try await accounts.verifyLog(by: context.operatorOfTheMachine) {
            findings.append(Finding(.audit, on: "audit", "\(fault)", advice: "compare the log with that of a backup"))
        }
        return findings
    }

    private static func json(_ finding: Finding) -> JSON {
        [
            "kind": .string(finding.kind.name), "subject": .string(finding.subject),
            "message": .string(finding.message),
            "advice": JSON(finding.advice), "fault": .bool(finding.isFault), "mendable": .bool(finding.isRepairable),
        ]
    }
}

extension Finding.Kind {
    /// The audit log was changed.
    fileprivate static let audit = Finding.Kind("audit")
}

/// All checks of `doctor` on a file.
private struct Checkup {
    let path: String
    /// The check of the session; nil without a home directory, because a session cannot exist then.
    let tokens: TokenFileCheck?
    let context: Context

    /// - Throws: `CommandError` if the database does not exist, or is an unfinished copy.
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
            switch error {
            case .missing, .unfinished: throw CommandError(opening: error, given: context.databaseOption)
            default: found.append(finding(error))
            }
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
        let file = FileCheck(path: path)
        return tokens.map { [file, $0] } ?? [file]
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
        let database = try Database(
            path: path, applicationID: Schema.articlesctl.applicationID,
            configuration: context.databaseConfiguration)
        try database.requireFinished()
        return database
    }

    private func finding(_ error: DatabaseError) -> Finding {
        let isForeign = if case .foreign = error { true } else { false }
        return Finding(
            .database, on: path, error.description,
            advice: isForeign
                ? "choose another file with --database"
                : "replace it with a backup by “restore”, or copy the readable data with “recover”")
    }
}
