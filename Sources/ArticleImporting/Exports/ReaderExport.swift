import ArticleStore
import Text

/// Reads the articles in an export of a feed reader: the entries of Miniflux's API, or a list in the format of Google
/// Reader, which FreshRSS writes.
///
/// Each article states its feed. The facts about a list may come after its articles. So the reader goes through the whole
/// file first, and keeps the articles in a temporary file.
struct ReaderExport: RecordSource {
    /// The product that wrote the export.
    enum Format: Sendable, Hashable { case miniflux, googleReader }

    /// The maximum number of invalid articles that are reported.
    private static let errorLimit = 1000

    private let format: Format
    private var cursor: JSONCursor
    private let folder: String
    private var records: RecordSpool.Records?
    /// The ID of the list.
    private var listID = ""
    private var count = 0
    /// The errors in the articles that were read.
    private var errors: [RecordError] = []
    private(set) var skippedRecords = 0

    /// - Parameters:
    ///   - bytes: the export in UTF-8.
    ///   - limit: the maximum number of bytes of an article.
    ///   - folder: the folder for the temporary file.
    init(_ format: Format, _ bytes: ByteReader, limit: Int, temporaryFolder folder: String) throws {
        (self.format, self.folder) = (format, folder)
        cursor = try JSONCursor(bytes, limit: limit)
    }

    mutating func next() throws -> SourceRecord? {
        if records == nil { records = try readAll() }
        while true {
            count += 1
            let name = "entry \(count)"
            let record = try records?.next { [format, listID] bytes, line -> SourceRecord? in
                let entry: JSON
                do throws(JSONError) {
                    entry = try JSONParser.value(of: bytes)
                } catch {
                    throw RecordError(line: line + bytes[..<error.offset].lineCount, "\(name): \(error.reason)")
                }
                guard let members = entry.members else { throw RecordError(line: line, "\(name): not a JSON object") }
                let read =
                    switch format {
                    case .miniflux: MinifluxEntry.entry(of: members)
                    case .googleReader:
                        GoogleReaderItem.entry(of: members, inListOfStarred: listID.hasSuffix("/starred"))
                    }
                return read.map { SourceRecord($0.members, line: line, name: name, marks: $0.marks, feed: $0.feed) }
            }
            guard let record else { break }
            if let record { return record }
            skippedRecords += 1
        }
        guard errors.isEmpty else { throw errors.removeFirst() }
        return nil
    }

    private mutating func readAll() throws -> RecordSpool.Records {
        let spool = try RecordSpool(in: folder)
        var cursor = cursor
        defer { self.cursor = cursor }
        let key = format == .miniflux ? "entries" : "items"
        do {
            try cursor.forEachMember { cursor, member in
                switch (member, try cursor.peek()) {
                case (key, UInt8(ascii: "[")):
                    try cursor.forEachElement { cursor in
                        do {
                            try cursor.value { bytes, line in try spool.append(bytes, line: line) }
                        } catch let error as RecordError where !cursor.isBroken && errors.count < Self.errorLimit {
                            errors.append(error)
                        }
                    }
                case ("id", UInt8(ascii: "\"")):
                    listID = try cursor.value { bytes, _ in try JSONParser.value(of: bytes).text } ?? ""
                default: try cursor.skip()
                }
            }
        } catch let error as RecordError {
            errors.append(error)
        }
        return try spool.records()
    }
}

