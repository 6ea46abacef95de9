import ArticleStore
import Database
import FlowCoordinators
import Text

extension Context {
    /// Why an article is not there, and which others are called almost so.
    func unknown(_ reference: ArticleReference) throws -> CommandError {
        let error = CommandError(ScreenError.noArticle(reference))
        let slugs = try LikeSlugs.of(reference.description, in: try database())
        guard !slugs.isEmpty else { return error }
        return CommandError(
            error.message, hint: [meaning(slugs), error.hint].compactMap(\.self).joined(separator: "\n"),
            code: error.code)
    }

    /// Says of a list without articles whose author or tag no article has how others are called.
    func sayUnknownLabels(of query: ArticleQuery, in articles: some ArticleRepository) async throws {
        let asked: [(ArticleLabel.Kind, String?, String)] = [
            (.author, query.author, "is by"), (.tag, query.tag, "has the tag"),
        ]
        for (kind, name, words) in asked {
            guard let name else { continue }
            let labels = try await articles.labels(kind)
            let key = SearchText.fold(name)
            guard !labels.contains(where: { $0.key == key }) else { continue }
            let like = labels.map(\.key).suggestions(for: key).compactMap { key in labels.first { $0.key == key }?.name
            }
            if let meaning = meaning(like) { say("No article \(words) “\(name)”. \(meaning)") }
        }
    }

    private func meaning(_ names: [String]) -> String? {
        names.isEmpty ? nil : "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?"
    }
}
