package import Markup

extension Article {
    /// The web address of the original; nil if it is not a web address.
    package var webAddress: String? { sourceURL.flatMap(WebAddress.valid) }

    /// The base of relative addresses in the body, if it is known and a web address.
    package var webBase: String? { address.flatMap(WebAddress.valid) }

    /// The body as a tree. Its addresses are as they were written.
    package var document: MarkupDocument { format.document(of: body) }

    /// The body as a tree with absolute addresses. If the base is unknown, relative addresses stay relative.
    package var resolvedDocument: MarkupDocument { webBase.map { document.resolved(against: $0) } ?? document }
}

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
