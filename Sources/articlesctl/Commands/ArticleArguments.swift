import Arguments
import ArticleStore
import FlowCoordinators
import Text

/// The articles that the arguments of a command name by ID or slug.
struct ArticleArguments {
    static let argument = ArgumentSpec(
        name: "ARTICLE",
        summary: "numbers and slugs; - reads them from standard input, one a line, as list writes them",
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
    /// - Throws: `ScreenError` with the articles that do not exist.
    func summaries(in repository: some ArticleRepository) async throws -> [ArticleSummary] {
        let named = try await repository.summaries(of: references)
        let missing = references.filter { named[$0] == nil }
        var met: Set<Int64> = []
        let articles = references.compactMap { named[$0] }.filter { met.insert($0.id).inserted }
        guard let first = missing.first else { return articles }
        throw missing.count == 1 ? ScreenError.noArticle(first) : .noArticles(missing)
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
