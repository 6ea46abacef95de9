import Arguments
import ArticleStore
import Terminal
import Text

extension Context {
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
