package import ArticleStore
import Synchronization

/// The languages of the articles as they were read last, for searches, which would need another round trip otherwise.
///
/// A language that another process adds is known after a few seconds. Until then, searches do not find other forms of its
/// words.
package final class KnownLanguages: Sendable {
    private struct State {
        var last: (languages: StemLanguages, time: ContinuousClock.Instant)?
        /// The number of changes of articles, to tell whether one happened during a read.
        var changes = 0
    }

    private let state = Mutex(State())
    private let age = Duration.seconds(10)

    /// Creates languages that were not read yet.
    package init() {}

    /// Returns the languages.
    ///
    /// - Parameter read: reads the BCP 47 tags of all articles, if the last ones are too old.
    /// - Throws: the error of `read`.
    package func current(_ read: () async throws -> [String]) async throws -> StemLanguages {
        let now = ContinuousClock.now
        let (last, changes) = state.withLock { ($0.last, $0.changes) }
        if let last, now - last.time < age { return last.languages }
        let languages = StemLanguages(tags: try await read())
        state.withLock { if $0.changes == changes { $0.last = (languages, now) } }
        return languages
    }

    /// Makes the next search read the languages, after a change of articles.
    package func forget() { state.withLock { $0 = State(changes: $0.changes + 1) } }
}
