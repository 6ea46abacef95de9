import ArticleStore
import Terminal
import Text

/// `index`: lets searches find everything.
struct IndexCommand: Command {
    static let spec = CommandSpec(
        name: "index", summary: "let searches find what a large import has brought",
        discussion: """
            What a write of a few articles changes is found at once. A large import goes on for as long again as it took, and \
            leaves the rest to whatever is written next, to the full-screen session and to this command. It works in steps of \
            some tenths of a second, between which others may write, and may be interrupted at any time. “doctor” says whether \
            the index agrees with the articles.
            """,
        examples: [Example(command: "articlesctl index", summary: "let every article be found")])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        let repository = try context.articles()
        let watch = InterruptWatch()
        var progress = ProgressLine(writer: context.error, terminal: context.terminal)
        defer { progress.erase() }
        let clock = ContinuousClock()
        let start = clock.now
        var waiting: Int
        repeat {
            waiting = try await repository.advanceSearch()
            progress.update("\(waiting) articles …", now: clock.now - start)
            if waiting > 0, let signal = watch.signal {
                throw CommandError(
                    "interrupted", hint: "\(waiting) articles are left; run it again to go on",
                    code: ExitCode(signal: signal) ?? .interrupted)
            }
        } while waiting > 0
        progress.erase()
        try context.report("Searches find every article.", json: ["waiting": JSON(waiting)])
    }
}
