import ArticleStore
import Synchronization

/// Counts the calls of the articles, the marks, and their logs in a store.
package final class CallCounter: Sendable {
    private let names = Mutex<[String]>([])

    /// Creates a counter that starts at zero.
    package init() {}

    /// The names of all calls.
    package var calls: [String] { names.withLock { $0 } }

    /// Runs `body`, and returns the names of its calls.
    package func calls(of body: () async throws -> Void) async rethrows -> [String] {
        let before = calls.count
        try await body()
        return Array(calls.dropFirst(before))
    }

    fileprivate func count(_ name: String) { names.withLock { $0.append(name) } }

    /// Returns stores whose calls are counted.
    package func counting(_ stores: Stores) -> Stores {
        Stores(
            articles: WatchedArticles(stores.articles) { self.count("\($0)") }, accounts: stores.accounts,
            marks: WatchedMarks(stores.marks) { self.count("\($0)") },
            reading: stores.reading, subscriptions: stores.subscriptions, pictures: stores.pictures,
            visits: stores.visits, versions: stores.versions, keeping: stores)
    }
}
