import ArticleStore
import Foundation
import LibraryServices
import HTTPServer
import TestSupport
import Testing

@testable import AuthService

@Suite("The API: accounts")
struct AccountTests {
    private static let logIn = #"{"username": "rita", "password": "\#(Service.password)"}"#

    @Test("A session is opened, names its user, and ends")
    func session() async throws {
        let service = try await Service()
        let opened = try await service.ask(.post, "/session", as: nil, Self.logIn)
        #expect(opened.status == 201 && opened.field(.cacheControl) == "no-store")
        let token = try #require(opened.json["bearer"] as? String)
        let who = try await service.ask(.get, "/session", as: token)
        #expect(who.json["username"] as? String == "rita" && who.json["bearer"] == nil)
        #expect(try await service.ask(.get, "/sessions", as: token).objects("sessions").count == 2)
        #expect(try await service.ask(.delete, "/session", as: token).status == 204)
        let ended = try await service.ask(.get, "/articles", as: token)
        #expect(ended.status == 401)
    }

    @Test("A refused request is told which token it needs")
    func challenges() async throws {
        let service = try await Service()
        func challenge(_ reply: Service.Reply) -> String? { reply.field("www-authenticate") }
        let none = try await service.ask(.get, "/articles", as: nil)
        #expect(none.status == 401 && challenge(none) == "Bearer realm=\"articles\"")
        let wrong = try await service.ask(.get, "/articles", as: "wrong")
        let start = "Bearer realm=\"articles\", error="
        #expect(
            wrong.status == 401 && challenge(wrong)?.hasPrefix(start + "\"invalid_token\", error_description=") == true)
        for reply in [none, wrong] {
            let detail = try #require(reply.json["detail"] as? String)
            #expect(detail.contains("“Authorization: Bearer TOKEN”") && detail.contains("POST /session"))
        }
        let token = try await service.ask(.post, "/tokens", #"{"name": "phone", "scope": "read"}"#).json["token"]
        let reading = try #require(token as? String)
        let scope = try await service.ask(.post, "/articles/marks?all=true", as: reading, #"{"read": true}"#)
        #expect(scope.status == 403 && challenge(scope) == start + "\"insufficient_scope\", scope=\"write\"")
        // No API token does this.
        let sessions = try await service.ask(.get, "/sessions", as: reading)
        #expect(sessions.status == 403 && challenge(sessions) == start + "\"insufficient_scope\"")
        let users = try await service.ask(.get, "/users", as: "ed")
        #expect(users.status == 403 && challenge(users) == nil)
    }

    @Test("A wrong password and an unknown name get the same response, and both are slowed down")
    func wrong() async throws {
        let service = try await Service()
        func attempt(_ name: String) async throws -> Service.Reply {
            try await service.ask(.post, "/session", as: nil, #"{"username": "\#(name)", "password": "wrong"}"#)
        }
        let (known, unknown) = (try await attempt("rita"), try await attempt("nobody"))
        #expect(known.status == 403 && known.text == unknown.text && known.fields.count == unknown.fields.count)
        var reply = known
        for _ in 0..<30 where reply.status == 403 { reply = try await attempt("rita") }
        #expect(reply.status == 429 && reply.code == "throttled" && reply.field(.retryAfter) != nil)
    }

    @Test("A second factor is required, and sent with the password")
    func secondFactor() async throws {
        let service = try await Service()
        let token = try #require(SessionToken(service.tokens["rita"] ?? ""))
        let secret = service.services.auth.newSecret()
        let now = service.clock.now
        let codes = try await service.services.auth.addSecondFactor(
            secret, code: secret.code(of: TOTPSecret.step(at: now)), token: token)
        #expect(try await service.ask(.post, "/session", as: nil, Self.logIn).code == "secondFactorNeeded")
        let needed = try await service.ask(.post, "/session", as: nil, Self.logIn)
        #expect((needed.json["detail"] as? String)?.contains("“code”") == true)
        #expect(needed.json["pointer"] as? String == "/code")
        func attempt(_ code: String) async throws -> Service.Reply {
            try await service.ask(.post, "/session", as: nil, Self.logIn.dropLast() + #", "code": "\#(code)"}"#)
        }
        #expect(try await attempt("000000").code == "wrongCode")
        #expect(try await attempt(try #require(codes.first).text).status == 201)
    }

    @Test("Only a valid bearer token authenticates, and no cookie does")
    func bearers() async throws {
        let service = try await Service()
        let token = service.tokens["rita"] ?? ""
        #expect(try await service.ask(.get, "/articles", as: nil).code == "notLoggedIn")
        let cookie = try HTTPFieldValue("articles-session=\(token); __Host-session=\(token)")
        #expect(try await service.ask(.get, "/articles", as: nil, fields: [.cookie: cookie]).status == 401)
        let basic = try HTTPFieldValue("Basic \(token)")
        #expect(try await service.ask(.get, "/articles", as: nil, fields: [.authorization: basic]).status == 401)
        let lower = try HTTPFieldValue("bearer  \(token)")
        #expect(try await service.ask(.get, "/articles", as: nil, fields: [.authorization: lower]).status == 200)
        // A client whose token has ended may log in again, and do nothing else.
        #expect(try await service.ask(.post, "/session", as: "wrong", Self.logIn).status == 201)
        #expect(try await service.ask(.get, "/articles", as: "wrong").status == 401)
    }

    @Test("An API token acts within its scope, not on accounts, and ends when it is revoked")
    func tokens() async throws {
        let service = try await Service()
        let made = try await service.ask(.post, "/tokens", #"{"name": "phone", "scope": "write", "days": 7}"#)
        #expect(made.status == 201)
        let (token, id) = (try #require(made.json["token"] as? String), try #require(made.json["id"] as? String))
        try await service.fill(1)
        #expect(try await service.ask(.put, "/articles/article-0/marks", as: token, #"{"read": true}"#).status == 200)
        for (method, target) in [
            (HTTPMethod.get, "/tokens"), (.get, "/sessions"), (.delete, "/session"), (.post, "/feed-address"),
        ] {
            #expect(try await service.ask(method, target, as: token).code == "outOfScope")
        }
        #expect(try await service.ask(.post, "/tokens", #"{"name": "phone", "scope": "read"}"#).status == 409)
        #expect(try await service.ask(.get, "/tokens").text.contains(token) == false)
        #expect(try await service.ask(.delete, "/tokens/\(id)").status == 204)
        #expect(try await service.ask(.delete, "/tokens/\(id)").status == 404)
        #expect(try await service.ask(.get, "/articles", as: token).status == 401)
    }

    @Test("Sensitive requests need the password again after a while")
    func confirmation() async throws {
        let service = try await Service()
        service.clock.advance(by: 7_200)
        let body = #"{"name": "phone", "scope": "read"}"#
        let refused = try await service.ask(.post, "/tokens", body)
        #expect(refused.code == "passwordNeeded")
        #expect((refused.json["detail"] as? String)?.contains("POST /session/confirmation") == true)
        #expect(try await service.ask(.post, "/session/confirmation", #"{"password": "no"}"#).code == "wrongPassword")
        let right = #"{"password": "\#(Service.password)"}"#
        #expect(try await service.ask(.post, "/session/confirmation", right).status == 204)
        #expect(try await service.ask(.post, "/tokens", body).status == 201)
    }

    @Test("Only operators manage the users")
    func users() async throws {
        let service = try await Service()
        #expect(try await service.ask(.get, "/users", as: "ed").code == "notAllowed")
        #expect(try await service.ask(.get, "/users", as: "olga").objects("users").count == 3)
        let changed = try await service.ask(.patch, "/users/rita", as: "olga", #"{"role": "editor"}"#)
        #expect(changed.json["role"] as? String == "editor")
        #expect(try await service.ask(.patch, "/users/olga", as: "olga", #"{"disabled": true}"#).status == 409)
        #expect(try await service.ask(.patch, "/users/rita", as: "olga", #"{"disabled": true}"#).status == 200)
        #expect(try await service.ask(.get, "/articles").status == 401)
        #expect(try await service.ask(.delete, "/users/rita", as: "olga").status == 204)
        #expect(try await service.ask(.get, "/users/rita", as: "olga").status == 404)
        let registered = try await service.ask(
            .post, "/users", as: nil, #"{"username": "new", "password": "\#(Service.password)", "region": "DE"}"#)
        #expect(registered.status == 201 && registered.json["role"] as? String == "reader")
    }

    @Test("Several changes of a user are made together, or none of them is")
    func manyChanges() async throws {
        let service = try await Service()
        func change(_ name: String, _ body: String, as who: String = "olga") async throws -> Service.Reply {
            try await service.ask(.patch, "/users/\(name)", as: who, body)
        }
        func olga(as who: String) async throws -> [String: Any] {
            try await service.ask(.get, "/users/olga", as: who).json
        }
        for body in [
            #"{"role": "operator", "disabled": true}"#, #"{"disabled": false, "role": "reader"}"#,
            #"{"role": "editor", "disabled": "x"}"#, #"{"role": "editor", "name": "x"}"#,
        ] {
            #expect([400, 409].contains(try await change("olga", body).status), "\(body)")
            #expect(try await olga(as: "olga")["role"] as? String == "operator", "\(body)")
        }
        let both = try await change("rita", #"{"role": "operator", "disabled": true}"#)
        #expect(both.json["role"] as? String == "operator" && both.json["disabled"] is String)
        #expect(try await change("rita", #"{"disabled": false}"#).json["disabled"] is NSNull)
        #expect(try await change("rita", "{}").json["role"] as? String == "operator")
        // A client that confirms for the second change has made both.
        let last = try await change("olga", #"{"role": "reader", "disabled": true}"#)
        #expect(last.status == 200 && last.json["role"] as? String == "reader" && last.json["disabled"] is String)
        let rita = try await service.services.auth.logIn(
            username: "rita", password: Password(Service.password), client: "test", from: Origin("test")
        ).newSession.token.text
        #expect(try await olga(as: rita)["disabled"] is String)
    }

    @Test("A client over its rate waits, and learns how long, and others do not")
    func rate() async throws {
        let service = try await Service(limit: 3)
        for rest in [2, 1, 0] {
            let reply = try await service.ask(.get, "/session")
            #expect(reply.status == 200 && reply.field("ratelimit-remaining") == "\(rest)")
        }
        let reply = try await service.ask(.get, "/session")
        #expect(reply.status == 429 && reply.field("ratelimit-limit") == "3")
        let seconds = try #require(reply.field(.retryAfter).flatMap { Int($0) })
        #expect((1...60).contains(seconds) && reply.field("ratelimit-reset") == "\(seconds)")
        #expect(try await service.ask(.get, "/session", as: "ed").status == 200)
        service.clock.advance(by: TimeInterval(seconds))
        #expect(try await service.ask(.get, "/session").status == 200)
    }

    @Test("The description has every path, and other methods get the list of existing ones")
    func description() async throws {
        let service = try await Service()
        let reply = try await service.ask(.get, "/openapi.json", as: nil)
        #expect(reply.json["openapi"] as? String == "3.1.0")
        let paths = try #require(reply.json["paths"] as? [String: [String: Any]])
        #expect(paths["/articles/{article}"]?.keys.sorted() == ["delete", "get", "patch"])
        #expect(paths.count == 30)
        let refused = try await service.ask(.put, "/articles")
        #expect(refused.status == 405 && refused.field(.allow) == "GET, HEAD, POST")
        #expect(refused.json["title"] as? String == "Method Not Allowed")
        #expect((refused.json["detail"] as? String)?.contains("PUT") == true)
        #expect(try await service.ask(.get, "/nothing").status == 404)
    }

    @Test("The description has 422 for every request with a value, and problems have the phrases of their status")
    func refusals() async throws {
        let service = try await Service()
        let reply = try await service.ask(.get, "/openapi.json", as: nil)
        let paths = try #require(reply.json["paths"] as? [String: [String: [String: Any]]])
        for (path, operations) in paths {
            for (method, operation) in operations {
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                let saysSomething = operation["parameters"] != nil || operation["requestBody"] != nil
                #expect((responses["422"] != nil) == saysSomething, "\(method) \(path)")
            }
        }
        for (target, title) in [
            ("/articles?limit=0", "Bad Request"), ("/nothing", "Not Found"), ("/users", "Forbidden"),
            ("/changes?since=x", "Unprocessable Content"),
        ] {
            #expect(try await service.ask(.get, target).json["title"] as? String == title)
        }
        #expect(try await service.ask(.get, "/articles", as: nil).json["title"] as? String == "Unauthorized")
    }

    @Test("The guide names exactly the requests of the API")
    func guide() async throws {
        let service = try await Service()
        let paths = try await service.ask(.get, "/openapi.json", as: nil).json["paths"] as? [String: [String: Any]]
        let described = (paths ?? [:]).flatMap { path in path.value.keys.map { "\($0.uppercased()) \(path.key)" } }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/api.md")
        let guide = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let named = guide.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
            return String(line.dropFirst(3)[..<end])
        }
        #expect(named.sorted() == described.sorted())
        for setting in ArticleListSetting.all { #expect(guide.contains("`\(setting.name)`"), "\(setting.name)") }
    }
}
