import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite(
    "The server with a library on a PostgreSQL server",
    .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil })
struct PostgreSQLServerTests {
    @Test("The server creates the schema in an empty database, and serves its pages")
    func serves() async throws {
        let schema = try await TemporarySchema(isEmpty: true)
        let server = try RunningServer(["--database", schema.address(), "--listen", "127.0.0.1:0"])
        let url = try await server.url()
        #expect(try await server.curl(url + "readyz") == "ready\n")
        #expect(try await server.curl("-o", "/dev/null", "-w", "%{http_code}", url + "signup") == "200")
        // The tables exist.
        try await schema.run("SELECT FROM article", "SELECT FROM session")
        server.signal(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test("A newer schema is refused at the start")
    func newerSchema() async throws {
        let schema = try await TemporarySchema()
        try await schema.run("INSERT INTO schema_migration VALUES (9999, 'later', 'x', 0)")
        let server = try RunningServer(["--database", schema.address(), "--listen", "127.0.0.1:0"])
        let (code, lines) = await server.end()
        #expect(code == 69)
        #expect(lines.contains { $0.contains("version 9999") })
    }

    @Test("While the database is away, the server is not ready, and responses say when to try again")
    func away() async throws {
        let schema = try await TemporarySchema()
        let proxy = try CuttingProxy(cutAt: "no statement contains this", before: TemporarySchema.folder)
        defer { proxy.stop() }
        let name = "test" + UUID().uuidString
        let server = try RunningServer([
            "--database", schema.address("&host=\(proxy.folder)&application_name=\(name)"), "--listen", "127.0.0.1:0",
        ])
        let url = try await server.url()
        #expect(try await server.curl(url + "readyz") == "ready\n")
        proxy.stop()
        try await schema.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
        let ready = try await server.curl("-i", url + "readyz").lowercased()
        #expect(ready.contains("not ready: "))
        let page = try await server.curl("-i", url + "login").lowercased()
        let logIn = try await server.curl(
            "-i", "-d", #"{"username": "ada", "password": "wrong"}"#, "-H", "Content-Type: application/json",
            url + "api/v1/session"
        ).lowercased()
        for response in [ready, page, logIn] {
            #expect(response.hasPrefix("http/1.1 503") && response.contains("retry-after: 30"), "\(response)")
        }
        #expect(try await server.curl(url + "healthz") == "ok\n")
        _ = try await server.line(with: "cannot use the library: ")
    }
}
