import ArticleStore
import Text

/// Reads a WordPress export item by item (WXR 1.0 to 1.2: RSS with elements of its own).
///
/// It imports posts and pages. Attachments, menus, revisions, plugin content, and comments are skipped.
struct WordPressReader: RecordSource {
    /// The maximum number of authors whose names are kept. Further authors appear with their login names.
    private static let authorLimit = 100_000

    private let xml: XMLReader
    private var isBroken = false
    private var head = FeedHead()
    /// The display names of authors by their login names.
    private var authors: [String: String] = [:]
    private(set) var skippedRecords = 0

    var feed: FeedHead? { head }

    /// - Parameters:
    ///   - bytes: the export in UTF-8.
    ///   - limit: the maximum number of bytes of an item, including its comments.
    init(_ bytes: ByteReader, limit: Int) throws(RecordError) {
        xml = try XMLReader(
            bytes, limits: XMLLimits(element: limit),
            vocabularies: FeedVocabulary.namespaces.merging(Self.namespaces) { own, _ in own })
    }

    private static let namespaces: [String: String] = {
        var namespaces: [String: String] = [:]
        for version in ["1.0", "1.1", "1.2"] {
            for scheme in ["http", "https"] {
                namespaces["\(scheme)://wordpress.org/export/\(version)/"] = "wp"
                namespaces["\(scheme)://wordpress.org/export/\(version)/excerpt/"] = "excerpt"
            }
        }
        return namespaces
    }()

    mutating func next() throws -> SourceRecord? {
        if isBroken {
            isBroken = false
            guard try xml.resume(before: "item") else { return nil }
        }
        do {
            while let step = try xml.next() {
                guard case .start(let tag) = step, xml.depth > 2 else { continue }
                if tag.name == "item" {
                    if let record = try item(tag) { return record }
                } else {
                    readChannelElement(try xml.element(tag))
                }
            }
        } catch let error as RecordError {
            isBroken = true
            throw error
        }
        return nil
    }

    private mutating func item(_ tag: XMLTag) throws -> SourceRecord? {
        let line = xml.line
        let element = try xml.element(tag, before: tag.rawName)
        if let line = xml.invalidLine {
            throw RecordError(line: line, "bytes that are not valid UTF-8")
        }
        guard let members = WordPressItem.members(of: element, language: head.language, authors: authors) else {
            skippedRecords += 1
            return nil
        }
        return SourceRecord(members, line: line)
    }

    /// Handles an element outside of the items.
    private mutating func readChannelElement(_ element: XMLElement) {
        var base: String?
        guard element.name == "wp:author" else { return head.readMember(element, base: &base) }
        guard authors.count < Self.authorLimit, let login = element.first("wp:author_login")?.text.trimmed,
            let name = element.first("wp:author_display_name")?.text.trimmed, !name.isEmpty
        else { return }
        authors[String(login)] = String(name)
    }
}

/// A post or page of WordPress, converted to the field names of articles.
struct WordPressItem {
    private let item: XMLElement

    /// Returns the members of an item; nil if it is not a post or page.
    ///
    /// - Parameters:
    ///   - language: the language of the blog.
    ///   - authors: the display names of authors by their login names.
    static func members(of item: XMLElement, language: String?, authors: [String: String]) -> [JSON.Member]? {
        let item = WordPressItem(item: item)
        let type = item.text("wp:post_type")
        guard type == nil || type == "post" || type == "page" else { return nil }

        let body = item.item.first("content:encoded").map { WordPressText.html(of: $0.text) } ?? ""
        let url = item.text("link")
        var members: [JSON.Member] = []
        members.add("id", item.text("guid") ?? item.text("wp:post_id"))
        let title = item.item.first("title").flatMap { FeedText($0)?.line }
        members.add(
            "title",
            title.map(FeedTitle.cut)
                ?? FeedTitle.made(of: body.isEmpty ? nil : FeedText(body, .html), addresses: url.map { [$0] } ?? []))
        members.add("slug", item.text("wp:post_name").map { FeedLink.unescaped($0[...]) })
        members.add("url", url)
        members.add("date", item.date("wp:post_date") ?? item.date(inRSS: "pubDate"))
        members.add("updated", item.date("wp:post_modified"))
        members.add("authors", item.text("dc:creator").map { [authors[$0] ?? $0] } ?? [])
        members.add("tags", item.terms { ["category", "post_tag", "tag", nil].contains($0) })
        members.add("summary", item.item.first("excerpt:encoded").flatMap { FeedText($0)?.line })
        members.add("language", language)
        if !item.isPublic { members.append(.init("draft", .bool(true))) }
        members.append(.init("content_html", .string(body)))
        members.add(extra: item.extra(isPage: type == "page"))
        return members
    }

