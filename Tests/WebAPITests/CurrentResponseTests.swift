import ArticleStore
import Foundation
import HTTPServer
import StoreEngines
import Synchronization
import Testing

@Suite("Responses until the library changes")
struct CurrentResponseTests {
    /// The version of a library, which a test changes.
    private final class Versions: LibraryVersions {
        let number = Mutex(0)

        func current() async throws -> LibraryVersion? { LibraryVersion(String(number.withLock { $0 })) }

        func change() { number.withLock { $0 += 1 } }
    }

    @Test("A feed is made again only if the library has changed since the client's copy was made")
    func feed() async throws {
        let versions = Versions()
        let service = try await Service(versions: versions)
        try await service.fill(2)
        let made = try await service.ask(.post, "/feed-address", fields: [.host: "example.org"])
        let path = String(try #require(made.json["atom"] as? String).dropFirst("http://example.org".count))
        var tag = try #require(try await service.feed(path).fields[.eTag])
        func ask(_ path: String) async throws -> (status: Int, calls: Int) {
            var status = 0
            let calls = try await service.counter.calls {
                let reply = try await service.feed(path, fields: [.host: "example.org", .ifNoneMatch: tag])
                status = reply.status
                #expect(reply.fields["referrer-policy"] == "no-referrer")
                #expect(reply.field(.contentType)?.hasPrefix("application/atom+xml") == true)
                tag = try #require(reply.fields[.eTag])
            }
            return (status, calls.count)
        }
        #expect(try await ask(path) == (304, 0))
        // Another list has its own tag.
        let old = tag
        let starred = try await ask(path + "?starred=true")
        #expect(starred.status == 200 && starred.calls > 0)
        tag = old
        versions.change()
        let unchanged = try await ask(path)
        #expect(unchanged.status == 304 && unchanged.calls > 0)
        #expect(try await ask(path) == (304, 0))
        try await service.fill(3)
        versions.change()
        let changed = try await ask(path)
        #expect(changed.status == 200 && changed.calls > 0)
        #expect(try await ask(path) == (304, 0))
        // A client without a copy gets the same response.
        let calls = try await service.counter.calls {
            let reply = try await service.feed(path, fields: [.host: "example.org"])
            #expect(reply.status == 200 && reply.text.contains("Article 2") && reply.fields[.eTag] == tag)
            #expect(reply.fields["referrer-policy"] == "no-referrer")
        }
        #expect(calls.isEmpty)
        // The addresses in a feed are those of the host.
        let elsewhere = try await service.feed(path, fields: [.host: "example.com"])
        #expect(elsewhere.text.contains("example.com/articles/") && !elsewhere.text.contains("example.org"))
    }

    @Test(
        "Sources and counts are made again only after a change", arguments: ["sources", "tags", "authors", "tags/mine"])
    func counts(path: String) async throws {
        let versions = Versions()
        let service = try await Service(versions: versions)
        try await service.fill(2)
        func ask(_ tag: HTTPFieldValue?, as who: String = "rita") async throws -> Service.Reply {
            var fields: HTTPFields = [:]
            fields[.ifNoneMatch] = tag
            return try await service.ask(.get, "/" + path, as: who, fields: fields)
        }
        let reply = try await ask(nil)
        let tag = try #require(reply.fields[.eTag])
        #expect(reply.status == 200 && reply.field(.cacheControl) == "private, no-cache")
        #expect(try await ask(tag).status == 304)
        let calls = try await service.counter.calls {
            let again = try await ask(tag)
            #expect(again.status == 304 && again.text.isEmpty && again.fields[.eTag] == tag)
            #expect(again.field(.cacheControl) == "private, no-cache")
        }
        #expect(calls.isEmpty)
        let other = try await service.counter.calls {
            let again = try await ask("\"another\"")
            #expect(again.status == 200 && again.text == reply.text && again.fields[.eTag] == tag)
        }
        #expect(other.isEmpty)
        // Another user has other counts.
        let others = try await service.counter.calls { _ = try await ask(tag, as: "ed") }
        #expect(!others.isEmpty)
        _ = try await service.ask(
            .put, "/articles/article-0/marks", #"{"read": true, "tags": ["mine"]}"#)
        versions.change()
        #expect(try await ask(tag).status == 200)
    }

    @Test("A real change of the library is noticed")
    func changes() async throws {
        let service = try await Service()
        try await service.fill(2)
        let tag = try #require(try await service.ask(.get, "/sources").fields[.eTag])
        for _ in 0..<2 {
            for known in [tag.text, "*", "\"other\", W/\(tag.text)"] {
                let field = try HTTPFieldValue(known)
                #expect(try await service.ask(.get, "/sources", fields: [.ifNoneMatch: field]).status == 304)
            }
            #expect(try await service.ask(.get, "/sources", fields: [.ifNoneMatch: "\"other\""]).status == 200)
        }
        _ = try await service.ask(.put, "/articles/article-0/marks", #"{"read": true}"#)
        #expect(try await service.ask(.get, "/sources", fields: [.ifNoneMatch: tag]).status == 200)
    }
}
