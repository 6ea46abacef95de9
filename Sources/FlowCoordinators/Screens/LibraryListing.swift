internal import ArticleStore
internal import ReadingStore
import Text

/// Asks for what the library holds, and how much of it who is signed in has not read, from what is counted already.
struct LibraryListing: Sendable {
    let articles: any ArticleRepository
    /// The marks of who is signed in; nil where none are kept.
    let marking: ArticleMarking?

    /// What is on the screen.
    ///
    /// - Parameter reference: the article whose author, tags and source come first; nil for none.
    /// - Throws: `ScreenError.noArticle`, and what the repositories throw.
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
