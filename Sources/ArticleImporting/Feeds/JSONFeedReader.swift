import ArticleStore
import Text

/// Reads a feed in JSON item by item.
///
/// Facts about the whole feed may come after the items. So the reader goes through the whole feed first, and keeps the
/// items in a temporary file.
struct JSONFeedReader: RecordSource {
    private var cursor: JSONCursor
    private let folder: String
    private var items: RecordSpool.Records?
    private var current: JSONFeed?
    /// The number of items that were returned.
    private var count = 0
    /// The errors in the items that were read.
    private var errors: [RecordError] = []

    var feed: FeedHead? { current?.head }

    /// - Parameters:
    ///   - bytes: the feed in UTF-8.
    ///   - limit: the maximum number of bytes of an item, or of another member of the feed.
    ///   - folder: the folder for the temporary file.
    init(_ bytes: ByteReader, limit: Int, temporaryFolder folder: String) throws {
        cursor = try JSONCursor(bytes, limit: limit)
        self.folder = folder
    }

    mutating func next() throws -> SourceRecord? {
        while true {
            if items == nil, errors.isEmpty {
                if cursor.isBroken { return nil }
                guard let byte = try cursor.peek() else { return nil }
                guard byte == UInt8(ascii: "{") else { throw cursor.broken("more text after the feed") }
                try readAll()
            }
            if let record = try nextItem() { return record }
            items = nil
            if !errors.isEmpty { throw errors.removeFirst() }
        }
    }

    private mutating func nextItem() throws -> SourceRecord? {
        guard let feed = current else { return nil }
        count += 1
        let name = "item \(count) of the feed"
        return try items?.next { bytes, line in
            let item: JSON
            do throws(JSONError) {
                item = try JSONParser.value(of: bytes)
            } catch {
                throw RecordError(line: line + bytes[..<error.offset].lineCount, "\(name): \(error.reason)")
            }
            guard let members = item.members else { throw RecordError(line: line, "\(name): not a JSON object") }
            return SourceRecord(feed.members(of: members), line: line, name: name)
        }
    }

    /// Goes through the feed and stores its items.
    private mutating func readAll() throws {
        let spool = try RecordSpool(in: folder)
        let line = cursor.line
        var cursor = cursor
        defer { self.cursor = cursor }
        var head: [JSON.Member] = []
        do {
            try cursor.forEachMember { cursor, key in
                let byte = try cursor.peek()
                if key == "items", byte == UInt8(ascii: "[") {
                    try readItems(&cursor, into: spool)
                } else if JSONFeed.keys.contains(key) {
                    head.append(JSON.Member(key, try cursor.value(Self.value)))
                } else {
                    try cursor.skip()
                }
            }
        } catch let error as RecordError {
            errors.append(error)
        }
        count = 0
        current = JSONFeed(head)
        if current == nil { errors.append(RecordError(line: line, "not a JSON Feed")) }
        items = try spool.records()
    }

    private mutating func readItems(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        try cursor.forEachElement { cursor in
            do {
                try cursor.value { bytes, line in try spool.append(bytes, line: line) }
            } catch let error as RecordError where !cursor.isBroken && errors.count < Self.errorLimit {
                errors.append(error)
            }
        }
    }

    private static func value(of bytes: UnsafeBufferPointer<UInt8>, line: Int) throws -> JSON {
        do throws(JSONError) {
            return try JSONParser.value(of: bytes)
        } catch {
            throw RecordError(line: line + bytes[..<error.offset].lineCount, error.reason)
        }
    }

    /// The maximum number of invalid items that are reported.
    private static let errorLimit = 1000

    /// Whether a text begins as a JSON feed that states its version before the items.
    static func isFeed(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        guard start.trimmed.first == UInt8(ascii: "{") else { return false }
        var index = 0
        while let key = start.firstIndex(of: "\"version\"", from: index) {
            index = key + 9
            // Some programs write a slash as `\/`.
            let rest = start[index...].prefix(64).filter { $0 > 0x20 && $0 != UInt8(ascii: "\\") }
            if rest.starts(with: ":\"https://jsonfeed.org/version/".utf8) { return true }
        }
        return false
    }
}

