import Text

/// The data of a JSON feed (jsonfeed.org, versions 1 and 1.1) that applies to all items.
struct JSONFeed {
    /// The facts about the feed.
    let head: FeedHead
    private let shared: [JSON.Member]

    /// The members of the feed that are used.
    static let keys: Set = [
        "version", "title", "home_page_url", "feed_url", "language", "authors", "author",
    ]

    /// Nil if the object is not a feed.
    ///
    /// - Parameter object: the members of the feed. The items may be missing.
    init?(_ object: [JSON.Member]) {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        guard case .string(let version)? = value("version"), version.hasPrefix("https://jsonfeed.org/version/") else {
            return nil
        }
        head = FeedHead(
            title: value("title")?.text, home: value("home_page_url")?.text, address: value("feed_url")?.text,
            language: value("language")?.text)
        shared = ["authors", "author", "language"].compactMap { key in value(key).map { .init(key, $0) } }
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
            attachments = found.compactMap(FeedAttachment.init)
        }
        var body = text("content_html").map { FeedText($0, .html) } ?? text("content_text").map { FeedText($0, .plain) }
        if body == nil {
            let links = attachments.map(\.html).joined(separator: "\n")
            body = text("summary").map { FeedText($0, .plain) }
            if let body, links.isEmpty { add("content_text", body.text) } else { add("content_html", links) }
        }
        if text("title") == nil {
            add("title", FeedTitle.made(of: body, addresses: attachments.map(\.url) + [text("url")].compactMap(\.self)))
        }
        if let home = head.home, text("base") == nil { add("base", home) }
    }
}
