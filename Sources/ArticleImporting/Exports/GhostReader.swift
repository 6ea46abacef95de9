import ArticleStore
import Text

/// Reads an export of Ghost: one JSON object with the tables of its database (`db[0].data`, or `data` alone).
///
/// The posts come before the tables of their authors and tags. So the reader goes through the whole export first. It
/// keeps the posts in a temporary file, and the necessary part of the other tables in memory.
struct GhostReader: RecordSource {
    private var cursor: JSONCursor
    private let folder: String
    private var posts: RecordSpool.Records?
    private var tables = GhostTables()
    /// The errors in the rows that were read.
    private var errors: [RecordError] = []

    /// - Parameters:
    ///   - bytes: the export in UTF-8.
    ///   - limit: the maximum number of bytes of a post or another row.
    ///   - folder: the folder for the temporary file.
    init(_ bytes: ByteReader, limit: Int, temporaryFolder folder: String) throws {
        cursor = try JSONCursor(bytes, limit: limit)
        self.folder = folder
    }

    mutating func next() throws -> SourceRecord? {
        if posts == nil { posts = try readAll() }
        let record = try posts?.next { [tables] bytes, line in
            guard let post = try Self.value(of: bytes, line: line).members else {
                throw RecordError(line: line, "a post is not a JSON object")
            }
            return SourceRecord(try GhostPost.members(of: post, in: tables, line: line), line: line)
        }
        if let record { return record }
        guard errors.isEmpty else { throw errors.removeFirst() }
        return nil
    }

    private static func value(of bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(RecordError) -> JSON {
        do {
            return try JSONParser.value(of: bytes)
        } catch {
            throw RecordError(line: line + bytes[..<error.offset].lineCount, error.reason)
        }
    }

    // MARK: - Going through the whole

    private mutating func readAll() throws -> RecordSpool.Records {
        let spool = try RecordSpool(in: folder)
        var cursor = cursor
        defer { self.cursor = cursor }
        do {
            try readDocument(&cursor, into: spool)
        } catch let error as RecordError {
            errors.append(error)
        }
        return try spool.records()
    }

    private mutating func readDocument(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        var hasData = false
        guard try cursor.peek() == UInt8(ascii: "{") else {
            throw cursor.broken("not an export of Ghost: expected an object")
        }
        try cursor.forEachMember { cursor, key in
            switch (key, try cursor.peek()) {
            case ("db", UInt8(ascii: "[")):
                try cursor.forEachElement { cursor in
                    guard try cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip() }
                    try cursor.forEachMember { cursor, key in
                        guard try key == "data" && cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip() }
                        hasData = true
                        try readTables(&cursor, into: spool)
                    }
                }
            case ("data", UInt8(ascii: "{")):
                hasData = true
                try readTables(&cursor, into: spool)
            default: try cursor.skip()
            }
        }
        if !hasData { throw RecordError("an export of Ghost without data") }
    }

    private mutating func readTables(_ cursor: inout JSONCursor, into spool: RecordSpool) throws {
        try cursor.forEachMember { cursor, table in
            let isKnown = table == "posts" || GhostTables.names.contains(table)
            guard try isKnown && cursor.peek() == UInt8(ascii: "[") else { return try cursor.skip() }
            try cursor.forEachElement { cursor in
                do {
                    try cursor.value { bytes, line in
                        guard table != "posts" else { return try spool.append(bytes, line: line) }
                        let row = try Self.value(of: bytes, line: line).members ?? []
                        try tables.insert(row, of: table, size: bytes.count)
                    }
                } catch let error as RecordError where !cursor.isBroken && errors.count < Self.errorLimit {
                    errors.append(error)
                }
            }
        }
    }

    /// The greatest number of errors that are reported for the rows before the posts.
    private static let errorLimit = 1000

    /// Whether a text begins as an export of Ghost.
    static func isGhost(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = String(decoding: start.prefix(1024).filter { $0 > 0x20 }.prefix(256), as: UTF8.self)
        return head.hasPrefix(#"{"db":[{"#) || head.hasPrefix(#"{"data":{"posts":["#)
            || head.hasPrefix(#"{"meta":{"#) && head.contains(bytesOf: #""exported_on""#)
    }
}

/// The facts about posts from the other tables of Ghost, by the ID of the post.
struct GhostTables {
    /// The maximum number of bytes of rows in memory. A blog of a hundred thousand posts needs less.
    private static let sizeLimit = 128 << 20

    static let names: Set<String> = ["users", "tags", "posts_tags", "posts_authors", "posts_meta"]

    private var size = 0
    private var users: [String: String] = [:]
    private var tags: [String: String] = [:]
    private var tagsOfPosts: [String: [Link]] = [:]
    private var authorsOfPosts: [String: [Link]] = [:]
    private var metadata: [String: [JSON.Member]] = [:]

    private struct Link {
        let id: String
        /// Its position among the links of the post.
        let order: Int
    }

    /// Adds a row.
    mutating func insert(_ row: [JSON.Member], of table: String, size: Int) throws(RecordError) {
        self.size += size
        guard self.size <= Self.sizeLimit else {
            throw RecordError("tags, authors, and their relations to posts are larger than \(Self.sizeLimit) bytes")
        }
        func text(_ key: String) -> String? { row.last { $0.key == key }?.value.text }
        switch table {
        case "users":
            if let id = text("id"), let name = text("name") { users[id] = name }
        case "tags":
            if let id = text("id"), let name = text("name") { tags[id] = name }
        case "posts_meta":
            if let id = text("post_id") { metadata[id] = row.filter { !["id", "post_id"].contains($0.key) } }
        default:
            let isTag = table == "posts_tags"
            guard let post = text("post_id"), let id = text(isTag ? "tag_id" : "author_id") else { return }
            let link = Link(id: id, order: text("sort_order").flatMap { Int($0) } ?? 0)
            if isTag {
                tagsOfPosts[post, default: []].append(link)
            } else {
                authorsOfPosts[post, default: []].append(link)
            }
        }
    }

    /// Returns the names of the authors of a post. Without entries in the table, the row of the post itself names the
    /// first author.
    func authors(of post: String?, first: String?) -> [String] {
        let names = Self.inOrder(post.flatMap { authorsOfPosts[$0] }).compactMap { users[$0] }
        return names.isEmpty ? first.flatMap { users[$0] }.map { [$0] } ?? [] : names
    }

    /// The names of the tags of a post.
    func tags(of post: String?) -> [String] {
        Self.inOrder(post.flatMap { tagsOfPosts[$0] }).compactMap { tags[$0] }
    }

    /// The metadata of a post.
    func metadata(of post: String?) -> [JSON.Member] { post.flatMap { metadata[$0] } ?? [] }

    private static func inOrder(_ links: [Link]?) -> [String] {
        let links = (links ?? []).enumerated()
        return links.sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element.id)
    }
}

