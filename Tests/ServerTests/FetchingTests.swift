import ArticleStore
import Foundation
import HTTPServer
import LibraryStores
import TestSupport
import Testing

@Suite("Fetching in the background")
struct FetchingTests {
    @Test("The server fetches sources that are due, and stops cleanly")
    func background() async throws {
        let feed = "<rss><channel><title>B</title><item><guid>1</guid><title>Fetched</title></item></channel></rss>"
        let site = try HTTPServer(on: .internet(host: "127.0.0.1", port: 0)) { _ in HTTPResponse(text: feed) }
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        let source = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(SourceFacts(name: "Blog", kind: .feed), uid: nil)
        }
        try await stores.subscriptions.insert([
            Subscription(source: source.id, address: "http://127.0.0.1:\(site.port ?? 0)/", nextFetch: Date())
        ])
        let server = try RunningServer(
            ["--database", path, "--listen", "127.0.0.1:0", "--fetch-host", "127.0.0.1"], in: folder)
        try await server.line(with: "fetched 1 sources")
        #expect(
            try await stores.articles.list(ArticleQuery(source: "Blog"), after: nil, limit: 9).summaries.map(\.title)
                == ["Fetched"])
        server.signal(SIGTERM)
        #expect(await server.end().code == 0)
        await site.stop(within: .zero)
    }
}
