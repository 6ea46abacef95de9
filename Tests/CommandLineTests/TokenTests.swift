import Foundation
import Testing

@Suite("API tokens")
struct TokenTests {
    @Test("A token is shown once, listed with its last use, and revoked by its name")
    func life() async throws {
        let home = try await Home.signedIn()
        let made = try await home.run("tokens", "create", "backup", "--days", "7", "--json").object()
        #expect(made.keys == ["created", "expires", "id", "lastUsed", "name", "scope", "token"])
        #expect(made.string("scope") == "read")
        let token = try #require(made.string("token"))
        let listed = try await home.run("tokens", "--json").object().objects("tokens")
        #expect(listed.map(\.keys) == [["created", "expires", "id", "lastUsed", "name", "scope"]])
        #expect(listed.allSatisfy { $0.isNull("lastUsed") })
        #expect(try await home.run("tokens").lines.first?.hasSuffix("\tnever") == true)

        let used = try await home.shell("ARTICLESCTL_TOKEN=\(token) articlesctl list --limit 1")
        #expect(used.status == 0)
        #expect(used.lines.count == 1)
        #expect(try await home.run("tokens", "--json").object().objects("tokens").first?.isNull("lastUsed") == false)

        #expect(try await home.run("tokens", "create", "backup").status == 65)
        #expect(try await home.run("tokens", "revoke", "backup").output == "Revoked “backup”.\n")
        #expect(try await home.run("tokens", "revoke", "backup").status == 66)
        #expect(try await home.shell("ARTICLESCTL_TOKEN=\(token) articlesctl list").status == 77)
    }

    @Test("A token is not a log-in")
    func scope() async throws {
        let home = try await Home.signedIn()
        let token = try #require(
            try await home.run("tokens", "create", "ci", "--scope", "write").lines.first)
        for command in ["tokens", "sessions", "tokens create more", "account rename eve", "logout", "account export"] {
            let refused = try await home.shell("ARTICLESCTL_TOKEN=\(token) articlesctl \(command) --no-input")
            #expect(refused.status == 77, "\(command)")
        }
        let who = try await home.shell("ARTICLESCTL_TOKEN=\(token) articlesctl whoami").output
        #expect(who.hasPrefix("ada\n"))
        #expect(who.contains("\t\(token.dropFirst(5).prefix(16)) “ci”"))
        let object = try await home.shell("ARTICLESCTL_TOKEN=\(token) articlesctl whoami --json").object()
        #expect(object.keys == ["region", "registered", "role", "token", "username"])
        #expect(try object.object("token").string("name") == "ci")
    }

    @Test(
        "An invalid lifetime or scope is refused",
        arguments: [["--days", "0"], ["--days", "400"], ["--scope", "all"]])
    func refused(options: [String]) async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run(["tokens", "create", "x"] + options).status == 64)
        #expect(try await home.run("tokens").output.isEmpty)
    }
}
