import Markup

extension Article {
    /// The body as HTML that is safe in any page.
    var safeHTML: String {
        let document =
            switch format {
            case .markdown: MarkupDocument(markdown: body) ?? MarkupDocument(plain: body)
            case .html: MarkupDocument(html: body)
            case .plain: MarkupDocument(plain: body)
            }
        return document.html()
    }
}
