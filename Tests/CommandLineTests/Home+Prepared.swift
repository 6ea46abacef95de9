import Foundation
import Testing

/// A home that is made once for the process and copied for each test: making one takes as long as hashing passwords does.
private struct Prepared {
    let home: Home
    let token: String

    static let shared = Task {
        let home = try Home()
        try await #require(home.run("migrate").status == 0)
        try home.write("articles.jsonl", Library.lines(Library.articles))
        try await #require(home.run("seed", "articles.jsonl").status == 0)
        try await #require(home.register("ada").status == 0)
        try await #require(home.logIn("ada").status == 0)
        let token = try String(contentsOfFile: home.tokenFile(), encoding: .utf8)
        return Prepared(home: home, token: String(token.prefix { $0 != "\n" }))
    }
}

extension Home {
    /// A home with the library of `Library.articles` and the account `ada`, where nobody is logged in.
    static func prepared() async throws -> Home {
        let home = try Home()
        try copyData(of: try await Prepared.shared.value.home, to: home)
        return home
    }

    /// A home with the library of `Library.articles`, where `ada` is logged in by the environment.
    static func signedIn() async throws -> Home {
        let prepared = try await Prepared.shared.value
        let home = try Home(token: prepared.token)
        try copyData(of: prepared.home, to: home)
        return home
    }

    /// A home with an empty database.
    static func migrated() async throws -> Home {
        let home = try Home()
        try await #require(home.run("migrate").status == 0)
        return home
    }

    @discardableResult
    func register(_ username: String, password: String = Home.password) async throws -> Outcome {
        try await run("register", username, "--region", "SE", "--password-stdin", input: password + "\n")
    }

    @discardableResult
    func logIn(_ username: String, password: String = Home.password) async throws -> Outcome {
        try await run("login", username, "--password-stdin", input: password + "\n")
    }

    private static func copyData(of source: Home, to target: Home) throws {
        try FileManager.default.copyItem(atPath: source.path("data"), toPath: target.path("data"))
        // It belongs to the processes that had the database open.
        try? FileManager.default.removeItem(atPath: target.database + "-shm")
    }
}
