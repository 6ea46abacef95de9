import ArticleStore
import Foundation
import HTTPServer
import LibraryStores
import Synchronization
import TestSupport
import Testing
import Text

@Suite("Hubs of feeds")
struct HubTests {
    @Test(
        "The server asks a hub, confirms, fetches as soon as the hub announces an article, and stops cleanly",
        arguments: [
            ["--public-address", "https://articles.example/sub/"],
            ["--public-address", "https://articles.example", "--base-path", "/sub"],
            ["--public-address", "https://articles.example/sub", "--base-path", "/sub"],
        ])
    func story(addresses: [String]) async throws {
        let (asked, forms) = AsyncStream.makeStream(of: HTTPQuery.self)
        let feed = "<rss><channel><title>B</title><item><guid>1</guid><title>Announced</title></item></channel></rss>"
        let hub = try HTTPServer(on: .internet(host: "127.0.0.1", port: 0)) { request in
            guard request.method == .post else { return HTTPResponse(text: feed) }
            if let form = HTTPQuery(form: request.body) { forms.yield(form) }
            return HTTPResponse(.noContent)
        }
        let address = "http://127.0.0.1:\(hub.port ?? 0)/"
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        let source = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(SourceFacts(name: "Blog", kind: .feed), uid: nil)
        }
        // The source was fetched before, and the schedule waits for hours.
        let now = Date()
        var subscription = Subscription(source: source.id, address: address, nextFetch: now.addingTimeInterval(86_400))
        subscription.lastFetch = now.addingTimeInterval(-3_600)
        subscription.lastSuccess = subscription.lastFetch
        subscription.hub = Hub(address: address, topic: "https://example.org/topic")
        try await stores.subscriptions.insert([subscription])
        let server = try RunningServer(
            ["--database", path, "--listen", "127.0.0.1:0", "--fetch-host", "127.0.0.1"] + addresses, in: folder)
        let url = try await server.url()

        let form = try #require(await asked.first { _ in true })
        #expect(form["hub.mode"] == "subscribe" && form["hub.topic"] == "https://example.org/topic")
        let callback = try #require(form["hub.callback"])
        #expect(callback.hasPrefix("https://articles.example/sub/websub/"))
        let place = url + callback.dropFirst("https://articles.example/sub/".count)
        let query = "hub.mode=subscribe&hub.topic=\("https://example.org/topic".percentEncoded)&hub.challenge=yes"
        #expect(try await server.curl("\(place)?\(query)&hub.lease_seconds=86400") == "yes")
        #expect(try await stores.subscriptions.subscriptions().first?.push?.end != nil)
        // An announcement may be as large as a feed.
        let body = folder.file("body")
        try Data(repeating: 0x20, count: 1 << 20).write(to: URL(filePath: body))
        let status = try await server.curl("-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@" + body, place)
        #expect(status == "204")
        try await server.line(with: "fetched 1 source")
        #expect(
            try await stores.articles.list(ArticleQuery(source: "Blog"), after: nil, limit: 9).summaries.map(\.title)
                == ["Announced"])
        server.signal(SIGTERM)
        let end = await server.end()
        #expect(end.code == 0)
        let token = callback.dropFirst("https://articles.example/sub/websub/".count)
        #expect(!end.lines.contains { $0.contains(token) } && end.lines.contains { $0.contains("/websub/…") })
        await hub.stop(within: .zero)
    }

    @Test(
        "Without a public address or with WebSub turned off, the server does not respond to hubs",
        arguments: [[], ["--public-address", "https://articles.example", "--websub", "off"]])
    func off(arguments: [String]) async throws {
        let server = try RunningServer(["--listen", "127.0.0.1:0"] + arguments)
        let place = try await server.url() + "websub/" + String(repeating: "A", count: 43)
        func status(_ arguments: String...) async throws -> String {
            try await server.curl(arguments + ["-o", "/dev/null", "-w", "%{http_code}", place])
        }
        #expect(try await status() == "404")
        #expect(try await status("-d", String(repeating: "x", count: 65 << 10)) == "413")
    }

    @Test(
        "A public address that others cannot use is refused",
        arguments: [
            "articles.example", "ftp://articles.example", "https://a@articles.example", "https://articles.example/?a",
        ])
    func addresses(text: String) async throws {
        let server = try RunningServer(["--public-address", text])
        let end = await server.end()
        #expect(end.code == 64 && end.lines.first?.contains("--public-address") == true)
    }
}
