import ArticleStore
import Foundation
import LibraryStores
import TestSupport
import Testing

@Suite("Fetching in the background")
struct FetchingTests {
    @Test("The server fetches sources that are due, and stops cleanly")
    func background() async throws {
        let feed = "<rss><channel><title>B</title><item><guid>1</guid><title>Fetched</title></item></channel></rss>"
        let site = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: \(feed.utf8.count)\r\n\r\n" + feed)
        defer { site.stop() }
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        let source = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(SourceFacts(name: "Blog", kind: .feed), uid: nil)
        }
        try await stores.subscriptions.insert([
            Subscription(source: source.id, address: "http://127.0.0.1:\(site.port)/", nextFetch: Date())
        ])
        let server = try RunningServer(
            ["--database", path, "--listen", "127.0.0.1:0", "--fetch-host", "127.0.0.1"], in: folder)
        try await server.line(with: "fetched 1 source")
        #expect(
            try await stores.articles.list(ArticleQuery(source: "Blog"), after: nil, limit: 9).summaries.map(\.title)
                == ["Fetched"])
        server.signal(SIGTERM)
        #expect(await server.end().code == 0)
    }
}
