import Text

/// A feed in JSON (jsonfeed.org, versions 1 and 1.1): an object with what holds for the whole, and its items.
struct JSONFeed {
    /// The line that the feed begins in.
    let line: Int
    /// What it says of itself.
    let head: FeedHead
    /// How many bytes an item has on average.
    let itemSize: Int
    private let shared: [JSON.Member]
    private let items: [JSON]
    private var taken = 0

    /// Nil where the object is no feed.
    init?(_ object: [JSON.Member], size: Int, line: Int) {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        guard case .string(let version)? = value("version"), version.hasPrefix("https://jsonfeed.org/version/"),
            case .array(let items)? = value("items")
        else { return nil }
        self.line = line
        head = FeedHead(
            title: value("title")?.text, home: value("home_page_url")?.text, address: value("feed_url")?.text,
            language: value("language")?.text)
        self.items = items
        itemSize = size / max(1, items.count)
        shared = ["authors", "author", "language"].compactMap { key in value(key).map { .init(key, $0) } }
    }

    /// The next item and its number from 1; authors and language, where it has none, are those of the feed, and what an item
    /// need not have, title, address and text, is made of what it has.
    mutating func next() -> (item: JSON, number: Int)? {
        guard taken < items.count else { return nil }
        defer { taken += 1 }
        guard case .object(var members) = items[taken] else { return (items[taken], taken + 1) }
        let keys = Set(members.map(\.key))
        let namesAuthors = keys.contains("authors") || keys.contains("author")
        members += shared.filter { $0.key == "language" ? !keys.contains("language") : !namesAuthors }
        complete(&members)
        return (.object(members), taken + 1)
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
