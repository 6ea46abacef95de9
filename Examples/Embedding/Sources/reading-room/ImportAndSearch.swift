import ArticleImporting
import ArticleStore

/// Imports a folder of articles, and prints the most relevant articles of a search.
func importAndSearch(in folder: String, articles: any ArticleRepository) async throws {
    let report = try await ArticleImporter(repository: articles).run([.path(folder)])
    print("\(report.inserted) imported, \(report.unchanged) unchanged, \(report.rejected) rejected")

    // An asterisk stands for the rest of a word, and an article with a word after a minus is left out.
    let query = ArticleQuery(text: "migrat* -terminal", sort: .relevance)
    let found = try await articles.list(query, after: nil, limit: 3)
    for article in found.summaries { print(article.title) }
}
