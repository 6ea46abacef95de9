internal import ArticleStore
import Text

/// Loads the overview of the library. It uses stored counts only, and counts no articles.
struct LibraryListing: Sendable {
    let articles: any ArticleRepository
    /// The marks of the signed-in user; nil if marks are not stored.
    let marking: ArticleMarking?

    /// Returns the overview.
    ///
    /// - Parameter reference: the article whose author, tags, and source come first; nil if there is none.
    /// - Throws: `ScreenError.noArticle`, and the errors of the repositories.
    func screen(about reference: ArticleReference?) async throws -> LibraryScreen {
        var screen = LibraryScreen()
        if let reference {
            guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
            screen.article = article
            screen.ownTags =
                try await marking?.marks(of: [ArticleSummary(article)])[article.id]?.tags.map(\.value) ?? []
        }
        screen.sources = try await articles.sources()
        screen.counts = try await articles.articleCounts()
        screen.authors = try await articles.labels(.author)
        screen.tags = try await articles.labels(.tag)
        if let marking {
            screen.marks = (
                try await marking.marks.counts(of: marking.reader),
                try await marking.marks.readCounts(of: marking.reader)
            )
        }
        return screen
    }
}