/// A post or page of Ghost, converted to the field names of articles.
struct GhostPost {
    private let row: [JSON.Member]

    /// Returns the members of a row in the table of posts.
    ///
    /// - Throws: `RecordError` if its text exists only in the internal format of Ghost's editor.
    static func members(of row: [JSON.Member], in tables: GhostTables, line: Int) throws(RecordError) -> [JSON.Member] {
        let post = GhostPost(row: row)
        let id = post.text("id")
        var members: [JSON.Member] = []
        members.add("id", id ?? post.text("uuid"))
        members.add("title", post.text("title"))
        members.add("slug", post.text("slug"))
        members.add("url", post.text("canonical_url"))
        members.add("date", post.date("published_at") ?? post.date("created_at"))
        members.add("updated", post.date("updated_at"))
        members.add("authors", tables.authors(of: id, first: post.text("author_id")))
        // Tags that begin with a number sign are internal to the blog and invisible to its readers.
        let tags = tables.tags(of: id)
        members.add("tags", tags.filter { !$0.hasPrefix("#") })
        members.add("summary", post.text("custom_excerpt"))
        members.add("language", post.text("locale") ?? post.text("language"))
        let isDraft = !["published", "sent", nil].contains(post.text("status"))
        if isDraft { members.append(.init("draft", .bool(true))) }
        members.append(try post.body(isDraft: isDraft, line: line))
        members.add(extra: post.extra(internalTags: tags.filter { $0.hasPrefix("#") }, tables.metadata(of: id)))
        return members
    }

    /// Returns a text that is not empty.
    private func text(_ key: String) -> String? {
        row.last { $0.key == key }?.value.text.flatMap { $0.trimmed.isEmpty ? nil : $0 }
    }

    /// Returns a date in one of the formats that Ghost has used: milliseconds, UTC without a zone, and ISO 8601.
    private func date(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        if let number = UnixTime.seconds(text)?.text { return number }
        return (try? DateParser.date(from: text)).map { RFC3339.string(from: $0) }
    }

