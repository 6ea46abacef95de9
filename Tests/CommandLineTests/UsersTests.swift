import Foundation
import Testing

@Suite("Managing users")
struct UsersTests {
    /// Returns a home with the operator `ada`, and `bob`, who is logged in.
    private func home() async throws -> Home {
        let home = try await Home.prepared()
        try #require(try await home.register("bob").status == 0)
        try #require(try await home.logIn("bob").status == 0)
        return home
    }

    @Test("The list shows the users and their roles")
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

    @Test("An operator sees the sessions of a user, and ends one")
    func endOne() async throws {
        let home = try await home()
        let sessions = try await home.run("users", "sessions", "bob", "--json").object().objects("sessions")
        let id = try #require(sessions.first?.string("id"))
        #expect(sessions.count == 1)
        #expect(try await home.run("users", "logout", "ada", id).status == 66)
        let nonsense = try await home.run("users", "logout", "bob", "nonsense")
        #expect(nonsense.status == 66)
        #expect(nonsense.error.contains("articlesctl users sessions bob"))
        #expect(try await home.run("users", "logout", "bob", id).output.contains(id))
        #expect(try await home.run("whoami", "--no-input").status == 77)
        #expect(try await home.run("users", "sessions", "bob").lines.isEmpty)
    }

    @Test("All sessions of a user are ended, and recorded as the action of the system's user")
    func logOut() async throws {
        let home = try await home()
        #expect(try await home.run("users", "logout", "bob").output.contains("bob"))
        #expect(try await home.run("whoami", "--no-input").status == 77)
        #expect(try await home.run("users", "logout", "bob", "--json").object().integer("ended") == 0)
        #expect(try await home.run("users", "logout", "eve").status == 66)
        let name = try await home.shell("id -un").lines.first ?? ""
        #expect(
            try await home.sql("SELECT event, user_id, actor FROM audit WHERE user_id = 2 ORDER BY id DESC LIMIT 1")
                == "loggedOutEverywhere|2|system:\(name)")
    }

    @Test("A role is given, and recorded as the action of the system's user")
    func role() async throws {
        let home = try await home()
        let outcome = try await home.run("users", "role", "bob", "editor")
        #expect(outcome.status == 0)
        #expect(try await home.run("whoami", "--json").object().string("role") == "editor")
        let name = try await home.shell("id -un").lines.first ?? ""
        #expect(
            try await home.sql("SELECT event, user_id, actor, detail FROM audit ORDER BY id DESC LIMIT 1")
                == "roleChanged|2|system:\(name)|editor")
    }

    @Test("An unknown user, the last operator, and an unknown role are refused")
    func refused() async throws {
        let home = try await home()
        let nobody = try await home.run("users", "role", "eve", "editor")
        #expect(nobody.status == 66)
        #expect(nobody.error.contains("eve"))
        let last = try await home.run("users", "role", "ada", "reader")
        #expect(last.status == 65)
        #expect(try await home.run("users", "role", "ada", "king").status == 64)
        #expect(try await home.run("users", "show", "!").status == 65)
    }

    @Test("A place that the role does not permit is refused, and an operator sees it")
    func barred() async throws {
        let home = try await home()
        let refused = try await home.run("open", "/users", "--no-input")
        #expect(refused.status == 77)
        #expect(refused.output.isEmpty)
        try #require(try await home.run("users", "role", "bob", "operator").status == 0)
        #expect(try await home.run("open", "/users", "--no-input").lines.count == 2)
    }

    @Test("The graph of a role does not contain places that it bars")
    func flow() async throws {
        let home = try Home()
        #expect(try await home.run("flow").output.contains("/users"))
        #expect(try await home.run("flow", "--role", "operator").output.contains("/users"))
        let reader = try await home.run("flow", "--role", "reader", "--json").output
        #expect(!reader.contains("/users") && !reader.contains("/import") && reader.contains("/account"))
    }

    @Test("Changes of the library without a session are recorded as actions of the system's user")
    func recorded() async throws {
        let home = try await Home.prepared()
        try home.write("posts/a.md", "# A\n\nText.\n")
        try home.write("empty/a.txt", "")
        try home.write("wrong.json", "wrong")
        #expect(try await home.run("seed", "posts", "--dry-run").status == 0)
        #expect(try await home.run("seed", "none.md").status == 66)
        #expect(try await home.run("seed", "posts", "none.md").status == 66)
        #expect(try await home.run("seed", "empty").status == 0)
        #expect(try await home.run("seed", "wrong.json").status == 65)
        #expect(try await home.run("seed", "--strict", "posts", "wrong.json").status == 65)
        try await home.run("seed", "posts")
        try await home.run("add", "--title", "B", "--body", home.write("b.md", "Text."))
        let editor = try home.write("editor.sh", "sed -i 's/Text/Other text/' \"$1\"\n")
        try await home.run("edit", "a", environment: ["EDITOR": "sh \(editor)", "TMPDIR": home.folder.path])
        try await home.run("edit", "b", environment: ["EDITOR": "true", "TMPDIR": home.folder.path])
        try await home.run("delete", "a", "--yes")
        try await home.run("sources", "rename", "posts", "blog")
        try await home.run("sources", "remove", "blog", "--yes")
        let name = try await home.shell("id -un").lines.first ?? ""
        let log = try await home.sql(
            "SELECT detail FROM audit WHERE event = 'libraryChanged' AND actor = 'system:\(name)' ORDER BY id")
        // A command that changed nothing has left no entry.
        let starts = log.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(starts == ["seed", "seed", "add", "edit", "delete", "sources rename", "sources remove"])
    }
}

