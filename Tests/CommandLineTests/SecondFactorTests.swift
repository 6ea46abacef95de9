import Foundation
import TestSupport
import Testing

extension Home {
    /// Gives the first user a second factor, set up long ago, and returns its authenticator.
    fileprivate func addSecondFactor() async throws -> Authenticator {
        _ = try await sql(
            """
            INSERT INTO second_factor (user_id, secret, last_step, created_at)
            VALUES (1, CAST('12345678901234567890' AS BLOB), 0, 1700000000)
            """)
        return try #require(Authenticator("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    }

    fileprivate func logIn(code: @autoclosure () -> String, password: String = Home.password) async throws -> Outcome {
        try await run("login", "ada", "--password-stdin", input: password + "\n" + code() + "\n")
    }
}

extension Authenticator {
    /// The code now, or in half a minute.
    fileprivate func code(in seconds: Double = 0) -> String { code(at: Date(timeIntervalSinceNow: seconds)) }
}

@Suite("A second factor on the command line")
struct SecondFactorTests {
    @Test("A login takes the code in the second line, and each code once")
    func logIn() async throws {
        let home = try await Home.prepared()
        let authenticator = try await home.addSecondFactor()
        let without = try await home.logIn("ada")
        #expect(without.status == 77)
        #expect(try await home.run("whoami").status == 77)
        let wrong = try await home.logIn(code: authenticator.code(in: 3_600))
        #expect(wrong.status == 77)
        var code = ""
        func shown() -> String {
            code = authenticator.code()
            return code
        }
        #expect(try await home.logIn(code: shown()).status == 0)
        #expect(try await home.run("whoami").status == 0)
        #expect(try await home.logIn(code: code).status == 77)
        #expect(try await home.logIn(code: authenticator.code(in: 30)).status == 0)
        // The answer to a wrong password does not tell that there is a second factor.
        let guess = try await home.logIn(code: code, password: Home.otherPassword)
        #expect(try await guess.error == home.logIn("nobody", password: Home.otherPassword).error)
    }

