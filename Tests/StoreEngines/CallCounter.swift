import ArticleStore
import Synchronization

/// Counts the calls of the library, the marks, and the reading states of a store.
public final class CallCounter: Sendable {
    private let names = Mutex<[String]>([])

    /// Creates a counter that starts at zero.
    public init() {}

    /// The names of the calls since the last reset.
    public var calls: [String] { names.withLock { $0 } }

    /// Forgets all calls.
    public func reset() { names.withLock { $0 = [] } }

    fileprivate func count(_ name: String) { names.withLock { $0.append(name) } }

    /// Returns stores whose calls are counted.
    public func counting(_ stores: Stores) -> Stores {
        Stores(
            articles: WatchedArticles(stores.articles) { self.count("\($0)") }, accounts: stores.accounts,
            marks: WatchedMarks(stores.marks) { self.count("\($0)") },
            reading: CountedReading(store: stores.reading, counter: self), keeping: stores)
    }
}

private struct CountedReading: ReadingStateRepository {
    let store: any ReadingStateRepository
    let counter: CallCounter

    func bookmark(ofSession session: String) async throws -> String? {
        counter.count("bookmark")
        return try await store.bookmark(ofSession: session)
    }

    func saveBookmark(_ bookmark: String, ofSession session: String) async throws {
        counter.count("saveBookmark")
        try await store.saveBookmark(bookmark, ofSession: session)
    }

    func appearance(ofUser user: Int64) async throws -> String? {
        counter.count("appearance")
        return try await store.appearance(ofUser: user)
    }

    func saveAppearance(_ appearance: String, ofUser user: Int64) async throws {
        counter.count("saveAppearance")
        try await store.saveAppearance(appearance, ofUser: user)
    }
}
