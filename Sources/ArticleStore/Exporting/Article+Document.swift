package import Markup

extension Article {
    /// The address of the original, where it is one of the web.
    package var webAddress: String? { sourceURL.flatMap(ArticleFields.webAddress) }

    /// What addresses in the body are relative to, where it is known and of the web.
    var webBase: String? { address.flatMap(ArticleFields.webAddress) }

    /// The body as a tree, its addresses as they were written.
    var document: MarkupDocument { format.document(of: body) }

    /// The body as a tree with whole addresses, as far as it is known what they are relative to.
    package var resolvedDocument: MarkupDocument { webBase.map { document.resolved(against: $0) } ?? document }
}