    /// Returns the text of a child element; nil if there is none.
    private func text(_ name: String) -> String? {
        item.first(name).map { String($0.text.trimmed) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether everybody may read the item. It is private if it has a password.
    private var isPublic: Bool {
        (text("wp:status") ?? "publish") == "publish" && text("wp:post_password") == nil
    }

    // MARK: - Dates

    /// Returns a date that is given in the blog's local time and in UTC, from which the UTC offset is computed. Items
    /// that were never published have only the local time.
    private func date(_ name: String) -> String? {
        guard let local = text(name).flatMap(Self.date) else {
            return text(name + "_gmt").flatMap(Self.date).map { RFC3339.string(from: $0) }
        }
        guard let utc = text(name + "_gmt").flatMap(Self.date) else {
            // The offset is unknown.
            return String(RFC3339.string(from: local).dropLast())
        }
        let (minutes, seconds) = Int(local.timeIntervalSince(utc)).quotientAndRemainder(dividingBy: 60)
        return RFC3339.string(from: utc, offset: seconds == 0 && abs(minutes) <= 14 * 60 ? minutes : 0)
    }

    private func date(inRSS name: String) -> String? {
        text(name).flatMap(Self.date).map { RFC3339.string(from: $0) }
    }

    /// Returns nil also for `0000-00-00 00:00:00`.
    private static func date(_ text: String) -> Date? { try? DateParser.date(from: text) }

    // MARK: - The rest

    /// The names of the terms of certain kinds, each once.
    private func terms(_ isAsked: (String?) -> Bool) -> [String] {
        var names: [String] = []
        for element in item.elements where element.name == "category" && isAsked(element["domain"]) {
            let name = FeedTitle.line(of: element.text)
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func extra(isPage: Bool) -> [JSON.Member] {
        var extra: [JSON.Member] = []
        extra.add("wp:post_id", text("wp:post_id"))
        if isPage { extra.add("wp:post_type", "page") }
        if let status = text("wp:status"), status != "publish" { extra.add("wp:status", status) }
        for name in ["wp:post_parent", "wp:menu_order", "wp:is_sticky"] {
            if let value = text(name), value != "0" { extra.add(name, value) }
        }
        var kinds: [String] = []
        for element in item.elements where element.name == "category" {
            guard let kind = element["domain"], !["category", "post_tag", "tag"].contains(kind), !kinds.contains(kind)
            else { continue }
            kinds.append(kind)
        }
        extra += kinds.map { kind in .init(kind, JSON(terms { $0 == kind })) }
        // WordPress hides fields whose names begin with an underscore. They are internal to plugins.
        var fields: [JSON.Member] = []
        for element in item.elements where element.name == "wp:postmeta" {
            guard let key = element.first("wp:meta_key")?.text.trimmed, !key.isEmpty, !key.hasPrefix("_") else {
                continue
            }
            fields.add(String(key), element.first("wp:meta_value")?.text)
        }
        if !fields.isEmpty { extra.append(.init("wp:postmeta", .object(fields))) }
        return extra
    }
}
