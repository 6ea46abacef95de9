import Arguments
import Text

/// `index`: completes the search index.
struct IndexCommand: Command {
    static let name = "index"
    static let spec = CommandSpec(
        name: name, summary: "finish the search index after a large import",
        discussion: """
            Searches find small changes immediately. A large import updates the index for as long again as the import \
            itself took, and leaves the rest to later writes and to this command. It works in steps of some tenths of \
            a second, between which others may write, and you may interrupt it at any time. “doctor” checks whether \
            the index matches the articles.
            """,
        examples: [Example(command: "articlesctl index", summary: "index all articles")])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try await context.completeSearch()
        try context.report("Searches find all articles.", json: ["waiting": 0])
    }
}