    @Test("The factor is shown without its secret, also in the export")
    func status() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("account", "second-factor", "--json").object().isNull("secondFactor"))
        _ = try await home.addSecondFactor()
        let shown = try await home.run("account", "second-factor", "status", "--json").object().object("secondFactor")
        #expect(shown.string("since") == "2023-11-14T22:13:20Z" && shown.integer("recoveryCodes") == 0)
        #expect(try await home.run("account", "second-factor").output.contains("2023-11-14"))
        let export = try await home.run("account", "export")
        #expect(try export.object().object("secondFactor").string("since") == "2023-11-14T22:13:20Z")
        let user = try await home.run("users", "show", "ada", "--json").object()
        #expect(try user.object("secondFactor").string("since") == "2023-11-14T22:13:20Z")
        for text in [export.output, try await home.run("audit", "--json").output] {
            #expect(!text.contains("1234567890123456") && !text.contains("GEZDGNBV"))
        }
    }

    @Test("Recovery codes are made again, and each is accepted once")
    func recoveryCodes() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("account", "second-factor", "codes").status == 65)
        _ = try await home.addSecondFactor()
        let codes = try await home.run("account", "second-factor", "codes").lines
        #expect(codes.count == 10)
        let others = try await home.run("account", "second-factor", "codes", "--json").object().strings("recoveryCodes")
        let code = try #require(others?.first)
        let stranger = try await home.shell(
            "unset ARTICLESCTL_TOKEN; for code; do printf '%s\\n%s\\n' \"$PASSWORD\" \"$code\" | "
                + "articlesctl login ada --password-stdin; echo $?; done",
            codes[0], code, code, environment: ["PASSWORD": Home.password])
        #expect(stranger.lines.filter { Int($0) != nil } == ["77", "0", "77"])
        #expect(try await home.run("account", "second-factor", "--json").output.contains("9"))
    }

    @Test("The factor is turned off after a question, and set up only at a terminal")
    func off() async throws {
        let home = try await Home.signedIn()
        #expect(try await home.run("account", "second-factor", "off", "--yes").status == 65)
        let on = try await home.run("account", "second-factor", "on")
        #expect(on.status == 64)
        _ = try await home.addSecondFactor()
        #expect(try await home.run("account", "second-factor", "off").status == 64)
        let off = try await home.run("account", "second-factor", "off", "--yes")
        #expect(off.status == 0)
        #expect(try await home.sql("SELECT count(*) FROM second_factor") == "0")
    }

    @Test("A reset of the password does not bypass the factor, and an operator can remove it")
    func operated() async throws {
        let home = try await Home.prepared()
        let authenticator = try await home.addSecondFactor()
        let code = try await home.run("users", "reset", "ada").lines.first ?? ""
        let reset = try await home.run(
            "passwd", "--reset-code", "--password-stdin", input: code + "\n" + Home.otherPassword + "\n")
        #expect(reset.status == 0)
        #expect(try await home.logIn("ada", password: Home.otherPassword).status == 77)
        #expect(try await home.logIn(code: authenticator.code(), password: Home.otherPassword).status == 0)
        let removed = try await home.run("users", "remove-second-factor", "ada")
        #expect(removed.status == 0)
        #expect(try await home.run("users", "remove-second-factor", "ada").status == 65)
        #expect(try await home.logIn("ada", password: Home.otherPassword).status == 0)
        let actors = "SELECT count(*) FROM audit WHERE event = 'secondFactorRemoved' AND actor LIKE 'system:%'"
        #expect(try await home.sql(actors) == "1")
    }

    /// Returns the secret on a screen.
    private func secret(on screen: String) throws -> String {
        let words = screen.split { $0.isWhitespace }.map(String.init)
        return try #require(words.first { $0.count == 32 && $0.allSatisfy { "A"..."Z" ~= $0 || "2"..."7" ~= $0 } })
    }

    @Test(
        "The factor is set up at a terminal with a QR code, and the login asks for a code",
        .enabled(if: Screen.isAvailable))
    func terminal() async throws {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl account second-factor on; echo ended: $?")
            try await screen.wait(forPrompt: "Code:")
            let shown = try await screen.text()
            // The first row of the code has its two upper corners.
            #expect(shown.split(separator: "\n").contains { $0.components(separatedBy: "█▀▀▀▀▀█").count == 3 })
            let authenticator = try #require(Authenticator(try secret(on: shown)))
            try await screen.type("000000")
            try await screen.wait(for: "code is wrong")
            try await screen.wait(forPrompt: "Code:")
            try await screen.type(authenticator.code())
            let codes = try await screen.wait(for: "ended: 0")
            #expect(codes.split(separator: "\n").count { $0.split(separator: "-").count == 7 } == 10)
            try await screen.type("clear; articlesctl logout; articlesctl list -n 3; echo ended: $?")
            try await screen.wait(for: "Username:")
            try await screen.type("ada")
            try await screen.wait(forPrompt: "Password:")
            try await screen.type(Home.password)
            try await screen.wait(forPrompt: "Code:")
            try await screen.type(authenticator.code(in: 30))
            let list = try await screen.wait(for: "ended: 0")
            #expect(list.contains("3 of 60"))
        }
    }

    @Test("The factor is set up in the reader, and the login asks for a code", .enabled(if: Screen.isAvailable))
    func reader() async throws {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl open /account/second-factor/set-up; echo ended: $?")
            let shown = try await screen.wait(for: "Turn on")
            #expect(shown.contains("█▀▀▀▀▀█") && shown.contains("Scan this"))
            let authenticator = try #require(Authenticator(try secret(on: shown)))
            try await screen.type(authenticator.code())
            let codes = try await screen.wait(for: "10: ")
            #expect(codes.split(separator: "\n").count { $0.split(separator: "-").count == 7 } == 10)
            try await screen.press("Escape")
            try await screen.wait(for: "turned on")
            try await screen.press("Escape")
            try await screen.wait(for: "Registered")
            try await screen.press("L")
            try await screen.wait(for: "Log out?")
            try await screen.press("Enter")
            try await screen.wait(for: "Logged out.")
            try await screen.type("ada")
            try await screen.type(Home.password)
            try await screen.wait(for: "six digits")
            try await screen.type("000000")
            try await screen.wait(for: "code is wrong")
            try await screen.press("C-u")
            try await screen.type(authenticator.code(in: 30))
            try await screen.wait(for: "/60")
            try await screen.press("C-c")
            try await screen.wait(for: "ended: 0")
        }
        #expect(try await home.run("whoami").status == 0)
    }
}
