import Foundation
import PostgreSQL
import StoreEngines
import Synchronization
import TestSupport
import Testing

/// Addresses and servers that cannot be used, and servers that disappear.
@Suite(
    "Failures of a library on a PostgreSQL server",
    .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil })
struct PostgreSQLFailureTests {
    private let home: Home

    init() throws { home = try Home() }

    /// Runs a command that must fail with a message and the next step.
    @discardableResult
    private func refusal(
        _ arguments: String..., by url: String, status: Int32 = 69, location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await home.run(arguments + ["--json", "--database", url], location: location)
        #expect(outcome.status == status, "\(outcome.error)", sourceLocation: location)
        let failure = try outcome.failure()
        #expect(failure.string("hint") != nil, "\(outcome.error)", sourceLocation: location)
        return try #require(failure.string("message"))
    }

    private static func variable(_ name: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment["ARTICLES_POSTGRESQL" + name])
    }

    @Test(
        "An address that is not the URL of a database is refused",
        arguments: [
            "postgres://[::1", "postgres://host/articles?nonsense=1", "postgres://host:port/articles", "mysql://host/x",
        ])
    func address(url: String) async throws { try await refusal("list", by: url, status: 64) }

    @Test("A server that is not there is reported")
    func missing() async throws {
        let host = try Self.variable("_HOST")
        for url in ["postgres:///articles?host=\(home.path("nowhere"))", "postgres://\(host):1/articles"] {
            #expect(try await refusal("list", by: url).contains("Cannot connect to the database"))
        }
    }

    @Test("A database, a role, a password, and a certificate that are wrong are reported")
    func wrong() async throws {
        let (host, tls, url) = (try Self.variable("_HOST"), try Self.variable("_TLS"), try Self.variable(""))
        #expect(try await refusal("list", by: url + "&dbname=absent").contains("absent"))
        #expect(try await refusal("list", by: url + "&user=stranger").contains("stranger"))
        let certificate = "&sslmode=verify-full&sslrootcert=\(tls)/other.pem"
        #expect(try await refusal("list", by: url + "&host=\(host)" + certificate).contains("certificate"))
        let schema = try await TemporarySchema()
        try await schema.pool.write(["CREATE ROLE guarded LOGIN PASSWORD 'right'"])
        let file = try home.write("pgpass", "*:*:*:*:wrong\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let message = try await refusal("list", by: url + "&host=\(host)&user=guarded&passfile=\(file)")
        #expect(message.contains("password authentication failed"))
    }

    @Test("A server with an older version of PostgreSQL is refused by commands and by the server")
    func version() async throws {
        let schema = try await TemporarySchema()
        let rows = try await schema.pool.read(["SELECT current_setting('server_version')"])
        let version: String = try #require(rows[0].first).value(0)
        let major = version.prefix { $0 != "." }
        let proxy = try CuttingProxy(
            replacing: "server_version\0" + major,
            with: "server_version\0" + String(repeating: "1", count: major.count), before: TemporarySchema.folder)
        defer { proxy.stop() }
        let url = schema.address("&host=\(proxy.folder)")
        for command in ["list", "migrate", "users"] {
            #expect(try await refusal(command, by: url).contains("PostgreSQL 11"))
        }
    }

    @Test("Missing rights are reported, and nothing is changed")
    func rights() async throws {
        let schema = try await TemporarySchema()
        let role = "r" + UUID().uuidString.replacing("-", with: "").lowercased()
        try await schema.run(
            "CREATE ROLE \(role) LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema.name) TO \(role)")
        try home.write("posts/one.md", "---\ntitle: One\n---\nText.\n")
        let url = schema.address("&user=\(role)")
        try await refusal("list", by: url)
        try await schema.run("GRANT USAGE ON SCHEMA \(schema.name) TO \(role)")
        // The roles of users are in the library, so a login is still needed.
        #expect(try await home.run("list", "--database", url).status == 77)
        #expect(try await refusal("seed", "posts", by: url).contains("permission denied"))
        #expect(try await home.run("list", "--json", "--database", schema.address()).output.contains("one") == false)
        try await schema.run("DROP OWNED BY \(role)", "DROP ROLE \(role)")
    }

    @Test("A role that may only read, and one without a free connection, are reported with the cause")
    func limitedRoles() async throws {
        let schema = try await TemporarySchema()
        let role = "r" + UUID().uuidString.replacing("-", with: "").lowercased()
        let url = schema.address("&user=\(role)")
        try await schema.run("CREATE ROLE \(role) LOGIN", "ALTER ROLE \(role) SET default_transaction_read_only = on")
        #expect(try await refusal("list", by: url, status: 74).contains("read-only"))
        try await schema.run("ALTER ROLE \(role) RESET ALL", "ALTER ROLE \(role) CONNECTION LIMIT 0")
        #expect(try await refusal("list", by: url, status: 75).contains("no free connection"))
        try await schema.run("DROP ROLE \(role)")
    }

    @Test("A database that does not have all characters is refused")
    func encoding() async throws {
        let (name, url) = ("latin" + UUID().uuidString.replacing("-", with: "").lowercased(), try Self.variable(""))
        let created = try await home.shell(
            #"psql -qX "$1" -c "CREATE DATABASE $2 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0""#,
            url, name)
        try #require(created.status == 0, "\(created.error)")
        #expect(try await refusal("migrate", by: url + "&dbname=\(name)").contains("LATIN1"))
        #expect(try await home.shell(#"psql -qX "$1" -c "DROP DATABASE $2""#, url, name).status == 0)
    }

    /// The commands, and a query that counts their effect.
    private static let commands: [(command: [String], effect: String?)] = [
        (["list"], nil), (["show", "one"], nil), (["search", "actor"], nil), (["stats"], nil), (["users"], nil),
        (["export", "--format", "jsonfeed"], nil),
        (["seed", "more"], "SELECT count(*) FROM article WHERE slug = 'two'"),
        (["delete", "one", "--yes"], "SELECT 1 - count(*) FROM article WHERE slug = 'one'"),
        (
            ["register", "bob", "--region", "SE", "--no-login", "--password-stdin"],
            "SELECT count(*) FROM account WHERE username = 'bob'"
        ),
        (["star", "one"], "SELECT count(*) FROM article_star"),
        (["login", "ada", "--password-stdin"], nil),
    ]

    @Test(
        "If the server disappears with any message of a command, the command says so, and can be repeated",
        arguments: Self.commands.indices)
    func disappearance(index: Int) async throws {
        let (command, effect) = Self.commands[index]
        let schema = try await TemporarySchema(isEmpty: true)
        let input = Home.password + "\n"
        for (folder, slug) in [("posts", "one"), ("more", "two")] {
            try home.write("\(folder)/\(slug).md", "---\ntitle: Title \(slug)\n---\nThe actor.\n")
        }
        for arguments in [
            ["migrate"], ["seed", "posts"], ["register", "ada", "--region", "SE", "--no-login", "--password-stdin"],
            ["login", "ada", "--password-stdin"],
        ] {
            let outcome = try await home.run(arguments + ["--database", schema.address()], input: Data(input.utf8))
            try #require(outcome.status == 0, "\(outcome.error)")
        }
        // The session belongs to the address without the proxy.
        let token = try String(contentsOfFile: home.tokenFile(), encoding: .utf8).trimmingCharacters(in: .newlines)
        for messages in 0... {
            let isGone = Atomic(false)
            let proxy = try CuttingProxy(goneAfter: messages, before: TemporarySchema.folder) {
                isGone.store(true, ordering: .relaxed)
            }
            defer { proxy.stop() }
            let outcome = try await home.run(
                command + ["--json", "--database", schema.address("&host=\(proxy.folder)")], input: Data(input.utf8),
                environment: command[0] == "login" ? [:] : ["ARTICLESCTL_TOKEN": token])
            guard isGone.load(ordering: .relaxed) else {
                // The command may have done its work before it lost the server, and then it refuses to do it again.
                #expect([0, 65, 66].contains(outcome.status), "\(outcome.error)")
                break
            }
            #expect([0, 65, 66, 69, 75].contains(outcome.status), "\(messages): \(outcome.error)")
            guard outcome.status >= 69 else { continue }
            #expect(try outcome.failure().string("hint") != nil, "\(outcome.error)")
        }
        if let effect {
            let count: Int = try #require(try await schema.pool.read([.init(effect)])[0].first).value(0)
            #expect(count == 1)
        }
        #expect(try await home.run("doctor", "--database", schema.address()).status == 0)
    }
}
