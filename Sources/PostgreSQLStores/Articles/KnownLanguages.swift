import ArticleStore
import Synchronization

/// The languages of the articles as they were read last, for searches, which would need another round trip otherwise.
///
/// A language that another process adds is known after a few seconds. Until then, searches do not find other forms of its
/// words.
final class KnownLanguages: Sendable {
    private struct Read {
        let languages: StemLanguages
        let time: ContinuousClock.Instant
    }

    private let last = Mutex<Read?>(nil)
    private let age = Duration.seconds(10)

    /// Returns the languages.
    ///
    /// - Parameter read: reads the BCP 47 tags of all articles, if the last ones are too old.
    /// - Throws: the error of `read`.
    func current(_ read: () async throws -> [String]) async throws -> StemLanguages {
        let now = ContinuousClock.now
        if let last = last.withLock(\.self), now - last.time < age { return last.languages }
        let languages = StemLanguages(tags: try await read())
        last.withLock { $0 = Read(languages: languages, time: now) }
        return languages
    }

    /// Makes the next search read the languages, after a change of articles.
    func forget() { last.withLock { $0 = nil } }
}
