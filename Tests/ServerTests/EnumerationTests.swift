import LibraryServices
import AuthService
import FlowCoordinators
import Foundation
import GoogleReader
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import Testing
import WebAPI
import WebFront

/// The HTTP fronts that accept names and passwords.
enum LogInFront: CaseIterable, CustomTestStringConvertible {
    case form
    case api
    case clientLogin

    var testDescription: String { "\(self)" }
}

@Suite("Failed logins over HTTP")
struct EnumerationTests {
    private static let password = "correct horse battery staple"

    @Test(
        "An unknown name, a wrong password, and a disabled user get one response for as many hashes",
        arguments: LogInFront.allCases)
    func alike(front: LogInFront) async throws {
        let clock = TestClock()
        let work = Mutex<[Int]>([])
        let stores = try await StoreEngine.ofFixtures.open(clock: clock)
        let auth = AuthService(
            store: stores.accounts,
            hasher: PasswordHasher(parameters: .minimum) { done in work.withLock { $0.append(done) } },
            clock: { clock.now })
        let services = Services(
            auth: auth, articles: stores.articles, subscriptions: stores.subscriptions, marks: stores.marks,
            reading: stores.reading,
            clock: { clock.now })
        for name in ["alice", "bobby", "carol"] {
            _ = try await auth.register(
                username: Username(name), password: Password(Self.password), region: Region("SE"), from: Origin("test"))
        }
        let user = Authority.system(user: "test")
        try await auth.setDisabled(true, Username("carol"), by: user)
        work.withLock { $0 = [] }
        var answers: [String] = []
        var costs: [[Int]] = []
        for (name, password) in [
            ("nobod", Self.password), ("bobby", Self.password + "s"), ("carol", Self.password),
            ("carol", Self.password + "s"), ("alice", Self.password),
        ] {
            answers.append(try await Self.logIn(name, password, at: front, services, stores.visits))
            costs.append(
                work.withLock { done in
                    defer { done = [] }
                    return done
                })
        }
        let right = answers.removeLast()
        #expect(!answers.contains(right))
        #expect(Set(answers).count == 1, "\(answers)")
        #expect(Set(costs).count == 1 && costs[0].count == 1, "\(costs)")
    }

    /// Returns the status, the head, and the body of the response, without the values that always differ and without
    /// the name.
    private static func logIn(
        _ name: String, _ password: String, at front: LogInFront, _ services: Services, _ visits: any VisitRepository
    ) async throws -> String {
        let answer: HTTPResponse
        switch front {
        case .form:
            let web = WebFront(services: services, visits: visits)
            let page = await web.answer(try request(.get, "/login"))
            guard case .bytes(let bytes) = page.body,
                let form = String(decoding: bytes, as: UTF8.self).firstMatch(of: #/name="form" value="([^"]+)"/#),
                let cookie = page.fields[.setCookie]?.text.prefix(while: { $0 != ";" })
            else { throw Missing() }
            let fields: HTTPFields = [
                .cookie: try HTTPFieldValue(String(cookie)), "origin": "http://library.test",
                .contentType: "application/x-www-form-urlencoded",
            ]
            let proof = encoded(String(form.1))
            let body = "form=\(proof)&screen=%2Flogin&username=\(name)&password=\(encoded(password))&do=send"
            answer = await web.answer(try request(.post, "/login", fields, body))
        case .api:
            let api = WebAPI(services: services, version: "1", limiter: RateLimiter(limit: 1_000))
            let body = #"{"username": "\#(name)", "password": "\#(password)"}"#
            guard
                let found = await api.answer(
                    try request(.post, "/api/v1/session", [.contentType: "application/json"], body))
            else { throw Missing() }
            answer = found
        case .clientLogin:
            let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            guard
                let found = await GoogleReader(services: services).answer(
                    try request(
                        .post, "/accounts/ClientLogin", fields, "Email=\(name)&Passwd=\(encoded(password))"))
            else { throw Missing() }
            answer = found
        }
        guard case .bytes(let bytes) = answer.body else { throw Missing() }
        let head = answer.fields.filter { $0.name != .setCookie && $0.name.text != "ratelimit-remaining" }
        return "\(answer.status.code) \(head.map { "\($0.name): \($0.value)" })\n"
            + String(decoding: bytes, as: UTF8.self).replacing(name, with: "NAME")
            .replacing(#/name="form" value="[^"]+"/#, with: "")
    }

    private static func request(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields = [:], _ body: String = ""
    ) throws -> HTTPRequest {
        guard let target = HTTPTarget(path) else { throw Missing() }
        var fields = fields
        fields[.host] = "library.test"
        return HTTPRequest(
            method, target, fields: fields, body: Array(body.utf8), peer: .internet(host: "192.0.2.1", port: 4711))
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private struct Missing: Error {}
}
