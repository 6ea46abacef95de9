import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Encrypted connections and passwords", .withServer)
struct TLSTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func variable(_ name: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment["ARTICLES_POSTGRESQL_" + name])
    }

    /// The server's loopback address in a spelling that does not look like one, such as 127.1.515 for 127.1.2.3.
    private static func distantHost() throws -> String {
        let parts = try variable("HOST").split(separator: ".").compactMap { Int($0) }
        try #require(parts.count == 4)
        return "\(parts[0]).\(parts[1]).\(parts[2] * 256 + parts[3])"
    }

    /// Returns whether the server encrypts the connection that an address opens.
    private func isEncrypted(_ host: String, user: String = "articles", _ parameters: String) async throws -> Bool {
        var limits = ConnectionPool.Limits()
        limits.retries = 0
        let pool = try ConnectionPool(
            ServerAddress("postgres://\(user)@\(host)/postgres?\(parameters)"), limits: limits)
        let rows = try await pool.read(["SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"])
        return try rows[0].first?.value(0) ?? false
    }

    private func failure(_ host: String, user: String = "articles", _ parameters: String) async throws -> String {
        let error = await #expect(throws: PostgreSQLError.self) {
            try await isEncrypted(host, user: user, parameters)
        }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return ""
        }
        return reason
    }

    @Test("Off this machine, a server must prove its name, even if the address does not require it")
    func verifies() async throws {
        let (host, tls) = (try Self.distantHost(), try Self.variable("TLS"))
        #expect(try await isEncrypted(host, "sslrootcert=\(tls)/ca.pem"))
        #expect(try await failure(host, "sslrootcert=\(tls)/other.pem").contains("certificate verify failed"))
        #expect(try await failure(host, "sslrootcert=\(tls)/missing.pem").contains("does not exist"))
    }

    @Test("A certificate with another name is refused")
    func wrongName() async throws {
        let (host, tls) = (try Self.variable("HOST"), try Self.variable("TLS"))
        let parameters = "hostaddr=\(host)&sslmode=verify-full&sslrootcert=\(tls)/ca.pem"
        #expect(try await isEncrypted("db.test", parameters))
        #expect(try await failure("db.example", parameters).contains("does not match host name"))
    }

    @Test("The password comes from the file that the address names, and errors do not contain it")
    func passwordFile() async throws {
        let (host, pool) = (try Self.variable("HOST"), try Server.pool())
        let (password, wrong) = (UUID().uuidString, UUID().uuidString)
        try await pool.write { try await $0.run(script: "CREATE ROLE guarded LOGIN PASSWORD '\(password)'") }
        func file(_ password: String) throws -> String {
            let path = folder.file(password)
            try "*:*:*:guarded:\(password)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return path
        }
        #expect(try await isEncrypted(host, user: "guarded", "passfile=" + file(password)))
        let reason = try await failure(host, user: "guarded", "passfile=" + file(wrong))
        #expect(reason.contains("password authentication failed"))
        #expect(!reason.replacing(folder.file(wrong), with: "").contains(wrong))
    }
}
