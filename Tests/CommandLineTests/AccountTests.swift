import Foundation
import Testing

@Suite("Accounts and sessions")
struct AccountTests {
    @Test("A reader can register, log in, list, and log out")
    func wayThrough() async throws {
        let home = try await Home.migrated()
        let registered = try await home.register("Ada")
        #expect(registered.status == 0)
        #expect(registered.output.contains("ada"))
        #expect(try await home.run("whoami").status == 77)

        let loggedIn = try await home.logIn("ada")
        #expect(loggedIn.status == 0)
        #expect(loggedIn.output.contains("ada"))
        #expect(
            try await home.shell("stat -c %a state/articlesctl state/articlesctl/*").lines == ["700", "600", "600"])

        #expect(try await home.run("whoami").output.hasPrefix("ada\nrole\toperator\nregion\tSweden (SE)\n"))
        let account = try await home.run("whoami", "--json").object()
        #expect(account.keys == ["region", "registered", "role", "session", "username"])
        #expect(account.string("username") == "ada")
        #expect(account.string("region") == "SE")
        #expect(try account.object("session").keys == ["client", "created", "expires", "id", "lastUsed", "origin"])

        let loggedOut = try await home.run("logout")
        #expect(loggedOut.status == 0)
        #expect(home.tokenFiles.isEmpty)
        #expect(try await home.sql("SELECT count(*) FROM session") == "0")
        let again = try await home.run("logout")
        #expect(again.status == 77)
        #expect(again.output.isEmpty)
    }

    @Test("With --json each step is one object")
    func json() async throws {
        let home = try await Home.migrated()
        let registered = try await home.run(
            "register", "ada", "-r", "se", "--password-stdin", "--json", input: Home.password + "\r\n")
        #expect(try registered.object().keys == ["username"])
        let loggedIn = try await home.run("login", "ada", "--password-stdin", "--json", input: Home.password)
        #expect(try loggedIn.object().keys == ["region", "registered", "role", "session", "username"])
        let changed = try await home.run(
            "passwd", "--password-stdin", "--json", input: Home.password + "\n" + Home.otherPassword + "\n")
        #expect(try changed.object().bool("changed") == true)
        let loggedOut = try await home.run("logout", "--json")
        #expect(try loggedOut.object().bool("loggedOut") == true)
        #expect([registered, loggedIn, changed, loggedOut].allSatisfy { $0.status == 0 && $0.error.isEmpty })
    }

    @Test("Neither password nor token is in the database, nor in the log beside it")
    func noSecretAtRest() async throws {
        let home = try await Home.migrated()
        try await home.register("ada")
        try await home.logIn("ada")
        let token = try String(contentsOfFile: home.tokenFile(), encoding: .utf8)
        let secret = try #require(token.split(whereSeparator: ".\n".contains).last)
        #expect(secret.count >= 43)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path("data/articlesctl"))
        #expect(names.count >= 2)
        for name in names {
            let data = try Data(contentsOf: home.folder.appendingPathComponent("data/articlesctl/" + name))
            #expect(data.range(of: Data(Home.password.utf8)) == nil)
            #expect(data.range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test(
        "Without a session, a command that needs one exits with 77 and says what to run",
        arguments: [
            ["list"], ["show", "article-1"], ["whoami"], ["logout"], ["sessions"], ["sessions", "revoke", "x"],
            ["open", "/account"], ["passwd", "--password-stdin"], ["logout", "--everywhere"],
        ])
    func notLoggedIn(_ command: [String]) async throws {
        let home = try await Home.prepared()
        let input = Data("a\nb\n".utf8)
        let outcome = try await home.run(command, input: input)
        #expect(outcome.status == 77)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.hasSuffix(" articlesctl login\n"))
        let failure = try await home.run(command + ["--json"], input: input).failure()
        #expect(failure.integer("code") == 77)
        #expect(failure.string("hint")?.hasSuffix(" articlesctl login") == true)
    }

    @Test("A wrong password and an unknown name get the same message")
    func wrongPassword() async throws {
        let home = try await Home.prepared()
        let wrong = try await home.logIn("ada", password: Home.otherPassword)
        let unknown = try await home.logIn("nobody", password: Home.otherPassword)
        #expect(wrong.status == 77)
        #expect(wrong.output.isEmpty)
        #expect(unknown.status == 77)
        #expect(unknown.error == wrong.error)
        #expect(home.tokenFiles.isEmpty)
    }

    @Test("After many wrong passwords the right one has to wait too")
    func throttling() async throws {
        let home = try await Home.prepared()
        for _ in 0..<5 {
            #expect(try await home.logIn("ada", password: Home.otherPassword).status == 77)
        }
        // As if there had been many more failures, so that the delay outlasts a slow machine.
        _ = try await home.sql("UPDATE attempt_counter SET failures = failures + 20")
        let outcome = try await home.logIn("ada")
        #expect(outcome.status == 75)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(/too many attempts; try again in 1[0-5] minutes/))
        let failure = try await home.run(
            "login", "ada", "--password-stdin", "--json", input: Home.password
        ).failure()
        #expect(failure.integer("code") == 75)
    }

    @Test("Guesses elsewhere do not lock out known devices or passwd")
    func guessedElsewhere() async throws {
        let (home, elsewhere) = (try await Home.prepared(), try Home())
        try await #require(home.logIn("ada").status == 0)
        #expect(try await home.shell("stat -c %a '\(#require(home.deviceFiles.first))'").output == "600\n")
        func guess(_ password: String) async throws -> Outcome {
            try await elsewhere.run(
                "login", "ada", "--password-stdin", input: password,
                environment: ["ARTICLESCTL_DATABASE": home.database])
        }
        for _ in 0..<5 { #expect(try await guess(Home.otherPassword).status == 77) }
        _ = try await home.sql("UPDATE attempt_counter SET failures = failures + 20")
        #expect(try await guess(Home.password).status == 75)
        #expect(elsewhere.deviceFiles.isEmpty)

        let passwords = "\(Home.password)\n\(Home.otherPassword)\n"
        #expect(try await home.run("passwd", "--password-stdin", input: passwords).status == 0)
        #expect(try await home.run("logout").status == 0)
        #expect(try await home.logIn("ada", password: Home.otherPassword).status == 0)
        #expect(home.deviceFiles.count == 1)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let password: String
        let code: Int32
        let message: String
        var testDescription: String { message }
    }

    static let refusals = [
        Refusal(
            arguments: ["eve", "-r", "SE"], password: "correcthorsebatterystaple", code: 65, message: "common password"),
        Refusal(
            arguments: ["ada", "-r", "SE"], password: Home.password, code: 65, message: "the username ada is taken"),
        Refusal(
            arguments: ["ＡＤＡ", "-r", "SE"], password: Home.password, code: 65, message: "the username ada is taken"),
        Refusal(arguments: ["eve", "-r", "SE"], password: "letmein", code: 65, message: "at least 15"),
        Refusal(arguments: ["eve", "-r", "SE"], password: "passwordpassword1", code: 65, message: "easy to guess"),
        Refusal(
            arguments: ["eve", "-r", "SE"], password: String(repeating: "long ", count: 300), code: 65,
            message: "1024"),
        Refusal(arguments: ["eve", "-r", "XX"], password: Home.password, code: 65, message: "not a country code"),
        Refusal(arguments: ["eve", "-r", "Sweden"], password: Home.password, code: 65, message: "such as DE or JP"),
        Refusal(arguments: ["e", "-r", "SE"], password: Home.password, code: 65, message: "at least 2 characters"),
        Refusal(arguments: ["two words", "-r", "SE"], password: Home.password, code: 65, message: "letters a to z"),
        Refusal(arguments: ["eve"], password: Home.password, code: 64, message: "missing --region"),
        Refusal(arguments: ["-r", "SE"], password: Home.password, code: 64, message: "missing USERNAME"),
    ]

    @Test("An impossible account is refused with what to do better", arguments: refusals)
    func refusal(_ refusal: Refusal) async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run(
            ["register", "--password-stdin"] + refusal.arguments, input: Data((refusal.password + "\n").utf8))
        #expect(outcome.status == refusal.code)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(refusal.message))
        #expect(!outcome.error.contains(refusal.password))
        #expect(try await home.sql("SELECT count(*) FROM user") == "1")
    }

    @Test(
        "Without a terminal, the message names the missing value",
        arguments: [
            (["register"], "missing USERNAME, --region and --password-stdin"),
            (["login"], "missing USERNAME and --password-stdin"),
            (["login", "ada"], "missing --password-stdin: there is no terminal for a prompt"),
            (["login", "ada", "--no-input"], "missing --password-stdin: --no-input forbids prompts"),
            (["passwd"], "missing --password-stdin"),
            (["login", "ada", "--password-stdin"], "--password-stdin needs one line"),
            (["passwd", "--password-stdin"], "--password-stdin needs 2 lines"),
        ])
    func missingAnswers(_ command: [String], _ message: String) async throws {
        let outcome = try await Home.prepared().run(command)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(message))
        #expect(outcome.error.contains("--help"))
    }

    @Test("A password that is not UTF-8 is refused")
    func passwordEncoding() async throws {
        let outcome = try await Home.prepared().run(
            ["login", "ada", "--password-stdin"], input: Data([0xFF, 0xFE, 0x0A]))
        #expect(outcome.status == 65)
        #expect(outcome.error.contains("UTF-8"))
    }

    @Test("A new password ends every other session, and the old one is refused")
    func passwordChange() async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        let both = Home.password + "\n" + Home.otherPassword + "\n"
        let wrong = try await home.run(
            "passwd", "--password-stdin", input: Home.otherPassword + "\n" + Home.otherPassword + "\n")
        #expect(wrong.status == 77)
        let weak = try await home.run("passwd", "--password-stdin", input: Home.password + "\npassword\n")
        #expect(weak.status == 65)
        let changed = try await home.run("passwd", "--password-stdin", input: both)
        #expect(changed.status == 0)
        #expect(try await home.run("whoami").status == 0)
        #expect(try await home.run("sessions", "list").lines.count == 1)
        #expect(try await home.logIn("ada").status == 77)
        #expect(try await home.logIn("ada", password: Home.otherPassword).status == 0)
    }

    @Test("Sessions are listed and ended, one or all")
    func sessions() async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        let list = try await home.run("sessions", "--json").object()
        #expect(list.keys == ["sessions"])
        let sessions = try list.objects("sessions")
        #expect(sessions.count == 2)
        #expect(
            sessions.allSatisfy { $0.keys == ["client", "created", "current", "expires", "id", "lastUsed", "origin"] })
        #expect(sessions.filter { $0.bool("current") == true }.count == 1)
        #expect(try await home.run("sessions", "list", "--json").object().objects("sessions").count == 2)
        #expect(try await home.run("sessions").lines.filter { $0.contains("\tcurrent, ") }.count == 1)

        let unknown = try await home.run("sessions", "revoke", "0123456789abcdef")
        #expect(unknown.status == 66)
        #expect(unknown.output.isEmpty)
        #expect(unknown.error.contains("“0123456789abcdef”"))

        let other = try #require(sessions.first { $0.bool("current") == false }?.string("id"))
        let revoked = try await home.run("sessions", "revoke", other, "--json")
        #expect(revoked.status == 0)
        #expect(try revoked.object().string("revoked") == other)
        let own = try #require(sessions.first { $0.bool("current") == true }?.string("id"))
        #expect(try await home.run("sessions", "revoke", own).status == 0)
        #expect(try await home.run("whoami").status == 77)
        #expect(home.tokenFiles.isEmpty)
    }

    @Test("Logging out everywhere ends all sessions")
    func everywhere() async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        #expect(try await home.run("logout", "--everywhere").output.contains("2"))
        #expect(try await home.sql("SELECT count(*) FROM session") == "0")
    }

    @Test("Several users have accounts in one database, and nobody ends another's session")
    func severalUsers() async throws {
        let home = try await Home.signedIn()
        let bob = ["ARTICLESCTL_TOKEN": ""]
        try await home.register("bob", password: Home.otherPassword)
        try await home.run(
            ["login", "bob", "--password-stdin"], input: Data(Home.otherPassword.utf8), environment: bob)
        #expect(try await home.run("whoami").output.hasPrefix("ada\n"))
        #expect(try await home.run("whoami", environment: bob).output.hasPrefix("bob\n"))
        let session = try await home.run("whoami", "--json").object().object("session")
        let id = try #require(session.string("id"))
        #expect(try await home.run("sessions", "revoke", id, environment: bob).status == 66)
        #expect(try await home.run("whoami").status == 0)
        // A login in bob's place ends bob's session.
        let ada = try await home.run(
            ["login", "ada", "--password-stdin"], input: Data(Home.password.utf8), environment: bob)
        #expect(ada.status == 0)
        #expect(ada.error.contains("bob"))
        #expect(try await home.sql("SELECT DISTINCT username FROM session JOIN user ON user.id = user_id") == "ada")
    }

    @Test("Each database has its own session")
    func twoDatabases() async throws {
        let home = try await Home.prepared()
        try await home.shell("cp -R data other")
        try await home.logIn("ada")
        let other = ["ARTICLESCTL_DATABASE": home.path("other/articlesctl/articles.db")]
        #expect(try await home.run("whoami", environment: other).status == 77)
        try await home.run(["login", "ada", "--password-stdin"], input: Data(Home.password.utf8), environment: other)
        #expect(home.tokenFiles.count == 2)
        try await home.run("logout")
        #expect(try await home.run("whoami").status == 77)
        #expect(try await home.run("whoami", environment: other).status == 0)
        // The database is the same, whatever the spelling of its path.
        #expect(try await home.run("whoami", "--database", "./other/../other/articlesctl/articles.db").status == 0)
    }

    @Test("A session file that others may have read or written is refused, with what to do")
    func tokenFileModes() async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        let file = try home.tokenFile()
        func refused() async throws {
            let outcome = try await home.run("whoami")
            #expect(outcome.status == 74)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains(" \(file) "))
        }
        for mode in ["640", "604"] {
            try await home.shell("chmod \(mode) '\(file)'")
            try await refused()
        }
        for mode in ["660", "602"] {
            try await home.shell("chmod \(mode) '\(file)'")
            try await refused()
        }
        try await home.shell("chmod 600 '\(file)'")
        #expect(try await home.run("whoami").status == 0)
        if getuid() == 0 {
            try await home.shell("chown 65534 '\(file)'")
            try await refused()
            try await home.shell("chown 0 '\(file)'")
        }
        try await home.shell("mv '\(file)' kept; ln -s $PWD/kept '\(file)'")
        try await refused()
        try await home.shell("rm '\(file)'; mkfifo -m 600 '\(file)'")
        try await refused()
        try await home.shell("rm '\(file)'; printf 'rubbish' >'\(file)'; chmod 600 '\(file)'")
        #expect(try await home.run("whoami").status == 77)
    }

    @Test(
        "Logging in or out ends the session of a file that others may have read, and fixes its mode",
        arguments: [["logout"], ["logout", "--everywhere"], ["login", "ada", "--password-stdin"]])
    func readableTokenFile(_ command: [String]) async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        let before = try await home.sql("SELECT id FROM session ORDER BY id")
        let file = try home.tokenFile()
        try await home.shell("chmod 644 '\(file)'")
        let outcome = try await home.run(command, input: Data(Home.password.utf8))
        #expect(outcome.status == 0)
        let after = try await home.sql("SELECT id FROM session ORDER BY id")
        #expect(after != before)
        if command[0] == "login" {
            #expect(after.split(separator: "\n").count == before.split(separator: "\n").count)
            #expect(try await home.shell("stat -c %a '\(file)'").output == "600\n")
        } else {
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("A session file that others may have written is not used, and a login replaces it")
    func writableTokenFile() async throws {
        let home = try await Home.prepared()
        try await home.register("mallory")
        try await home.logIn("mallory")
        let file = try home.tokenFile()
        try await home.shell("chmod 666 '\(file)'")
        let logout = try await home.run("logout")
        #expect(logout.status == 74)
        #expect(logout.error.contains(" \(file) ") && logout.error.hasSuffix(" articlesctl login\n"))
        #expect(try await home.logIn("ada").status == 0)
        #expect(try await home.run("whoami").output.hasPrefix("ada\n"))
        // The session may belong to anybody, so it is not ended.
        #expect(
            try await home.sql("SELECT count(*) FROM session JOIN user ON user.id = user_id WHERE username = 'mallory'")
                == "1")
    }

    @Test("A login does not overwrite a file that is not the user's own session file")
    func foreignTokenFile() async throws {
        let home = try await Home.prepared()
        try await home.logIn("ada")
        let file = try home.tokenFile()
        try await home.shell("mv '\(file)' kept; ln -s $PWD/kept '\(file)'")
        #expect(try await home.logIn("ada").status == 74)
        #expect(try await home.shell("readlink '\(file)'").output == home.path("kept") + "\n")
        guard getuid() == 0 else { return }
        try await home.shell("rm '\(file)'; cp kept '\(file)'; chmod 644 '\(file)'; chown 65534 '\(file)'")
        #expect(try await home.logIn("ada").status == 74)
    }

    @Test("A session from the environment is used, ended by a logout, and never replaced")
    func givenToken() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("whoami").output.hasPrefix("ada\n"))
        #expect(home.tokenFiles.isEmpty)
        let both = Home.password + "\n" + Home.otherPassword + "\n"
        for outcome in [try await home.logIn("ada"), try await home.run("passwd", "--password-stdin", input: both)] {
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains("ARTICLESCTL_TOKEN"))
        }
        // Nothing was done before the refusal.
        #expect(try await home.sql("SELECT count(*) FROM session") == "1")
        #expect(try await home.run("whoami").status == 0)
        #expect(try await home.run("logout").status == 0)
        let ended = try await home.run("list")
        #expect(ended.status == 77)
        #expect(ended.error.contains("ARTICLESCTL_TOKEN"))
        #expect(try await home.run("whoami", environment: ["ARTICLESCTL_TOKEN": "rubbish"]).status == 77)
    }
}