extension ReaderExport.Format {
    /// Detects an export by its beginning; nil if the text is something else.
    init?(_ start: UnsafeBufferPointer<UInt8>) {
        guard start.trimmed.first == UInt8(ascii: "{") else { return nil }
        // Some programs write a slash as `\/`.
        let head = String(
            decoding: start.prefix(4096).filter { $0 > 0x20 && $0 != UInt8(ascii: "\\") }.prefix(2048), as: UTF8.self)
        let total = head.hasPrefix(#"{"total":"#) ? head.dropFirst(9).drop { $0.isASCII && $0.isNumber } : head[...]
        if total.hasPrefix(#","entries":["#)
            || head.hasPrefix(#"{"entries":[{"id":"#) && head.contains(bytesOf: #""feed_id":"#)
        {
            self = .miniflux
        } else if head.contains(bytesOf: #""id":"user/"#) || head.contains(bytesOf: #""id":"feed/"#),
            head.contains(bytesOf: "/state/") || head.contains(bytesOf: #""items":["#)
        {
            self = .googleReader
        } else {
            return nil
        }
    }
}

/// An article of a feed reader, with the field names of articles.
struct ReaderEntry {
    let members: [JSON.Member]
    /// The feed of the article; nil if the export does not name its address.
    let feed: FeedHead?
    let marks: SavedMarks

    /// Makes the members.
    ///
    /// - Parameters:
    ///   - id: the ID of the entry in its feed.
    ///   - title: the title in one line; nil to make one.
    ///   - attachments: in the form of JSON Feed.
    fileprivate static func members(
        id: String?, title: String?, url: String?, date: JSON?, authors: [String], tags: [String],
        language: String? = nil,
        html: String?, attachments: [JSON], base: String?, extra: [JSON.Member] = []
    ) -> [JSON.Member] {
        let attachments = attachments.compactMap(FeedAttachment.init)
        let title =
            title
            ?? FeedTitle.made(
                of: html.map { FeedText($0, .html) }, addresses: attachments.map(\.url) + [url].compactMap(\.self))
        var members: [JSON.Member] = []
        members.add("id", id)
        members.add("title", title.map(FeedTitle.cut))
        members.add("url", url)
        if let date { members.append(.init("date", date)) }
        members.add("authors", authors)
        members.add("tags", tags)
        members.add("language", language)
        members.add("base", base)
        if !attachments.isEmpty { members.append(.init("attachments", .array(attachments.map(\.json)))) }
        let links = attachments.map(\.html).joined(separator: "\n")
        if let html {
            members.append(.init("content_html", .string(html)))
        } else if links.isEmpty, let link = url.flatMap({ SavedLink(address: $0).members?.last }) {
            members.append(link)
        } else {
            members.append(.init("content_html", .string(links)))
        }
        members.add(extra: extra)
        return members
    }
}

extension JSON {
    /// Returns the member of an object; nil if it is missing or null.
    fileprivate subscript(key: String) -> JSON? {
        members?.last { $0.key == key }.flatMap { $0.value == .null ? nil : $0.value }
    }

    /// Returns the text of a member; nil if it is blank.
    fileprivate func text(_ key: String) -> String? {
        self[key]?.text.flatMap { $0.trimmed.isEmpty ? nil : String($0.trimmed) }
    }

    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

/// An entry of Miniflux (`GET /v1/entries`, and `GET /v1/feeds/ID/entries`).
private enum MinifluxEntry {
    /// Returns an entry; nil if the user has removed it.
    ///
    /// The feed contains the password and the cookie with which Miniflux fetches it. They must not reach the library.
    static func entry(of object: [JSON.Member]) -> ReaderEntry? {
        let entry = JSON.object(object)
        let status = entry.text("status")
        guard status != "removed" else { return nil }
        let url = entry.text("url")
        let attachments = (entry["enclosures"]?.elements ?? []).map { enclosure -> JSON in
            var members: [JSON.Member] = []
            members.add("url", enclosure.text("url"))
            members.add("mime_type", enclosure.text("mime_type"))
            members.add("size_in_bytes", enclosure.text("size"))
            return .object(members)
        }
        var extra: [JSON.Member] = []
        extra.add("comments", entry.text("comments_url"))
        let feed = entry["feed"]
        return ReaderEntry(
            members: ReaderEntry.members(
                id: url ?? entry.text("hash"), title: entry.text("title")?.oneLine, url: url,
                date: entry["published_at"], authors: entry.text("author").map { [$0] } ?? [],
                tags: entry["tags"]?.elements.compactMap(\.text) ?? [], language: entry.text("language"),
                html: entry.text("content"), attachments: attachments, base: feed?.text("site_url"), extra: extra),
            feed: feed?.text("feed_url").map { address in
                FeedHead(
                    title: feed?.text("title"), home: feed?.text("site_url"), address: WebAddress.withoutUser(address),
                    tags: [feed?["category"]?.text("title")].compactMap { $0.flatMap(FeedList.tag) })
            },
            marks: SavedMarks(isRead: status == "read", isStarred: entry["starred"]?.isYes == true))
    }
}

/// An item in the format of Google Reader. FreshRSS adds `guid`, the ID in the feed, and `feedUrl`.
private enum GoogleReaderItem {
    /// Returns an item.
    ///
    /// - Parameter isStarred: whether the list contains starred and labeled articles. Without a label, an article is
    ///   starred, because old exports do not say so.
    static func entry(of object: [JSON.Member], inListOfStarred isStarred: Bool) -> ReaderEntry? {
        let item = JSON.object(object)
        func link(_ key: String) -> String? { item[key]?.elements.lazy.compactMap { $0.text("href") }.first }
        let origin = item["origin"]
        let attachments = (item["enclosure"]?.elements ?? []).map { enclosure -> JSON in
            var members: [JSON.Member] = []
            members.add("url", enclosure.text("href"))
            members.add("mime_type", enclosure.text("type"))
            members.add("size_in_bytes", enclosure.text("length"))
            return .object(members)
        }
        var (marks, tags, labels) = (SavedMarks(), [String](), [String]())
        for category in item["categories"]?.elements.compactMap(\.text) ?? [] {
            let parts = category.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0] == "user" else {
                tags.append(FeedTitle.line(of: category))
                continue
            }
            switch (parts[2], parts[3]) {
            case ("state", "com.google/read"): marks.isRead = true
            case ("state", "com.google/starred"): marks.isStarred = true
            case ("label", let name): labels.append(FeedTitle.line(of: String(name)))
            default: break
            }
        }
        marks.tags = labels
        if isStarred, labels.isEmpty { marks.isStarred = true }
        let url = link("canonical") ?? link("alternate")
        let date = ["published", "timestampUsec", "updated"].lazy.compactMap { item.text($0) }.first { $0 != "0" }
        return ReaderEntry(
            members: ReaderEntry.members(
                id: item.text("guid") ?? url ?? item.text("id"),
                title: item.text("title").map { FeedTitle.line(of: $0) }, url: url,
                date: date.map { UnixTime.seconds($0) ?? .string($0) },
                authors: item.text("author").map { author in
                    FeedTitle.line(of: author).split(separator: ";").map { String($0.trimmed) }.filter { !$0.isEmpty }
                } ?? [],
                tags: tags,
                html: item["content"]?.text("content") ?? item["summary"]?.text("content") ?? item.text("content"),
                attachments: attachments, base: origin?.text("htmlUrl")),
            feed: feed(origin), marks: marks)
    }

    private static func feed(_ origin: JSON?) -> FeedHead? {
        let stream = origin?.text("streamId").flatMap { $0.hasPrefix("feed/") ? String($0.dropFirst(5)) : nil }
        return [origin?.text("feedUrl"), stream].lazy.compactMap { $0.flatMap(WebAddress.valid) }.first.map { address in
            FeedHead(
                title: origin?.text("title").map { FeedTitle.line(of: $0) }, home: origin?.text("htmlUrl"),
                address: WebAddress.withoutUser(address))
        }
    }
}