@Suite("Forgotten passwords, disabled and deleted users")
struct AccountCareTests {
    private static let new = "quite another passphrase, long"

    /// A home with the operator `ada`, and `bob`, who is logged in.
    private func home() async throws -> Home {
        let home = try await Home.prepared()
        try #require(try await home.register("bob").status == 0)
        try #require(try await home.logIn("bob").status == 0)
        return home
    }

    @Test("A disabled user is out immediately, and in again when enabled")
    func disable() async throws {
        let home = try await home()
        #expect(try await home.run("users", "disable", "bob").status == 0)
        #expect(try await home.run("whoami", "--no-input").status == 77)
        let refused = try await home.logIn("bob")
        #expect(refused.status == 77)
        #expect(try await refused.error == home.logIn("nobody").error)
        #expect(try await !home.run("users", "show", "bob", "--json").object().isNull("disabled"))
        #expect(try await home.run("users", "enable", "bob").status == 0)
        #expect(try await home.logIn("bob").status == 0)
        #expect(try await home.run("users", "disable", "ada").status == 65)
    }

    @Test("A code resets a forgotten password, once")
    func reset() async throws {
        let home = try await home()
        let issued = try await home.run("users", "reset", "bob", "--json").object()
        #expect(issued.keys == ["code", "expires", "username"])
        let code = try #require(issued.string("code"))
        let input = code.lowercased() + "\n" + Self.new + "\n"
        let done = try await home.run("passwd", "--reset-code", "--password-stdin", input: input)
        #expect(done.status == 0)
        #expect(try await home.run("whoami", "--no-input").status == 77)
        #expect(try await home.logIn("bob").status == 77)
        #expect(try await home.logIn("bob", password: Self.new).status == 0)
        let again = try await home.run("passwd", "--reset-code", "--password-stdin", input: input)
        #expect(again.status == 77)
        #expect(try await home.run("users", "reset", "bob").output.split(separator: "-").count == 7)
    }

    @Test("The user, and an owner of the file, change the name and the region")
    func change() async throws {
        let home = try await home()
        let device = try #require(home.deviceFiles.first { $0.hasSuffix("-bob") })
        #expect(try await home.run("account", "rename", "Bobby").status == 0)
        #expect(FileManager.default.contentsEqual(atPath: device, andPath: device + "by"))
        #expect(try await home.run("account", "region", "JP", "--json").object().string("region") == "JP")
        #expect(try await home.run("whoami", "--json").object().string("username") == "bobby")
        #expect(try await home.run("account", "rename", "ada").status == 65)
        #expect(try await home.run("account", "region", "XX").status == 65)
        #expect(try await home.run("users", "rename", "bobby", "bob").status == 0)
        #expect(try await home.run("account").output.hasPrefix("bob\n"))
    }

