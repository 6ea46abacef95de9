import Foundation
import Testing

@Suite("Names for completions")
struct CompleteNamesTests {
    private func names(_ home: Home, _ arguments: String...) async throws -> [String] {
        let outcome = try await home.run(["complete-names"] + arguments)
        #expect((outcome.error, outcome.status) == ("", 0))
        return outcome.lines
    }

    @Test("Names are those in the library, and the user's own marks and sessions, with the typed beginning")
    func found() async throws {
        let home = try await Home.signedIn()
        try #require(try await home.run("tag", "For the talk", "1").status == 0)
        try #require(try await home.run("tag", "swing", "1").status == 0)
        try #require(try await home.run("tag", "swing", "1", "--remove").status == 0)
        #expect(try await names(home, "article", "article-5") == ["article-5"] + (50..<60).map { "article-\($0)" })
        #expect(try await names(home, "article").count == 60)
        #expect(try await names(home, "tag", "S") == ["SQLite", "swift"])
        #expect(try await names(home, "tag", "mine:for") == ["mine:For the talk"])
        #expect(try await names(home, "tag", "") == ["all", "SQLite", "swift", "mine:For the talk"])
        #expect(try await names(home, "own-tag", "") == ["For the talk"])
        #expect(try await names(home, "author", "tomas") == ["Tomás Herrera"])
        #expect(try await names(home, "source", "ART") == ["articles.jsonl"])
        #expect(try await names(home, "user", "a") == ["ada"])
        let session = try #require(
            try await home.run("sessions", "--json").object().objects("sessions").first?.string("id"))
        #expect(try await names(home, "session") == [session])
        try #require(try await home.run("tokens", "create", "backup").status == 0)
        #expect(try await names(home, "token", "b") == ["backup"])
        #expect(try await names(home, "place", "/acc").contains("/account/sessions"))
        #expect(try await names(home, "place", "/articles/article-59") == ["/articles/article-59"])
        #expect(try await names(home, "fields", "id,sl") == ["id,slug"])
        #expect(try await names(home, "template", "{id}\\t{ti") == ["{id}\\t{title}"])
        #expect(try await names(home, "tag", "no such").isEmpty)
    }

    @Test("Names that the user may not see are not offered, and nothing is created or changed")
    func access() async throws {
        let home = try await Home.prepared()
        for kind in ["article", "tag", "own-tag", "author", "session", "token"] {
            #expect(try await names(home, kind).isEmpty)
        }
        #expect(try await names(home, "source") == ["articles.jsonl"])
        let currentUser = try await Home.signedIn()
        // As if the session had not been used for an hour.
        try await currentUser.sql("UPDATE session SET last_used_at = last_used_at - 3600")
        #expect(try await names(currentUser, "article").count == 60)
        #expect(
            try await currentUser.sql("SELECT count(*) FROM session WHERE last_used_at > unixepoch() - 1800") == "0")
        try await currentUser.sql("UPDATE session SET expires_at = 1")
        #expect(try await names(currentUser, "article").isEmpty)
        #expect(try await currentUser.sql("SELECT count(*) FROM session") == "1")
        let empty = try Home()
        #expect(try await names(empty, "article").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty.folder.path).isEmpty)
    }

    @Test("A name with line breaks is not offered, and one that a shell would run is a name like others")
    func hostile() async throws {
        let home = try await Home.signedIn()
        let line =
            #"{"title":"T","slug":"t","author":"$(touch x)","date":"2026-01-01","tags":["'; rm","a\u0007b","a\nb"],"#
            + #""body":"B"}"# + "\n"
        try home.write("more.jsonl", line)
        try #require(try await home.run("seed", "more.jsonl").status == 0)
        #expect(try await names(home, "author", "$") == ["$(touch x)"])
        #expect(try await names(home, "tag", "'") == ["'; rm"])
        for name in try await names(home, "tag", "a") {
            #expect(!name.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }
}
