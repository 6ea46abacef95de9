import Database
import Foundation
import Migrations
import Testing

/// The files of a home that is prepared once for the process and copied for each test. Preparing takes as long as
/// hashing passwords.
private struct Prepared {
    /// The files of the database, by name.
    let files: [String: Data]
    let token: String

    static let shared = Task {
        let home = try Home()
        try await #require(home.run("migrate").status == 0)
        try home.write("articles.jsonl", Library.lines(Library.articles))
        try await #require(home.run("seed", "articles.jsonl").status == 0)
        try await #require(home.register("ada").status == 0)
        try await #require(home.logIn("ada").status == 0)
        let token = try String(contentsOfFile: home.tokenFile(), encoding: .utf8)
        let folder = URL(fileURLWithPath: home.database).deletingLastPathComponent()
        var files: [String: Data] = [:]
        // The index of the log (-shm) belongs to the processes that had the database open.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return Prepared(files: files, token: String(token.prefix { $0 != "\n" }))
    }
}

extension Home {
    /// Returns a home whose database has an earlier schema version, with the account `ada` in it.
    ///
    /// `Databases/` has an SQL dump of each version, as the program of its time wrote it. The dumps of the released
    /// versions, 1 to 3, are complete. Those of later versions have only the rows; the migrations create the tables.
    static func ofVersion(_ version: Int) async throws -> Home {
        let home = try Home()
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Databases/version-\(version).sql")
        try FileManager.default.createDirectory(
            atPath: home.path("data/articlesctl"), withIntermediateDirectories: true)
        let dump = try String(contentsOf: file, encoding: .utf8)
        if version <= 3 {
            _ = try await home.sql(dump)
        } else {
            let schema = Schema(
                applicationID: Schema.articlesctl.applicationID,
                migrations: Array(Schema.articlesctl.migrations.prefix(version)))
            _ = try Migrator(path: home.database, schema: schema).migrate()
            // The rows of a dump include those of triggers, so triggers must not add any.
            _ = try await home.sql("BEGIN; \(dump) COMMIT", options: ["-cmd", ".dbconfig enable_trigger off"])
        }
        return home
    }

    /// Returns a home with the library of `Library.articles` and the account `ada`, where nobody is logged in.
    static func prepared() async throws -> Home {
        let home = try Home()
        try home.copy(try await Prepared.shared.value)
        return home
    }

    /// Returns a home with the library of `Library.articles`, where the environment logs `ada` in.
    static func signedIn() async throws -> Home {
        let prepared = try await Prepared.shared.value
        let home = try Home(token: prepared.token)
        try home.copy(prepared)
        return home
    }

    /// Returns a home with an empty database.
    static func migrated() async throws -> Home {
        let home = try Home()
        try await #require(home.run("migrate").status == 0)
        return home
    }

    @discardableResult
    func register(_ username: String, password: String = Home.password) async throws -> Outcome {
        try await run("register", username, "--region", "SE", "--password-stdin", "--no-login", input: password + "\n")
    }

    @discardableResult
    func logIn(_ username: String, password: String = Home.password) async throws -> Outcome {
        try await run("login", username, "--password-stdin", input: password + "\n")
    }

    /// Runs seed, and returns how many records it inserted, updated, left unchanged, and rejected.
    func seed(_ arguments: String..., input: String? = nil) async throws -> [Int?] {
        let report = try await run(["seed"] + arguments + ["--json"], input: input.map { Data($0.utf8) }).object()
        return try [report.integer("inserted"), report.integer("updated"), report.integer("unchanged")]
            + [report.objects("rejected").count]
    }

    private func copy(_ prepared: Prepared) throws {
        for (name, content) in prepared.files {
            let path = try write("data/articlesctl/" + name, content)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }
}
