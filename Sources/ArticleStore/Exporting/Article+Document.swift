import Markup

extension Article {
    /// The address of the original, where it is one of the web.
    var webAddress: String? { sourceURL.flatMap(ArticleFields.webAddress) }

    /// What addresses in the body are relative to, as far as that is known.
    /// - Parameter home: that of the source.
    func base(home: String?) -> String? {
        [baseURL, sourceURL, home].lazy.compactMap(\.self).compactMap(ArticleFields.webAddress).first
    }

    /// The body as a tree, its addresses as they were written.
    var document: MarkupDocument {
        switch format {
        case .markdown: MarkupDocument(markdown: body) ?? MarkupDocument(plain: body)
        case .html: MarkupDocument(html: body)
        case .plain: MarkupDocument(plain: body)
        }
    }

    /// The body as a tree with whole addresses, as far as it is known what they are relative to.
    /// - Parameter home: the address of the source.
    func document(home: String?) -> MarkupDocument {
        guard let base = base(home: home) else { return document }
        return document.resolved(against: base)
    }
}