    // MARK: - The text

    private func body(isDraft: Bool, line: Int) throws(RecordError) -> JSON.Member {
        // Addresses in the blog itself begin with a placeholder for the site.
        func resolved(_ text: String) -> String {
            text.contains(bytesOf: "__GHOST_URL__") ? text.replacing("__GHOST_URL__", with: "") : text
        }
        if let html = text("html") { return .init("content_html", .string(resolved(html))) }
        if let markdown = text("markdown") ?? markdownOfCards { return .init("body", .string(resolved(markdown))) }
        let form = ["lexical", "mobiledoc"].first { text($0) != nil }
        if let form, !isDraft, holdsText(form) {
            throw RecordError(
                line: line,
                "“\(text("title") ?? "")” has no HTML, and the format of Ghost's editor (\(form)) is not supported"
            )
        }
        return .init("content_html", .string(""))
    }

    /// Whether the editor's format contains any text. If it is empty, Ghost does not write HTML.
    private func holdsText(_ form: String) -> Bool {
        guard var text = text(form), let document = text.withUTF8({ try? JSONParser.value(of: $0) })?.members else {
            return true
        }
        if let root = document.last(where: { $0.key == "root" })?.value { return Self.holdsText(lexical: root) }
        guard case .array(let cards)? = document.last(where: { $0.key == "cards" })?.value, cards.isEmpty,
            case .array(let sections)? = document.last(where: { $0.key == "sections" })?.value
        else { return true }
        return sections.contains { section in
            guard case .array(let parts) = section, parts.count > 2, case .array(let markers) = parts[2] else {
                return true
            }
            return markers.contains { marker in
                guard case .array(let parts) = marker else { return true }
                return parts.last != .string("")
            }
        }
    }

    private static func holdsText(lexical node: JSON) -> Bool {
        guard let members = node.members, let type = members.last(where: { $0.key == "type" })?.value.text,
            type == "root" || type == "paragraph"
        else { return true }
        guard case .array(let children)? = members.last(where: { $0.key == "children" })?.value else { return false }
        return children.contains(where: holdsText(lexical:))
    }

    /// The Markdown and HTML of a text that consists only of such cards, as importers write it.
    private var markdownOfCards: String? {
        guard var form = text("mobiledoc"), let document = form.withUTF8({ try? JSONParser.value(of: $0) })?.members,
            case .array(let cards)? = document.last(where: { $0.key == "cards" })?.value,
            case .array(let sections)? = document.last(where: { $0.key == "sections" })?.value
        else { return nil }
        var texts: [String] = []
        for section in sections {
            // A card has the number 10. An empty paragraph follows the last card.
            guard case .array(let parts) = section, parts.count > 1 else { return nil }
            if parts[0].text == "1", parts.count < 3 || parts[2] == .array([]) { continue }
            guard parts[0].text == "10", let index = parts[1].text.flatMap({ Int($0) }), cards.indices.contains(index),
                case .array(let card) = cards[index], card.count == 2, let name = card[0].text,
                let key = ["markdown": "markdown", "card-markdown": "markdown", "html": "html"][name],
                let text = card[1].members?.last(where: { $0.key == key })?.value.text
            else { return nil }
            texts.append(text)
        }
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }

    // MARK: - The rest

    private func extra(internalTags: [String], _ metadata: [JSON.Member]) -> [JSON.Member] {
        var extra: [JSON.Member] = []
        extra.add("image", text("feature_image") ?? text("image"))
        for member in row + metadata where !Self.taken.contains(member.key) {
            switch member.value {
            case .null, .string(""), .bool(false), .number("0"), .array([]): continue
            case .string(let text) where Self.usual[member.key] == text: continue
            default: extra.append(member)
            }
        }
        extra.add("internal_tags", internalTags)
        return extra
    }

    /// The columns that become properties of an article or are derived from it, and IDs that are meaningful only in the
    /// database.
    private static let taken: Set<String> = [
        "id", "title", "slug", "canonical_url", "published_at", "created_at", "updated_at", "custom_excerpt", "locale",
        "language", "html", "markdown", "plaintext", "mobiledoc", "lexical", "amp", "feature_image", "image",
        "comment_id",
        "author_id", "created_by", "updated_by", "published_by", "newsletter_id", "show_title_and_feature_image",
    ]
    /// The default values of columns, which are not worth keeping.
    private static let usual = [
        "type": "post", "status": "published", "visibility": "public", "email_recipient_filter": "all",
    ]
}
