import ArticleStore
import AuthService
import FetchingSupport
import Foundation
import HTTPClient
import LibraryServices
import StoreEngines
import TestSupport
import Testing

@Suite("Subscriptions of clients")
struct SubscriptionTests {
    private struct Added: Decodable {
        let numResults: Int
        let query: String
        // Capy requires these keys in a response.
        let streamId: String
        let streamName: String
        let error: String?
    }

    private static let address = "https://blog.example/feed?a=1"

    /// Returns a reader, and a server with a feed and a page of two feeds.
    private func reader(fetches: Bool = true) async throws -> Reader {
        let reader = try await Reader(fetches: fetches)
        reader.web.serve(Self.address, body: FakeWeb.feed([reader.clock.now], title: "Blog"))
        let link = #"<link rel="alternate" type="application/atom+xml" href="/feed?a=1">"#
        reader.web.serve("https://blog.example/", body: "<html>\(link)\(link.replacing("a=1", with: "a=2"))</html>")
        return reader
    }

    private func add(_ reader: Reader, _ address: String, _ token: String) async throws -> Added {
        let query = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await reader.post("subscription/quickadd?quickadd=\(query)", "quickadd=", token: token)
            .decoded(Added.self)
    }

    @Test("An added feed is named in the response; of several feeds of a page the first one is added")
    func quickAdd() async throws {
        let reader = try await reader()
        let token = try await reader.logIn()
        for address in ["https://blog.example/", Self.address, "feed/" + Self.address] {
            let added = try await add(reader, address, token)
            #expect(added.numResults == 1 && added.query == address && added.streamName == "Blog")
            let source = try #require(try await reader.services.articles.sources().first { $0.name == "Blog" })
            #expect(added.streamId == "feed/\(source.id)")
        }
        let subscriptions = try await reader.services.subscriptions.subscriptions()
        #expect(subscriptions.map(\.address) == [Self.address])
    }

    @Test("A feed that cannot be added is refused in the form that clients expect")
    func refused() async throws {
        let reader = try await reader()
        let token = try await reader.logIn()
        reader.web.serve("https://private.example/") { _ throws(HTTPClientError) in throw .forbiddenHost("10.0.0.1") }
        for address in ["https://blog.example/none", "https://private.example/", "x://y", ""] {
            let added = try await add(reader, address, token)
            #expect(added.numResults == 0 && added.query == address && added.error?.isEmpty == false, "\(address)")
        }
        let off = try await self.reader(fetches: false)
        #expect(try await add(off, Self.address, off.logIn()).error?.contains("does not fetch") == true)
        #expect(try await reader.services.subscriptions.subscriptions().isEmpty)
    }

    @Test("A client subscribes with a title and folders, and unsubscribes; the articles stay")
    func edit() async throws {
        let reader = try await reader()
        let token = try await reader.logIn()
        let stream = "feed/https://blog.example/feed?a%3D1"
        func send(_ form: String) async throws -> String {
            try await reader.post("subscription/edit", form, token: token).text
        }
        #expect(try await send("ac=subscribe&s=\(stream)&t=Mine&a=user/-/label/News") == "OK")
        #expect(try await send("ac=subscribe&s=\(stream)&a=user/-/label/Tech") == "OK")
        let source = try #require(try await reader.services.articles.sources().first { $0.name == "Mine" })
        #expect(source.facts.tags.map(\.name) == ["News", "Tech"])
        #expect(try await reader.services.articles.articleCounts()[source.id] == 1)
        func listed() async throws -> [Bool] {
            let id = "\"feed/\(source.id)\""
            var found: [Bool] = []
            for (endpoint, name) in [("subscription/list?output=json", id), ("subscription/export", "blog.example")] {
                found.append(try await reader.send(Reader.api + endpoint, token: token).text.contains(name))
            }
            return found
        }
        #expect(try await listed() == [true, true])
        let subscriptions = Reader.api + "subscription/list?output=json"
        #expect(try await !reader.send(subscriptions, token: token).text.contains(source.iconPath))
        let icon = try #require(SourceIcon([0, 0, 1, 0]))
        try await reader.services.subscriptions.setIcon(icon, of: source.id, until: reader.services.clock())
        #expect(try await reader.send(subscriptions, token: token).text.contains(source.iconPath + "\""))
        #expect(try await send("ac=unsubscribe&s=feed/\(source.id)") == "OK")
        #expect(try await listed() == [false, false])
        #expect(try await reader.services.subscriptions.subscriptions().isEmpty)
        #expect(try await reader.services.articles.articleCounts()[source.id] == 1)
        let log = AuditQuery(kind: .libraryChanged)
        let records = try await reader.services.auth.events(matching: log, by: .system(user: "test"))
        #expect(
            records.map { String($0.event.detail.prefix { $0 != ":" }) } == [
                "unsubscribe", "sources change", "subscribe",
            ])
    }

    @Test("A client imports a list of feeds with its folders")
    func opml() async throws {
        let reader = try await reader()
        let token = try await reader.logIn()
        let list = """
            <opml version="2.0"><body><outline text="News"><outline text="Blog" type="rss" xmlUrl="\(Self.address)"/>\
            </outline></body></opml>
            """
        let imported = try await reader.post("subscription/import", list, token: token)
        #expect(imported.status == 200 && imported.text == "OK")
        #expect(try await reader.services.subscriptions.subscriptions().map(\.address) == [Self.address])
        let source = try #require(try await reader.services.articles.sources().first { $0.name == "Blog" })
        #expect(source.facts.tags.map(\.name) == ["News"])
        #expect(try await reader.post("subscription/import", "<opml/>", token: token).status == 400)
    }

    @Test("A reader may not change subscriptions")
    func roles() async throws {
        let reader = try await reader()
        _ = try await reader.services.auth.register(
            username: Username("bo"), password: Password(Reader.password), region: Region("DE"), from: Origin("test"))
        let token = try await reader.logIn(as: "bo")
        for (endpoint, form) in [
            ("subscription/quickadd", "quickadd=blog.example"), ("subscription/import", "<opml/>"),
            ("subscription/edit", "ac=subscribe&s=feed/https://blog.example/feed"),
            ("subscription/edit", "ac=unsubscribe&s=\(try reader.feed("news"))"),
        ] {
            #expect(try await reader.post(endpoint, form, token: token).status == 403, "\(endpoint)")
        }
        #expect(reader.web.requests.isEmpty)
    }
}
