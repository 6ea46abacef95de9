import Text

/// A feed in JSON Feed 1.1 (https://jsonfeed.org/version/1.1). The id of an item is that of the entry in Atom.
struct JSONFeedExport: ExportWriter {
    let export: Export
    let sink: ByteSink
    private var isFirst = true

    init(export: Export, sink: ByteSink) {
        self.export = export
        self.sink = sink
    }

    func begin() throws {
        var writer = JSONWriter()
        writer.raw(#"{"version":"https://jsonfeed.org/version/1.1","title":"#)
        writer.string(export.options.title)
        if let url = export.options.url {
            writer.raw(#","feed_url":"#)
            writer.string(url)
        }
        writer.raw(#","items":["#)
        try sink.write(writer.text)
    }

    mutating func add(_ article: Article) throws {
        var writer = JSONWriter()
        writer.raw(isFirst ? "\n" : ",\n")
        isFirst = false
        var members = [JSON.Member("id", .string("urn:uuid:\(NamedUUID(of: article))"))]
        func member(_ key: String, _ value: JSON?) { if let value { members.append(JSON.Member(key, value)) } }
        member("url", article.sourceURL.map(JSON.string))
        member("title", .string(article.title))
        member("content_html", .string(article.safeHTML))
        member("summary", article.summary.isEmpty ? nil : .string(article.summary))
        member("date_published", .string(RecordDate(article.published, offset: article.publishedOffset).text))
        member("date_modified", .string(RFC3339.string(from: article.updated)))
        let authors: [JSON] = article.authors.map { ["name": .string($0)] }
        member("authors", authors.isEmpty ? nil : .array(authors))
        member("tags", article.tags.isEmpty ? nil : JSON(article.tags))
        member("language", article.language.map(JSON.string))
        writer.value(.object(members))
        try sink.write(writer.text)
    }

    func end() throws { try sink.write("\n]}\n") }
}
