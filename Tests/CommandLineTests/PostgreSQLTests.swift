import ArticleStore
import Foundation
import PostgreSQL
import StoreEngines
import TestSupport
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

    @Test("doctor names a missing index and a missing table on a server, and says what to do")
    func doctor() async throws {
        let (home, schema) = (try Home(), try await TemporarySchema())
        try await schema.run("DROP INDEX article_by_date", "DROP TABLE audit")
        let outcome = try await home.run("doctor", "--database", schema.address())
        #expect(outcome.status == 65)
        #expect(outcome.output.contains("CREATE INDEX article_by_date ON article"))
        #expect(outcome.output.contains("table audit") && outcome.output.contains("docs/postgresql.md"))
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

    @Test("A copy to a server that is killed continues, and accounts and sessions arrive")
    func transfer() async throws {
        let (home, schema) = (try Home(), try await TemporarySchema(isEmpty: true))
        try home.write("posts/one.md", "---\ntitle: Title one\n---\nThe one actor.\n")
        for arguments in [["migrate"], ["seed", "posts"], ["register", "ada", "--region", "SE", "--password-stdin"]] {
            #expect(try await home.run(arguments, input: Data((Home.password + "\n").utf8)).status == 0)
        }
        let copy = ["migrate", "--from", home.database, "--to", schema.address()]
        // The server makes the first transfer wait at the texts of the articles, where it is killed.
        #expect(try await home.run("migrate", "--database", schema.address()).status == 0)
        try await schema.pool.write { transaction in
            try await transaction.run(["LOCK TABLE article_body IN SHARE MODE"])
            let program = try #require(Program.articlesctl)
            let process = try ChildProcess(
                [program.path] + copy, environment: home.environment.map { "\($0)=\($1)" },
                streams: [.file("/dev/null"), .file("/dev/null"), .file("/dev/null")])
            while try await schema.pool.read([
                "SELECT FROM pg_locks WHERE NOT granted AND relation = 'article_body'::regclass"
            ])[0].isEmpty {}
            process.signal(SIGKILL)
            #expect(process.wait() == 128 + SIGKILL)
        }
        for arguments in [["list"], ["users"], ["migrate"], ["doctor"]] {
            let outcome = try await home.run(arguments + ["--database", schema.address()])
            #expect(outcome.status == 69, "\(arguments)")
            #expect(outcome.error.contains("unfinished copy"))
        }
        let outcome = try await home.run(copy + ["--json"])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try outcome.object().objects("tables").count == TransferTable.all.count)
        let login = try await home.run(
            "login", "ada", "--password-stdin", "--database", schema.address(), input: Home.password + "\n")
        #expect(login.status == 0)
        let original = try await home.run("export", "--format", "jsonfeed").output
        let copied = try await home.run("export", "--format", "jsonfeed", "--database", schema.address()).output
        #expect(original == copied && original.contains("The one actor."))
        #expect(try await home.run(copy).status == 73)
    }

    @Test(
        "A copy to a file that is unfinished is refused by other commands",
        arguments: [["list"], ["users"], ["migrate"], ["migrate", "status"], ["doctor"], ["backup", "b"]])
    func unfinishedFile(command: [String]) async throws {
        let home = try Home()
        #expect(try await home.run("migrate").status == 0)
        try await home.sql("CREATE TABLE unfinished_transfer (progress TEXT NOT NULL) STRICT")
        let outcome = try await home.run(command)
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("unfinished copy") && outcome.error.contains("--from PLACE --to PLACE"))
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
