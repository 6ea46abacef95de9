import ArticleStore
import Markup
import Text

/// A feed in JSON Feed 1.1 (https://jsonfeed.org/version/1.1). The ID of an item equals the ID of its entry in Atom.
struct JSONFeedExport: ExportWriter {
    private let export: Export
    private let sink: ByteSink
    private let place: FeedAddresses
    private var isFirst = true

    init(export: Export, sink: ByteSink, place: FeedAddresses? = nil) {
        self.export = export
        self.sink = sink
        self.place = place ?? FeedAddresses(address: export.options.url)
    }

    func begin() throws {
        var members: [JSON.Member] = [
            JSON.Member("version", "https://jsonfeed.org/version/1.1"),
            JSON.Member("title", .string(export.options.title)),
        ]
        if let home = place.home { members.append(JSON.Member("home_page_url", .string(home))) }
        if let address = place.address { members.append(JSON.Member("feed_url", .string(address))) }
        var writer = JSONWriter()
        writer.value(.object(members))
        // Omit the last brace: the items are written one by one before it.
        try sink.write(writer.text.dropLast() + ",\"items\":[")
    }

    mutating func add(_ exported: ExportedArticle) throws {
        let article = exported.article
        let (original, page) = (article.webAddress, place.page(article))
        var members: [JSON.Member] = []
        func member(_ key: String, _ value: JSON) { members.append(JSON.Member(key, value)) }
        func member(_ key: String, text: String?) { if let text { member(key, .string(text)) } }
        member("id", text: "urn:uuid:\(NamedUUID(of: article))")
        member("url", text: page ?? original)
        if page != nil { member("external_url", text: original) }
        member("title", text: article.title)
        member("content_html", text: place.html(of: exported))
        if !article.summary.isEmpty { member("summary", text: article.summary) }
        member("date_published", text: RecordDate(article.published, offset: article.publishedOffset).text)
        member("date_modified", text: RFC3339.string(from: article.updated))
        if !article.authors.isEmpty { member("authors", .array(article.authors.map { ["name": .string($0)] })) }
        if !article.tags.isEmpty { member("tags", JSON(article.tags)) }
        member("language", text: article.language)
        let files = article.attachments
        if !files.isEmpty { member("attachments", .array(files.map(\.json))) }
        var writer = JSONWriter()
        writer.raw(isFirst ? "\n" : ",\n")
        writer.value(.object(members))
        isFirst = false
        try sink.write(utf8: writer.bytes)
    }

    func end(_ check: () throws -> Void) throws { try sink.write("\n]}\n") }
}
