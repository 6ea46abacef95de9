package import Text

/// The reason why an article that a caller named cannot be shown or changed.
public enum ArticleError: Error, Hashable, Sendable {
    /// The article does not exist.
    case noArticle(ArticleReference)
    /// These articles do not exist.
    case noArticles([ArticleReference])
    /// The link leads out of the library.
    case elsewhere(String)
    /// The article does not have a page on the web.
    case noPage(ArticleReference)

    /// Returns the error for missing articles; nil if there are none.
    package static func missing(_ references: [ArticleReference]) -> ArticleError? {
        guard let first = references.first else { return nil }
        return references.count == 1 ? .noArticle(first) : .noArticles(references)
    }
}

extension ArticleError: CustomStringConvertible {
    /// The error in words for the user.
    public var description: String {
        switch self {
        case .noArticle(let reference): "there is no article “\(reference)”"
        case .noArticles(let references):
            "there are no articles \(references.prefix(5).map { "“\($0)”" }.joined(separator: ", "))"
                + (references.count > 5 ? " and \(references.count - 5) more" : "")
        case .elsewhere(let link): "“\(link)” is not a link within the library"
        case .noPage(let reference): "the article “\(reference)” has no address on the web"
        }
    }
}

extension ArticleError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noArticle, .noArticles, .elsewhere: .notFound
        case .noPage: .conflict
        }
    }

    package var hint: String? {
        switch self {
        case .noArticle, .noArticles: "list them with: articlesctl list"
        case .elsewhere, .noPage: nil
        }
    }
}
