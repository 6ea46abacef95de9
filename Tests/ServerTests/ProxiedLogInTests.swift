import Foundation
import TestSupport
import Testing

@Suite("Limits of logins by address")
struct ProxiedLogInTests {
    /// The paths that accept passwords, and their status for a wrong one.
    private static let fronts = [("api/v1/session", "403"), ("accounts/ClientLogin", "401")]

    /// Sends wrong passwords through a proxy, and returns their statuses until the limit. Each failure increases the
    /// delay, so that a guess finally comes too early, however slow the machine is.
    private static func guess(_ server: RunningServer, _ url: String, at front: String, for address: (Int) -> String)
        async throws -> [String]
    {
        let isAPI = front.hasPrefix("api")
        var statuses: [String] = []
        for number in 1...14 where statuses.last != "429" {
            statuses.append(
                try await server.curl(
                    url + front, "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Forwarded-For: \(address(number))",
                    "-H", "Content-Type: application/\(isAPI ? "json" : "x-www-form-urlencoded")", "-d",
                    isAPI ? #"{"username": "ada", "password": "not this one"}"# : "Email=ada&Passwd=not+this+one"))
        }
        return statuses
    }

    @Test("A trusted proxy names the guesser's address, and nobody else is locked out", arguments: fronts)
    func trusted(front: String, wrong: String) async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"])
        let url = try await server.url()
        // A client's own value comes before that of the proxy.
        let statuses = try await Self.guess(server, url, at: front) { "192.0.2.1\($0), 192.0.2.7" }
        #expect(statuses.prefix(5) == Array(repeating: wrong, count: 5)[...] && statuses.last == "429", "\(statuses)")
        #expect(try await Self.guess(server, url, at: front) { _ in "192.0.2.8" }.first == wrong)
    }

    @Test("Claims of an untrusted client about addresses change nothing", arguments: fronts)
    func forged(front: String, wrong: String) async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0"])
        let statuses = try await Self.guess(server, try await server.url(), at: front) { "192.0.2.\($0)" }
        #expect(statuses.prefix(5) == Array(repeating: wrong, count: 5)[...] && statuses.last == "429", "\(statuses)")
    }
}

@Suite("Compressed responses of a server")
struct PackedAnswerTests {
    @Test("A page is compressed on request, with a tag of its own, and a current copy is not sent again")
    func packed() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(["--listen", "127.0.0.1:0"], in: folder)
        let url = try await server.url()
        let account = #"{"username": "ada", "password": "correct horse battery staple", "region": "SE"}"#
        _ = try await server.curl("-H", "Content-Type: application/json", "-d", account, url + "api/v1/users")
        let (head, body) = (folder.file("head"), folder.file("body"))
        func ask(_ path: String, _ arguments: String...) async throws -> (fields: [String: String], size: Int) {
            var all = ["curl", "-s", "--max-time", "600", "-D", head, "-o", body, url + path] + arguments
            all.append("-H")
            all.append("Accept-Encoding: gzip")
            let words = all
            _ = try await apart { Result { try runProgram(words) } }.get()
            var fields: [String: String] = [:]
            for line in String(decoding: try folder.bytes(of: "head"), as: UTF8.self).split(separator: "\r\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
                if parts.count == 1 { fields["status"] = String(line.split(separator: " ")[1]) }
            }
            return (fields, Int(fields["content-length"] ?? "") ?? 0)
        }
        let session = #"{"username": "ada", "password": "correct horse battery staple"}"#
        _ = try await ask("api/v1/session", "-H", "Content-Type: application/json", "-d", session)
        let answer = String(decoding: try folder.bytes(of: "body"), as: UTF8.self)
        let bearer = try #require(answer.firstMatch(of: #/"bearer":"([^"]+)"/#)?.1)
        let token = "Authorization: Bearer \(bearer)"
        let words = String(repeating: "Words of an article. ", count: 200)
        _ = try await server.curl(
            url + "api/v1/articles", "-H", token, "-H", "Content-Type: application/json", "-d",
            #"{"title": "A heron", "body": "\#(words)"}"#)
        let path = "api/v1/articles/1"
        let plain = try await server.curl(url + path, "-H", token)
        #expect(plain.contains(words))
        let packed = try await ask(path, "-H", token)
        #expect(packed.fields["status"] == "200" && packed.fields["content-encoding"] == "gzip")
        #expect(packed.fields["vary"]?.contains("accept-encoding") == true && packed.size < plain.utf8.count / 2)
        let (status, unpacked) = try runProgram(["/bin/sh", "-c", "gzip -dc <'\(body)'"])
        #expect(status == 0 && unpacked == plain)
        let tag = try #require(packed.fields["etag"])
        let again = try await ask(path, "-H", token, "-H", "If-None-Match: \(tag)")
        #expect(again.fields["status"] == "304" && again.size == 0 && again.fields["content-encoding"] == nil)
        // The uncompressed response has another tag.
        let open = try await server.curl(url + path, "-H", token, "-o", "/dev/null", "-D", "-").lowercased()
        #expect(open.contains("etag: ") && !open.contains("etag: \(tag.lowercased())"))
        #expect(!open.contains("content-encoding"))
        #expect(try await ask("login").fields["content-encoding"] == "gzip")
        // A response for one user only is not compressed: its length would reveal its content.
        let own = try await ask("api/v1/articles/" + String(repeating: "a", count: 1_000), "-H", token)
        #expect(own.fields["cache-control"] == "no-store" && own.size > 1_024)
        #expect(own.fields["content-encoding"] == nil)
    }
}
