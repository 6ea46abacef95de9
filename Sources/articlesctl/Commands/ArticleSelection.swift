import ArticleStore
import FlowCoordinators
import Text

/// The articles that a command is about, by their numbers and slugs.
struct ArticleSelection {
    static let argument = ArgumentSpec(
        name: "ARTICLE", summary: "numbers and slugs; - reads them from standard input, one a line", isRepeating: true,
        values: .names(.article))

    /// How many that are not there a person is told.
    private static let told = 5

    let references: [ArticleReference]

    /// - Parameter arguments: as they were given. For `-` stand the lines of standard input.
    init(_ arguments: [String]) throws {
        var isRead = false
        references = try arguments.flatMap { argument -> [ArticleReference] in
            guard argument == "-" else { return [ArticleReference(argument)] }
            // What was read once is at its end.
            defer { isRead = true }
            let lines = isRead ? "" : try InputText.standardInput()
            return lines.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
                .map { ArticleReference(String($0)) }
        }
    }

    /// The articles, each once.
    ///
    /// - Throws: `CommandError` that names those that are not there.
    func summaries(in repository: some ArticleRepository) async throws -> [ArticleSummary] {
        var articles: [ArticleSummary] = []
        var met: Set<Int64> = []
        var missing: [ArticleReference] = []
        for reference in references {
            guard let article = try await repository.article(reference) else {
                missing.append(reference)
                continue
            }
            if met.insert(article.id).inserted { articles.append(ArticleSummary(article)) }
        }
        guard let first = missing.first else { return articles }
        let failure = CommandError(ScreenError.noArticle(first))
        guard missing.count > 1 else { throw failure }
        let more = missing.count - Self.told
        throw CommandError(
            "there are no articles \(missing.prefix(Self.told).map { "“\($0)”" }.joined(separator: ", "))"
                + (more > 0 ? " and \(more) more" : ""), hint: failure.hint, code: failure.code)
    }
}

extension ArgumentSpec {
    /// The same where it can be left out.
    var optional: ArgumentSpec {
        var argument = self
        argument.isRequired = false
        return argument
    }
}