    @Test("A user who deletes the account with the password leaves its log")
    func delete() async throws {
        let home = try await home()
        try #require(try await home.run("tokens", "create", "backup").status == 0)
        _ = try await home.sql(
            """
            INSERT INTO session_place SELECT id, '/articles' FROM session;
            INSERT INTO user_appearance VALUES (2, 'dark');
            """)
        for command in [["mark", "read", "--all"], ["tag", "mine", "1"], ["note", "1", "mine"], ["star", "1"]] {
            try #require(try await home.run(command).status == 0)
        }
        #expect(try await home.run("account", "delete", "--no-input", "--password-stdin").status == 64)
        let wrong = try await home.run("account", "delete", "--yes", "--password-stdin", input: "wrong\n")
        #expect(wrong.status == 77)
        #expect(try await home.run("whoami").status == 0)
        let gone = try await home.run("account", "delete", "--yes", "--password-stdin", input: Home.password + "\n")
        #expect(gone.status == 0)
        #expect(home.tokenFiles.isEmpty)
        #expect(try await home.sql("SELECT username FROM user") == "ada")
        for table in [
            "session", "user_appearance", "device", "api_token", "article_mark", "article_note", "own_tag", "all_read",
            "source_read", "label_read",
        ] {
            #expect(try await home.sql("SELECT count(*) FROM \(table) WHERE user_id = 2") == "0", "\(table)")
        }
        #expect(
            try await home.sql(
                "SELECT count(*) FROM session_place WHERE session_id NOT IN (SELECT id FROM session)") == "0")
        #expect(try await home.sql("SELECT event FROM audit WHERE user_id = 2 ORDER BY id DESC LIMIT 1") == "deleted")
    }

    @Test("An owner of the file is asked before deleting an account, whose number is never used again")
    func deleteUser() async throws {
        let home = try await home()
        #expect(try await home.run("users", "delete", "bob", "--no-input").status == 64)
        #expect(try await home.run("users", "delete", "bob", "--yes").status == 0)
        #expect(try await home.run("whoami", "--no-input").status == 77)
        #expect(try await home.run("users", "delete", "bob", "--yes").status == 66)
        try await home.register("eve")
        #expect(try await home.run("users", "show", "eve", "--json").object().integer("id") == 3)
    }

    @Test("A user's data are exported for the user, and that is recorded")
    func export() async throws {
        let home = try await home()
        let kept = try await home.run("account", "export").object()
        #expect(
            kept.keys == [
                "allRead", "appearance", "log", "marks", "quietSources", "rules", "savedSearches", "secondFactor",
                "sessions", "tokens", "user",
            ])
        #expect(try kept.object("user").string("username") == "bob")
        #expect(try kept.objects("sessions").count == 1)
        #expect(try kept.objects("log").map { $0.string("event") } == ["registered", "loggedIn"])
        let again = try await home.run("account", "export").object()
        #expect(try again.objects("log").last?.string("event") == "exported")
        #expect(try await home.run("logout").status == 0)
        #expect(try await home.run("account", "export", "--no-input").status == 77)
    }
}

@Suite("The right to make an account")
struct RegistrationTests {
    @Test("An invitation makes one account, and nobody registers while registration is closed")
    func invitation() async throws {
        let home = try await Home.prepared()
        #expect(try await home.run("users", "registration").output == "open\n")
        #expect(try await home.run("users", "registration", "invitation").output == "invitation\n")
        let refused = try await home.register("bob")
        #expect(refused.status == 77 && refused.error.contains("--invited"))
        let code = try #require(try await home.run("users", "invite", "--json").object().string("code"))
        func register(_ name: String) async throws -> Outcome {
            try await home.run(
                "register", name, "--region", "SE", "--invited", "--password-stdin",
                input: code + "\n" + Home.password + "\n")
        }
        #expect(try await register("bob").status == 0)
        #expect(try await register("eve").status == 77)
        #expect(try await home.logIn("bob").status == 0)
        #expect(try await home.run("users", "registration", "closed").status == 0)
        let closed = try await home.register("eve")
        #expect(closed.status == 77)
        #expect(try await home.run("users").lines.count == 2)
    }

    @Test("A reserved name is refused", arguments: ["admin", "Root"])
    func reserved(name: String) async throws {
        let home = try await Home.prepared()
        #expect(try await home.register(name).status == 65)
    }
}
