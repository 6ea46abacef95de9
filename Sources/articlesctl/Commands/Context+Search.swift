import Arguments
import ArticleStore
import Terminal
import Text

extension Context {
    /// The time that a search waits for the search index.
    private static let patience = Duration.seconds(2)

    /// Adds articles to the search index that an interrupted import has left out, within the time limit. If the library
    /// is read-only, the search uses the present index.
    func advanceSearch() async {
        guard let repository = try? await articles() else { return }
        let end = ContinuousClock.now + Self.patience
        while let waiting = try? await repository.advanceSearch(briefly: true), waiting > 0, ContinuousClock.now < end {
        }
    }

    /// Completes the search index in steps, between which other processes can write.
    ///
    /// - Throws: `CommandError` if the user interrupts it; `StoreError`.
    func completeSearch() async throws {
        let repository = try await articles()
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: error, terminal: terminal)
        defer { progress.erase() }
        let clock = ContinuousClock()
        let start = clock.now
        var waiting: Int
        repeat {
            waiting = try await repository.advanceSearch()
            let rest = waiting.quantity(of: "article is", "articles are") + " not indexed yet"
            progress.update(waiting.notIndexedYet, now: clock.now - start)
            if waiting > 0, let signal = watch.signal {
                throw CommandError(
                    "interrupted", hint: rest + "; to continue: articlesctl index",
                    code: ExitCode(signal: signal) ?? .interrupted)
            }
        } while waiting > 0
        while watch.signal == nil, try await repository.mergeSearch() {}
    }
}

extension Int {
    /// This number of articles, as the progress of the search index.
    var notIndexedYet: String { quantity(of: "article is", "articles are") + " not indexed yet …" }
}
