import Essentials
import Text

/// A feed in Atom 1.0 (RFC 4287).
///
/// The id of an entry is the UUID that RFC 9562 makes of the key of the article, as a name (version 5), in the id of its source;
/// that of the feed is made in the same way of the query, in the first source. So both stay what they are. Who wrote an
/// article that names no author is its source.
struct AtomExport: ExportWriter {
    let export: Export
    let sink: ByteSink

    func begin() async throws {
        var head = XMLWriter()
        head.raw(#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n")
        head.raw(#"<feed xmlns="http://www.w3.org/2005/Atom">"# + "\n")
        head.element("id", export.id)
        head.element("title", export.options.title)
        head.element("updated", RFC3339.string(from: try await export.updated()))
        head.raw(#"<generator>articlesctl</generator>"# + "\n")
        if let url = export.options.url {
            head.empty("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", url)])
        }
        try sink.write(head.text)
    }

    func add(_ article: Article) throws {
        var entry = XMLWriter()
        entry.open("entry", article.language.flatMap(Self.language).map { [("xml:lang", $0)] } ?? [])
        entry.element("id", "urn:uuid:\(NamedUUID(of: article))")
        entry.element("title", article.title)
        entry.element("published", RecordDate(article.published, offset: article.publishedOffset).text)
        entry.element("updated", RFC3339.string(from: article.updated))
        for author in article.authors.isEmpty ? [article.source.name] : article.authors {
            entry.raw("<author>")
            entry.element("name", author)
            entry.raw("</author>\n")
        }
        for tag in article.tags { entry.empty("category", [("term", tag)]) }
        if let url = article.sourceURL { entry.empty("link", [("rel", "alternate"), ("href", url)]) }
        if !article.summary.isEmpty { entry.element("summary", article.summary) }
        entry.element("content", article.safeHTML, [("type", "html")])
        entry.close("entry")
        try sink.write(entry.text)
    }

    func end() throws { try sink.write("</feed>\n") }

    /// A tag that XML takes (RFC 3066); nil for anything else.
    private static func language(_ tag: String) -> String? {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.enumerated().allSatisfy { index, part in
            (1...8).contains(part.count)
                && part.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || index > 0 && (0x30...0x39).contains($0) }
        }
        return isTag ? tag : nil
    }
}
