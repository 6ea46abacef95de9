import AuthService
import LibraryServices
import HTTPServer
import TestSupport
import Testing

struct LogInTests {
    private let target = "/accounts/ClientLogin"

    @Test(
        "A login is accepted in the forms of all clients",
        arguments: [
            // newsboat
            (
                "service=reader&Email=al&Passwd=correct%20horse%20battery%20staple&source=newsboat-2.21"
                    + "&accountType=HOSTED_OR_GOOGLE&continue=http%3A%2F%2Fwww.google.com%2F", nil
            ),
            // Readrops
            (
                "--b\r\nContent-Disposition: form-data; name=\"Email\"\r\nContent-Length: 2\r\n\r\nal\r\n"
                    + "--b\r\nContent-Disposition: form-data; name=\"Passwd\"\r\n\r\ncorrect horse battery staple\r\n--b--\r\n",
                "multipart/form-data; boundary=b"
            ),
        ] as [(String, String?)])
    func forms(form: String, type: String?) async throws {
        let reader = try await Reader()
        let answer = try await reader.send(.post, target, form: form, type: type)
        #expect(answer.status == 200)
        let token = try #require(answer.text.split(separator: "\n").first { $0.hasPrefix("Auth=") }?.dropFirst(5))
        #expect(try await reader.send("/reader/api/0/token", token: String(token)).status == 200)
    }

    @Test("A login returns JSON on request, as ReadYou does")
    func json() async throws {
        let reader = try await Reader()
        let answer = try await reader.send(
            .post, target, form: "output=json&Email=al&Passwd=correct+horse+battery+staple")
        #expect(answer.fields["content-type"]?.text.hasPrefix("application/json") == true)
        #expect(answer.text.contains("\"Auth\":\""))
    }

    @Test("A wrong password and an unknown name get the same response, also if they look like a token")
    func wrong() async throws {
        let reader = try await Reader()
        let other = try await reader.apiToken(.read).dropLast(4) + "AAAA"
        var answers: Set<String> = []
        for (index, pair) in [("al", "wrong"), ("nobody", "wrong"), ("al", String(other)), ("?", "x")].enumerated() {
            let answer = try await reader.send(
                .post, target, form: "Email=\(pair.0)&Passwd=\(pair.1)", from: "192.0.2.\(index)")
            answers.insert("\(answer.status) \(answer.text)")
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("401 Error=BadAuthentication\n") == true)
    }

    @Test("Guesses are limited by their address")
    func throttled() async throws {
        let reader = try await Reader()
        var status = 0
        for _ in 0..<50 where status != 429 {
            status = try await reader.send(.post, target, form: "Email=al&Passwd=wrong", from: "192.0.2.7").status
        }
        #expect(status == 429)
        #expect(
            try await reader.send(
                .post, target, form: "Email=al&Passwd=correct+horse+battery+staple", from: "198.51.100.7"
            ).status == 200)
    }

    @Test("A guesser of tokens waits a minute, and callers with a valid token do not")
    func guesses() async throws {
        let reader = try await Reader(limit: 3)
        let token = try await reader.logIn()
        let guess = String(token.dropLast(4) + "AAAA")
        func ask(_ token: String?, from address: String = "2001:db8::1") async throws -> Reader.Answer {
            try await reader.send(.get, "/reader/api/0/user-info", token: token, from: address)
        }
        for guess in [guess, nil, "x"] { #expect(try await ask(guess).status == 401) }
        let refused = try await ask(guess, from: "2001:db8::2")
        #expect(refused.status == 429 && refused.fields["retry-after"]?.text == "40")
        #expect(try await ask(token).status == 200)
        #expect(try await ask(guess, from: "2001:db8:0:1::1").status == 401)
        reader.clock.advance(by: 60)
        #expect(try await ask(guess).status == 401)
    }

    @Test("An API token is a password of its own user only")
    func apiToken() async throws {
        let reader = try await Reader()
        let token = try await reader.apiToken(.read)
        let answer = try await reader.send(.post, target, form: "Email=al&Passwd=\(token)")
        #expect(answer.text.contains("Auth=\(token)\n"))
        #expect(try await reader.send(.post, target, form: "Email=bo&Passwd=\(token)").status == 401)
    }

    @Test("With a second factor, the password alone is refused, and an API token accepted")
    func secondFactor() async throws {
        let reader = try await Reader()
        let (api, auth) = (try await reader.apiToken(.write), reader.services.auth)
        let secret = auth.newSecret()
        let code = try #require(Authenticator(secret.address(issuer: "x", account: "al"))).code(at: reader.clock.now)
        _ = try await auth.addSecondFactor(
            secret, code: code, token: try #require(SessionToken(try await reader.logIn())))
        let answer = try await reader.send(
            .post, target, form: "Email=al&Passwd=correct+horse+battery+staple")
        #expect(answer.status == 403)
        #expect(answer.text.contains("API token") && !answer.text.contains("Auth="))
        #expect(try await reader.send(.post, target, form: "Email=al&Passwd=\(api)").status == 200)
    }

    @Test("A client that logs in for each request, such as with cron, ends only its own earlier sessions")
    func again() async throws {
        let reader = try await Reader()
        let browser = try await reader.services.auth.logIn(
            username: "al", password: Password(Reader.password), client: "Firefox", from: Origin("test")
        ).newSession
        var tokens: [String] = []
        for _ in 0..<12 {
            reader.clock.advance(by: 600)
            tokens.append(try await reader.logIn())
        }
        let open = try await reader.services.auth.sessions(of: reader.user.id, by: .token(browser.token))
        #expect(open.count == 11)
        // Two clients with the same name and address do not end each other's sessions.
        for token in tokens.suffix(2) {
            #expect(try await reader.send("/reader/api/0/token", token: token).status == 200)
        }
        #expect(try await reader.send("/reader/api/0/token", token: tokens[0]).status == 401)
    }

    @Test("Passwords are not taken from an address")
    func address() async throws {
        let reader = try await Reader()
        let query = "?Email=al&Passwd=correct+horse+battery+staple"
        #expect(try await reader.send(target + query).status == 405)
        #expect(try await reader.send(.post, target + query, form: "").status == 400)
    }

    @Test(
        "Without a token every path is refused, and clients are told to log in again",
        arguments: [
            "/reader/api/0/token", "/reader/api/0/subscription/list?output=json", "/reader/atom/feed%2F1", "/reader/x",
        ])
    func noToken(target: String) async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        for token in [nil, "nonsense", String(token.dropLast(4)) + "AAAA"] {
            let answer = try await reader.send(target, token: token)
            #expect(answer.status == 401)
            #expect(answer.fields["x-reader-google-bad-token"]?.text == "true")
        }
    }

    @Test("An ended session gets a response that says so")
    func expired() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        reader.clock.advance(by: 400 * 86_400)
        #expect(try await reader.send("/reader/api/0/token", token: token).status == 401)
    }
}
