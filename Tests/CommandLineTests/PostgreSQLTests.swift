import Foundation
import StoreEngines
import Testing

/// The commands on a library that is in a database on a server.
@Suite(
    "A library on a PostgreSQL server",
    .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil })
struct PostgreSQLTests {
    @Test("An operator creates and fills the library, and a reader finds, reads, and marks the articles")
    func story() async throws {
        let (home, schema) = (try Home(), try await TemporarySchema(isEmpty: true))
        @discardableResult
        func run(_ arguments: String..., input: String? = nil, status: Int32 = 0) async throws -> Outcome {
            let outcome = try await home.run(
                arguments, input: input.map { Data($0.utf8) },
                environment: ["ARTICLESCTL_DATABASE": schema.address()])
            #expect(outcome.status == status, "\(arguments): \(outcome.error)")
            return outcome
        }
        let refused = try await run("list", status: 69)
        #expect(refused.error.hasSuffix("articlesctl migrate --database '\(schema.address())'\n"))
        #expect(try await run("migrate", "status").output.contains("pending"))
        #expect(try await run("migrate").output.contains("Applied 0015_library"))
        #expect(try await run("migrate").output.hasSuffix("is up to date.\n"))
        for name in ["one", "two"] {
            try home.write("posts/\(name).md", "---\ntitle: Title \(name)\ntags: [swift]\n---\nThe \(name) actor.\n")
        }
        #expect(try await run("seed", "posts").output.contains("2 inserted"))
        try await run("register", "ada", "--region", "SE", "--password-stdin", input: Home.password + "\n")
        try await run("login", "ada", "--password-stdin", input: Home.password + "\n")
        #expect(try await run("list", "--tag", "swift").lines.count == 2)
        #expect(try await run("search", "actor").lines.count == 2)
        #expect(try await run("show", "one").output.contains("The one actor."))
        try await run("mark", "read", "one")
        try await run("star", "two")
        #expect(try await run("list", "--unread").lines.count == 1)
        #expect(try await run("list", "--starred").output.contains("Title two"))
        #expect(try await run("stats").object().integer("unread") == 1)
        #expect(try await run("users").output.contains("operator"))
        #expect(try await run("complete-names", "tag", "sw").lines == ["swift"])
        #expect(try await run("audit", "--event", "libraryChanged").output.contains("seed: posts"))
        try await run("audit", "verify")
        #expect(try await run("doctor").output.hasSuffix("has no faults.\n"))
        try await run("logout")
    }

    @Test(
        "Commands about files say that the library is on a server",
        arguments: [["backup", "a"], ["restore", "a", "--yes"]])
    func files(command: [String]) async throws {
        let (home, schema) = (try Home(), try await TemporarySchema())
        let outcome = try await home.run(command + ["--database", schema.address()])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("this library is on a PostgreSQL server\n"))
        #expect(outcome.error.contains("pgBackRest"))
        #expect(!FileManager.default.fileExists(atPath: home.path("a")))
    }

    @Test(
        "A newer schema is refused by every command that would use it", arguments: [["list"], ["users"], ["migrate"]])
    func newerSchema(command: [String]) async throws {
        let (home, schema) = (try Home(), try await TemporarySchema())
        try await schema.run("INSERT INTO schema_migration VALUES (9999, 'later', 'x', 0)")
        let outcome = try await home.run(command + ["--database", schema.address()])
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("version 9999") && outcome.error.contains("install the version of articlesctl"))
    }

    @Test("A database with tables of another program is not changed")
    func foreignTables() async throws {
        let (home, schema) = (try Home(), try await TemporarySchema(isEmpty: true))
        try await schema.run("CREATE TABLE session (number int)")
        let outcome = try await home.run("migrate", "--database", schema.address())
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("tables of another program"))
        try await schema.run("INSERT INTO session VALUES (1)")
    }

    @Test("A server that is not there is reported with the next step")
    func unavailable() async throws {
        let home = try Home()
        let outcome = try await home.run("list", "--database", "postgres:///articles?host=\(home.path("nowhere"))")
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("Cannot connect to the database"))
        #expect(outcome.error.contains("check that the server runs"))
    }

    @Test(
        "An address with a password is refused, and no message contains the password",
        arguments: [
            "postgres://ada:\(Home.urlPassword)@localhost/a", "postgres://localhost/a?password=\(Home.urlPassword)",
        ])
    func password(url: String) async throws {
        let home = try Home()
        for arguments in [["list", "--database", url], ["list", "--json", "--database", url]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("~/.pgpass"))
            #expect(!(outcome.output + outcome.error).contains(Home.urlPassword))
        }
    }
}

extension Home {
    fileprivate static let urlPassword = "s3cretOfTheServer"
}
