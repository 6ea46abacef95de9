import LibraryServices
import ArticleStore
import Foundation
import StoreEngines
import Testing
import Text

@Suite("Calls of the store by the API of Google Reader")
struct CallTests {
    @Test(
        "A stream takes at most three calls of the store, however many articles it has", arguments: [5, 60],
        [
            "/reader/api/0/stream/contents/user/-/state/com.google/reading-list?n=100",
            "/reader/api/0/stream/items/ids?s=user/-/state/com.google/reading-list&n=100&includeAllDirectStreamIds=true",
        ])
    func streams(count: Int, target: String) async throws {
        let reader = try await Reader()
        try await reader.fill(count)
        let token = try await reader.logIn()
        let calls = try await reader.counter.calls {
            let answer = try await reader.send(target, token: token)
            #expect(answer.status == 200)
            #expect(answer.text.components(separatedBy: "timestampUsec").count == reader.articles.count + count + 1)
        }
        #expect(!calls.isEmpty && calls.count <= 3, "\(calls)")
    }

    @Test(
        "A list of feeds takes the same calls of the store, however many feeds there are",
        arguments: ["subscription/list", "unread-count"])
    func feeds(target: String) async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        func calls() async throws -> [String] {
            try await reader.counter.calls { _ = try await reader.send("/reader/api/0/\(target)", token: token) }
        }
        let few = try await calls()
        for number in 1...20 {
            let facts = SourceFacts(name: "feed \(number)", kind: .feed, location: "https://example.org/\(number)")
            try await reader.services.articles.upsert(
                ArticleDraft(key: "a", slug: "of-\(number)", title: "A", body: "B"), into: facts)
        }
        #expect(try await calls() == few)
    }
}
