package import Markup

extension Article.Format {
    /// A text in this format as a tree. Markdown that cannot be read is the plain text that it is.
    package func document(of text: String) -> MarkupDocument {
        switch self {
        case .markdown: MarkupDocument(markdown: text) ?? MarkupDocument(plain: text)
        case .html: MarkupDocument(html: text)
        case .plain: MarkupDocument(plain: text)
        }
    }
}
