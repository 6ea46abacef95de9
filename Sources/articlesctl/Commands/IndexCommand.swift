import Arguments
import Text

/// `index`: completes the search index.
struct IndexCommand: Command {
    static let spec = CommandSpec(
        name: "index", summary: "let searches find what a large import has brought",
        discussion: """
            What a write of a few articles changes is found at once. A large import goes on for as long again as it took, and \
            leaves the rest to whatever is written next and to this command. It works in steps of \
            some tenths of a second, between which others may write, and may be interrupted at any time. “doctor” says whether \
            the index agrees with the articles.
            """,
        examples: [Example(command: "articlesctl index", summary: "let every article be found")])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try await context.completeSearch()
        try context.report("Searches find every article.", json: ["waiting": 0])
    }
}
