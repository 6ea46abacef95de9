import Foundation
import HTTPServer
import StoreEngines
import Testing

@Suite("Calls of the store by the API")
struct CallTests {
    /// Each call is a round trip if the store is on a network.
    @Test(
        "A page takes at most three calls of the store, however many articles it has", arguments: [5, 60],
        ["/articles?limit=100", "/articles?limit=100&search=word", "/articles/article-1", "/sources", "/tags"])
    func pages(count: Int, target: String) async throws {
        let service = try await Service()
        try await service.fill(count)
        for number in 1...5 { try await service.fill(1, source: "source \(number)") }
        let calls = try await service.counter.calls {
            let reply = try await service.ask(.get, target)
            #expect(reply.status == 200)
            if target.contains("limit") { #expect(reply.objects("articles").count == count + 5) }
        }
        #expect(!calls.isEmpty && calls.count <= 3, "\(calls)")
    }

    @Test("A feed takes at most three calls of the store, however many articles it has", arguments: [5, 60])
    func feed(count: Int) async throws {
        let service = try await Service()
        try await service.fill(count)
        let address = try await service.ask(.post, "/feed-address").json["atom"] as? String ?? ""
        let calls = try await service.counter.calls {
            let feed = try await service.feed(address)
            #expect(feed.text.components(separatedBy: "<entry").count == min(count, 50) + 1)
        }
        #expect(!calls.isEmpty && calls.count <= 3, "\(calls)")
    }
}
