import Foundation
import Testing

@Suite("Looking after the users")
struct UsersTests {
    /// A home with the operator `ada`, and `bob`, who is logged in.
    private func home() async throws -> Home {
        let home = try await Home.prepared()
        try #require(try await home.register("bob").status == 0)
        try #require(try await home.logIn("bob").status == 0)
        return home
    }

    @Test("the list says who there is and what they may do")
    func list() async throws {
        let home = try await home()
        let lines = try await home.run("users").lines.map { $0.split(separator: "\t").map(String.init) }
        #expect(lines.map { $0.prefix(4) } == [["1", "ada", "operator", "active"], ["2", "bob", "reader", "active"]])
        let users = try await home.run("users", "list", "--json").object().objects("users")
        #expect(users.map { $0.string("username") } == ["ada", "bob"])
        #expect(users.allSatisfy { $0.keys == ["disabled", "id", "region", "registered", "role", "username"] })
        #expect(users.allSatisfy { $0.isNull("disabled") })
        #expect(
            try await home.run("users", "show", "BOB").output.hasPrefix("bob\nid\t2\nrole\treader\nstate\tactive\n"))
        #expect(try await home.run("users", "show", "bob", "--json").object().string("role") == "reader")
    }

    @Test("a role is given, and recorded as the act of who runs the program")
    func role() async throws {
        let home = try await home()
        let outcome = try await home.run("users", "role", "bob", "editor")
        #expect(outcome.status == 0)
        #expect(outcome.output == "bob is an editor now.\n")
        #expect(try await home.run("whoami", "--json").object().string("role") == "editor")
        let name = try await home.shell("id -un").lines.first ?? ""
        #expect(
            try await home.sql("SELECT event, user_id, actor, detail FROM audit ORDER BY id DESC LIMIT 1")
                == "roleChanged|2|system:\(name)|editor")
    }

    @Test("who is no user, the last operator and what is no role are refused")
    func refused() async throws {
        let home = try await home()
        let nobody = try await home.run("users", "role", "eve", "editor")
        #expect(nobody.status == 66)
        #expect(nobody.error.contains("there is no user eve"))
        let last = try await home.run("users", "role", "ada", "reader")
        #expect(last.status == 65)
        #expect(last.error.contains("make somebody else one first"))
        #expect(try await home.run("users", "role", "ada", "king").status == 64)
        #expect(try await home.run("users", "show", "!").status == 65)
    }

    @Test("a place that the role does not allow is refused, and an operator is shown it")
    func barred() async throws {
        let home = try await home()
        let refused = try await home.run("open", "/users", "--no-input")
        #expect(refused.status == 77)
        #expect(refused.output.isEmpty)
        #expect(refused.error.contains("only an operator may do that"))
        try #require(try await home.run("users", "role", "bob", "operator").status == 0)
        #expect(try await home.run("open", "/users", "--no-input").lines.count == 2)
    }

    @Test("the graph of a role has no place that it bars")
    func flow() async throws {
        let home = try Home()
        #expect(try await home.run("flow").output.contains("/users"))
        #expect(try await home.run("flow", "--role", "operator").output.contains("/users"))
        let reader = try await home.run("flow", "--role", "reader", "--json").output
        #expect(!reader.contains("/users") && !reader.contains("/import") && reader.contains("/account"))
    }

    @Test("what is done to the library without a session is recorded as the act of who runs the program")
    func recorded() async throws {
        let home = try await Home.prepared()
        try home.write("posts/a.md", "# A\n\nText.\n")
        try await home.run("seed", "posts", "--dry-run")
        try await home.run("seed", "posts")
        try await home.run("add", "--title", "B", "--body", home.write("b.md", "Text."))
        try await home.run("delete", "a", "--yes")
        try await home.run("sources", "rename", "posts", "blog")
        try await home.run("sources", "remove", "blog", "--yes")
        let name = try await home.shell("id -un").lines.first ?? ""
        let log = try await home.sql(
            "SELECT detail FROM audit WHERE event = 'libraryChanged' AND actor = 'system:\(name)' ORDER BY id")
        let starts = log.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(starts == ["seed", "seed", "add", "delete", "sources rename", "sources remove"])
    }
}
