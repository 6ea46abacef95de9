import ArticleStore
import Markup
import Text

/// A feed in Atom 1.0 (RFC 4287).
///
/// The ID of an entry is a UUID of version 5 (RFC 9562): the key of the article is the name, and the ID of its source
/// is the namespace. The ID of the feed is made in the same way from the query and the first source. So IDs never
/// change, and they do not reveal the ID of a source. Every entry needs an author: if an article does not name one, it
/// is the source.
struct AtomExport: ExportWriter {
    private let export: Export
    private let sink: ByteSink
    private let place: FeedAddresses

    init(export: Export, sink: ByteSink, place: FeedAddresses? = nil) {
        self.export = export
        self.sink = sink
        self.place = place ?? FeedAddresses(address: export.options.url)
    }

    func begin() async throws {
        var head = XMLWriter()
        head.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
        head.element("id", export.feedID)
        head.construct("title", export.options.title)
        head.element("updated", RFC3339.string(from: try await export.updated()))
        if let address = place.address {
            head.empty("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", address)])
        }
        if let home = place.home {
            head.empty("link", [("rel", "alternate"), ("type", "text/html"), ("href", home)])
        }
        head.element("generator", "articlesctl")
        try sink.write(head.text)
    }

    func add(_ exported: ExportedArticle) throws {
        let article = exported.article
        let (original, page) = (article.webAddress, place.page(article))
        var entry = XMLWriter()
        entry.open("entry", [("xml:lang", article.language.flatMap(Self.language))])
        entry.element("id", "urn:uuid:\(NamedUUID(of: article))")
        entry.construct("title", article.title)
        entry.element("published", RecordDate(article.published, offset: article.publishedOffset).text)
        entry.element("updated", RFC3339.string(from: article.updated))
        for author in article.authors.isEmpty ? [article.source.name] : article.authors {
            entry.open("author", end: "")
            entry.element("name", author, end: "")
            entry.close("author")
        }
        if let address = page ?? original { entry.empty("link", [("rel", "alternate"), ("href", address)]) }
        if page != nil, let original { entry.empty("link", [("rel", "via"), ("href", original)]) }
        for file in article.attachments {
            entry.empty(
                "link",
                [
                    ("rel", "enclosure"), ("href", file.address), ("type", file.type),
                    ("length", file.size.map { String($0) }),
                ])
        }
        for tag in article.tags { entry.empty("category", [("term", tag)]) }
        if !article.summary.isEmpty { entry.construct("summary", article.summary) }
        // The remaining relative links point into the text itself, so they lead to the original.
        entry.element(
            "content", [("type", "html"), ("xml:base", article.webBase)],
            place.html(of: exported))
        entry.close("entry")
        try sink.write(entry.text)
    }

    func end(_ check: () throws -> Void) throws { try sink.write("</feed>\n") }

    /// A language tag that is valid in XML (RFC 3066); nil for any other text.
    private static func language(_ tag: String) -> String? {
        let parts = tag.utf8.split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.enumerated().allSatisfy { index, part in
            (1...8).contains(part.count)
                && part.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || index > 0 && (0x30...0x39).contains($0) }
        }
        return isTag ? tag : nil
    }
}

extension XMLWriter {
    fileprivate mutating func element(_ name: StaticString, _ content: String, end: String = "\n") {
        element(name, [], content, end: end)
    }

    /// Writes a text construct (section 3.1). If some reader could take the text for markup, it is written as HTML,
    /// which is unambiguous.
    fileprivate mutating func construct(_ name: StaticString, _ content: String) {
        if content.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            element(name, [("type", "html")], XMLText.escaped(content))
        } else {
            element(name, content)
        }
    }
}
