import Arguments
import ArticleStore
import Terminal
import Text

extension Context {
    /// How long a search waits for articles that searches do not find yet.
    private static let patience = Duration.seconds(2)

    /// Lets a search find what an interrupted import has left, as far as that takes no longer than somebody likes to wait. A library
    /// that cannot be written is searched as it is.
    func advanceSearch() async {
        guard let repository = try? articles() else { return }
        let end = ContinuousClock.now + Self.patience
        while let waiting = try? await repository.advanceSearchBriefly(), waiting > 0, ContinuousClock.now < end {}
    }

    /// Lets searches find every article, in steps between which others may write.
    /// - Throws: `CommandError` when it is interrupted, `DatabaseError`.
    func completeSearch() async throws {
        let repository = try articles()
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: error, terminal: terminal)
        defer { progress.erase() }
        let clock = ContinuousClock()
        let start = clock.now
        var waiting: Int
        repeat {
            waiting = try await repository.advanceSearch()
            progress.update("Searches do not find \(waiting) articles yet …", now: clock.now - start)
            if waiting > 0, let signal = watch.signal {
                throw CommandError(
                    "interrupted", hint: "searches do not find \(waiting) articles yet; go on with: articlesctl index",
                    code: ExitCode(signal: signal) ?? .interrupted)
            }
        } while waiting > 0
    }
}