/// The data of a JSON feed (jsonfeed.org, versions 1 and 1.1) that applies to all items.
struct JSONFeed {
    /// The facts about the feed.
    let head: FeedHead
    private let shared: [JSON.Member]

    /// The members of the feed that are used.
    static let keys: Set = [
        "version", "title", "home_page_url", "feed_url", "language", "authors", "author", "favicon", "icon",
        "hubs",
    ]

    /// Nil if the object is not a feed.
    ///
    /// - Parameter object: the members of the feed. The items may be missing.
    init?(_ object: [JSON.Member]) {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        guard case .string(let version)? = value("version"), version.hasPrefix("https://jsonfeed.org/version/") else {
            return nil
        }
        let (home, address) = (value("home_page_url")?.text, value("feed_url")?.text)
        head = FeedHead(
            title: value("title")?.text, home: home, address: address, hubs: Self.hubs(in: value("hubs")),
            icon: FeedLink.address((value("favicon") ?? value("icon"))?.text, base: home ?? address),
            language: value("language")?.text)
        shared = ["authors", "author", "language"].compactMap { key in value(key).map { .init(key, $0) } }
    }

    /// Returns the addresses of hubs. Those of other protocols than WebSub are left out.
    private static func hubs(in value: JSON?) -> [String] {
        guard case .array(let hubs)? = value else { return [] }
        return hubs.compactMap { hub in
            func text(_ key: String) -> String? { hub.members?.last { $0.key == key }?.value.text }
            return text("type")?.lowercased() == "websub" ? text("url") : nil
        }
    }

    /// Returns an item with the field names of articles. Missing authors and language come from the feed. Missing
    /// title, address, and text are made from other fields of the item.
    func members(of item: [JSON.Member]) -> [JSON.Member] {
        var members = item
        let keys = Set(members.map(\.key))
        let namesAuthors = keys.contains("authors") || keys.contains("author")
        members += shared.filter { $0.key == "language" ? !keys.contains("language") : !namesAuthors }
        complete(&members)
        return members
    }

    private func complete(_ members: inout [JSON.Member]) {
        func text(_ key: String) -> String? {
            guard case .string(let text)? = members.last(where: { $0.key == key })?.value, !text.trimmed.isEmpty else {
                return nil
            }
            return text
        }
        func add(_ key: String, _ text: String) {
            members.removeAll { $0.key == key }
            members.append(.init(key, .string(text)))
        }
        // Browsers resolve a relative address against the site.
        for key in ["url", "external_url"] {
            if let address = FeedLink.address(text(key), base: head.home ?? head.address) { add(key, address) }
        }
        if text("url") == nil,
            let url = [text("id"), text("external_url")].compactMap(\.self).first(where: FeedLink.isWeb)
        {
            add("url", url)
        }
        var attachments: [FeedAttachment] = []
        if case .array(let found)? = members.last(where: { $0.key == "attachments" })?.value {
            attachments = found.prefix(FeedAttachment.most).compactMap(FeedAttachment.init)
        }
        var body = text("content_html").map { FeedText($0, .html) } ?? text("content_text").map { FeedText($0, .plain) }
        if body == nil {
            let links = attachments.map(\.html).joined(separator: "\n")
            body = text("summary").map { FeedText($0, .plain) }
            if let body, links.isEmpty { add("content_text", body.text) } else { add("content_html", links) }
        }
        let addresses = attachments.map(\.url) + [text("url")].compactMap(\.self)
        if text("title") == nil, let title = FeedTitle.made(of: body, addresses: addresses) { add("title", title) }
        if let home = head.home, text("base") == nil { add("base", home) }
    }
}
