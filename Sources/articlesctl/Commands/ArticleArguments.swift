import Arguments
import ArticleStore
import FlowCoordinators
import Text

/// The articles that the arguments of a command name by ID or slug.
struct ArticleArguments {
    static let argument = ArgumentSpec(
        name: "ARTICLE",
        summary: "numbers and slugs; - reads them from standard input, one per line, as list prints them",
        isRepeating: true,
        values: .names(.article))

    let references: [ArticleReference]

    /// - Parameter arguments: the arguments. `-` stands for the lines of standard input, up to their first tab, where
    ///   `list` writes the ID.
    init(_ arguments: [String]) throws {
        var isRead = false
        references = try arguments.flatMap { argument -> [ArticleReference] in
            guard argument == "-" else { return [ArticleReference(argument)] }
            // Standard input can be read only once.
            defer { isRead = true }
            let lines = isRead ? "" : try InputText.standardInput()
            return lines.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "\t" }.trimmed }.filter {
                !$0.isEmpty
            }
            .map { ArticleReference(String($0)) }
        }
    }

    /// Returns the articles, each once.
    ///
    /// - Throws: `ArticleError` with the articles that do not exist.
    func summaries(in repository: some ArticleRepository) async throws -> [ArticleSummary] {
        try await repository.existingSummaries(of: references)
    }
}

extension ArgumentSpec {
    /// The argument as an optional one.
    var optional: ArgumentSpec {
        var argument = self
        argument.isRequired = false
        return argument
    }
}
