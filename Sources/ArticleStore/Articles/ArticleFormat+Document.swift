package import Markup

extension Article.Format {
    /// Returns a text in this format as a tree. Markdown that the parser refuses is shown as plain text.
    package func document(of text: String) -> MarkupDocument {
        switch self {
        case .markdown: MarkupDocument(markdown: text) ?? MarkupDocument(plain: text)
        case .html: MarkupDocument(html: text)
        case .plain: MarkupDocument(plain: text)
        }
    }
}