@Suite("Confirming the password")
struct PasswordAgainTests {
    /// Returns a home where `ada` logged in two hours ago.
    private func home() async throws -> Home {
        let home = try await Home.prepared()
        try #require(try await home.logIn("ada").status == 0)
        _ = try await home.sql("UPDATE session SET confirmed_at = confirmed_at - 7200")
        return home
    }

    @Test(
        "Some time after the login a script must give the password, and gives it on standard input",
        arguments: [["account", "rename", "ada.l"], ["tokens", "create", "backup"], ["logout", "--everywhere"]])
    func script(command: [String]) async throws {
        let home = try await home()
        let refused = try await home.run(command)
        #expect(refused.status == 77)
        #expect(refused.error.contains("--password-stdin"))
        #expect(try await home.run(command + ["--password-stdin"], input: Data("wrong\n".utf8)).status == 77)
        let password = Data("\(Home.password)\n".utf8)
        #expect(try await home.run(command + ["--password-stdin"], input: password).status == 0)
    }

    @Test("Ending another session needs the password once, and a session can be named")
    func sessions() async throws {
        let home = try await home()
        _ = try await home.run("sessions")
        let listed = try await home.run("sessions", "--json").object().objects("sessions")
        let id = try #require(listed.first?.string("id"))
        #expect(try await home.run("sessions", "rename", id, "kitchen").status == 0)
        let named = try await home.run("sessions", "--json").object().objects("sessions")
        #expect(named.first?.string("client") == "kitchen")
        let other = "0123456789abcdef"
        #expect(try await home.run("sessions", "revoke", other).status == 77)
        let answer = try await home.run("sessions", "revoke", other, "--password-stdin", input: Home.password + "\n")
        #expect(answer.status == 66)
        #expect(try await home.run("sessions", "revoke", other).status == 66)
    }
}
