package import Markup

extension Article {
    /// The web address of the original; nil if it is not a web address.
    package var webAddress: String? { sourceURL.flatMap(ArticleFields.webAddress) }

    /// The base of relative addresses in the body, if it is known and a web address.
    var webBase: String? { address.flatMap(ArticleFields.webAddress) }

    /// The body as a tree. Its addresses are as they were written.
    var document: MarkupDocument { format.document(of: body) }

    /// The body as a tree with absolute addresses. If the base is unknown, relative addresses stay relative.
    package var resolvedDocument: MarkupDocument { webBase.map { document.resolved(against: $0) } ?? document }
}
